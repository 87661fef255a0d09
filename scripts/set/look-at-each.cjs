/** Several processes of a service at one port: whoever asks there is answered by any of them, so each is asked at its own. */
const { ownPortOf } = require('../../shared/process-identity/index.cjs');
const { lookAt } = require('./readiness.cjs');
const { recordsOf } = require('./supervisor.cjs');

/** @typedef {import('./project.cjs').Project} Project */
/** @typedef {import('./project.cjs').Service} Service */
/** @typedef {import('./readiness.cjs').Look} Look */

/**
 * @param {Project} project
 * @param {Service} service
 * @returns {Promise<Look[]>} one for each process that there is to be. Where several are, their pids are known from their
 *   records even if they hang; those that do not live are `away`.
 */
async function lookAtEach(project, service) {
  const { instances = 1 } = service;
  if (instances === 1) return [await lookAt(service)];
  const records = recordsOf(project, service);
  const looks = await Promise.all(
    records.map(async (record) => {
      const port = ownPortOf(record);
      const { state } = port === null ? { state: /** @type {const} */ ('away') } : await lookAt({ ...service, port });
      return { state, pid: record.pid };
    }),
  );
  const missing = Math.max(0, instances - looks.length);
  return [...looks, ...Array(missing).fill({ state: 'away', pid: null })];
}

module.exports = { lookAtEach };
