/** What `npm run doctor` says of the Redis that several session-apis share. */
const { isInstalled } = require('../setup/install-packages.cjs');

/** @typedef {import('../set/project.cjs').Project} Project */
/** @typedef {{ status: 'ok' | 'note' | 'failed', message: string }} Diagnosis */

const ok = (/** @type {string} */ message) => /** @type {Diagnosis} */ ({ status: 'ok', message });
const note = (/** @type {string} */ message) => /** @type {Diagnosis} */ ({ status: 'note', message });
const failed = (/** @type {string} */ message) => /** @type {Diagnosis} */ ({ status: 'failed', message });

const WAIT_MS = 3000;

/**
 * @param {string} url
 * @param {string} label the address without the password
 * @returns {Promise<Diagnosis>}
 */
async function askRedis(url, label) {
  const { Redis } = require('ioredis');
  const client = new Redis(url, {
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    connectTimeout: WAIT_MS,
    commandTimeout: WAIT_MS,
  });
  /** @type {NodeJS.ErrnoException[]} */
  const troubles = [];
  client.on('error', (/** @type {NodeJS.ErrnoException} */ error) => troubles.push(error));
  try {
    await client.connect();
    const version = /^(?:redis|valkey)_version:(\S+)/m.exec(await client.info('server'))?.[1] ?? '';
    if (Number.parseInt(version, 10) < 7) return failed(`${label} is Redis ${version}, and Parley needs 7 or later.`);
    const settings = /** @type {string[]} */ (await client.config('GET', 'save', 'appendonly'));
    const valueOf = (/** @type {string} */ name) => settings[settings.indexOf(name) + 1];
    return valueOf('save') === '' && valueOf('appendonly') === 'no'
      ? ok(`${label} answers, Redis ${version}, and writes nothing to a disk`)
      : failed(`${label} writes what it holds to a disk: set its save to "" and its appendonly to no.`);
  } catch (error) {
    const { code, message } = troubles[0] ?? /** @type {NodeJS.ErrnoException} */ (error);
    return failed(`${label} cannot be used (${code ?? message}): see that Redis runs and what SIM_REDIS_URL says.`);
  } finally {
    client.disconnect();
  }
}

/** @param {Project} project @returns {Diagnosis | Promise<Diagnosis>} whether several session-apis could share it */
function diagnoseRedis(project) {
  const setting = (/** @type {string} */ name) => project.environment[name]?.trim() || undefined;
  const url = setting('SIM_REDIS_URL');
  if (url === undefined) return ok('none, and one session-api needs none');
  if (!URL.canParse(url) || !/^rediss?:$/.test(new URL(url).protocol))
    return failed('SIM_REDIS_URL is no address that begins with redis:// or rediss://; correct it.');
  const { protocol, host } = new URL(url);
  const label = `${protocol}//${host}`;
  for (const name of ['SIM_DATABASE_URL', 'SIM_INTERNAL_KEY'])
    if (setting(name) === undefined)
      return failed(`${label} needs ${name} as well: set it, or take SIM_REDIS_URL out.`);
  if (!isInstalled(project)) return note('not looked at: the packages are not installed.');
  return askRedis(url, label);
}

module.exports = { diagnoseRedis };
