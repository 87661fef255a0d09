/**
 * How many session-apis answer at one port. Plain JavaScript, since `npm start` and PM2's file ask before anything is built;
 * the processes ask here, too.
 */
const { databaseAddressOf } = require('../data-folder/index.cjs');

/** @typedef {{ instances: number } | { value: string, allowed: string }} ApiInstances `allowed`: why the value is refused */

const MOST = 64;

/**
 * What SIM_API_INSTANCES says, and whether what several of them share is there.
 * @param {Readonly<Record<string, string | undefined>>} environment
 * @returns {ApiInstances}
 */
function apiInstancesOf(environment) {
  const setting = (/** @type {string} */ name) => environment[name]?.trim() ?? '';
  const value = setting('SIM_API_INSTANCES');
  const instances = value === '' ? 1 : Number(value);
  if (value !== '' && (!/^\d+$/.test(value) || instances < 1 || instances > MOST))
    return { value, allowed: `it must be a whole number from 1 to ${MOST}` };
  if (instances === 1) return { instances };
  const database = databaseAddressOf('', setting('SIM_DATABASE_URL'));
  const missing = [
    ...('system' in database && database.system === 'postgres' ? [] : ['SIM_DATABASE_URL=postgres://…']),
    ...['SIM_REDIS_URL', 'SIM_INTERNAL_KEY'].filter((name) => setting(name) === ''),
  ];
  if (missing.length === 0) return { instances };
  const names = missing.join(', ').replace(/, (?=[^,]*$)/, ' and ');
  return { value, allowed: `several session-apis share PostgreSQL and Redis: set ${names} as well, or take it out` };
}

module.exports = { apiInstancesOf };
