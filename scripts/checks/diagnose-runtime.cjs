/** What `npm run doctor` says of the runtime that plays, and of the gateways and model servers between it and a talk. */
const dns = require('node:dns/promises');
const net = require('node:net');

/** @typedef {import('../set/project.cjs').Project} Project */
/** @typedef {{ status: 'ok' | 'note' | 'failed', message: string }} Diagnosis */

const ok = (/** @type {string} */ message) => /** @type {Diagnosis} */ ({ status: 'ok', message });
const note = (/** @type {string} */ message) => /** @type {Diagnosis} */ ({ status: 'note', message });
const failed = (/** @type {string} */ message) => /** @type {Diagnosis} */ ({ status: 'failed', message });

/** @param {Project} project @param {string} name */
const setting = (project, name) => project.environment[name]?.trim() || undefined;

/** @param {string} address @returns {Promise<boolean>} whether something accepts connections there */
function accepts(address) {
  const url = new URL(address);
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  return new Promise((resolve) => {
    const socket = net.connect({ host: url.hostname.replace(/^\[|\]$/g, ''), port, timeout: 3000 });
    const end = (/** @type {boolean} */ result) => {
      socket.destroy();
      resolve(result);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(false));
  });
}

/**
 * What the gateway says of the runtime behind it; null when none answers there.
 * @param {string} address
 * @param {string | undefined} internalKey
 * @returns {Promise<{ status: string, runtime_id: string, runtime_name: string, model_id: string | null, message: string | null } | null>}
 */
async function healthBehind(address, internalKey) {
  try {
    /** @type {Record<string, string>} */
    const headers = internalKey === undefined ? {} : { 'x-parley-internal-key': internalKey };
    const answer = await fetch(new URL('/runtime/health', address), { headers, signal: AbortSignal.timeout(8000) });
    const health = answer.ok ? /** @type {any} */ (await answer.json()) : null;
    return typeof health?.status === 'string' && typeof health.runtime_id === 'string' ? health : null;
  } catch {
    return null;
  }
}

/** @param {string} host @returns {Promise<string[]>} what the name stands for; nothing when nobody knows it */
async function addressesOf(host) {
  const found = await dns.lookup(host, { all: true, family: 4 }).catch(() => []);
  return found.map(({ address }) => address);
}

/** @param {string} message @param {string | null} remark what is wrong although it plays @returns {Diagnosis} */
const playing = (message, remark) => (remark === null ? ok(message) : note(`${message}. ${remark}`));

/** @param {string} address */
function withoutPassword(address) {
  const url = new URL(address);
  return url.username === '' && url.password === '' ? address : url.origin + url.pathname;
}

/**
 * @param {Project} project
 * @param {(host: string) => Promise<string[]>} [lookup] for tests
 * @returns {Promise<Diagnosis>}
 */
async function diagnoseRuntime(project, lookup = addressesOf) {
  const named = setting(project, 'SIM_GATEWAY_URL');
  if (named !== undefined && !URL.canParse(named))
    return failed(`SIM_GATEWAY_URL=${JSON.stringify(named)} is no address; write one such as http://127.0.0.1:7360.`);
  const gateway = named ?? `http://127.0.0.1:${setting(project, 'SIM_GATEWAY_PORT') ?? 7360}`;
  const health = await healthBehind(gateway, project.internalKey);
  const isFixed = setting(project, 'SIM_RUNTIME_ID') !== undefined;
  if (health !== null && !isFixed && new Set(await lookup(new URL(gateway).hostname)).size > 1)
    return note(
      `several gateways answer at ${gateway}, and a choice on the page would reach one of them: set SIM_RUNTIME_ID for all of them.`,
    );
  // Only the gateway knows how the last chat went: a port that accepts connections may refuse every one.
  if (health !== null && health.runtime_id !== 'fake')
    return health.status === 'READY'
      ? playing(`${health.model_id ?? health.runtime_name} plays, behind the gateway at ${gateway}`, health.message)
      : note(`${health.message ?? `${health.runtime_name} is not ready.`} The gateway at ${gateway} says so.`);
  if (named !== undefined && health === null)
    return note(`no gateway answers at ${named}, which SIM_GATEWAY_URL names: start it, or take the setting out.`);
  const runtime = setting(project, 'SIM_RUNTIME_ID') ?? 'fake';
  if (health === null && !isFixed)
    return note(
      'the demo voice plays, or what was chosen on the page under "Connect a model": npm start, then ask again.',
    );
  if (runtime === 'fake')
    return note('the demo voice plays: canned replies. "Connect a model" in README.md says how to change that.');
  const addresses = {
    local_server: setting(project, 'SIM_LOCAL_SERVER_BASE_URL') ?? 'http://127.0.0.1:7356',
    local_native: setting(project, 'SIM_NATIVE_SERVER_BASE_URL') ?? 'http://127.0.0.1:11434',
  };
  const address = addresses[/** @type {keyof typeof addresses} */ (runtime)];
  if (address === undefined)
    return failed(`SIM_RUNTIME_ID=${JSON.stringify(runtime)} must be one of fake, local_server, local_native.`);
  // A pool of local_server has several.
  const servers = address.split(',').map((part) => part.trim());
  const wrong = servers.find((server) => !URL.canParse(server));
  if (wrong !== undefined) return failed(`${JSON.stringify(wrong)} is no address.`);
  const reached = await Promise.all(servers.map(accepts));
  const silent = servers.filter((_server, at) => !reached[at]).map(withoutPassword);
  if (silent.length === 0) return ok(`${runtime} accepts connections at ${servers.map(withoutPassword).join(', ')}`);
  return silent.length === servers.length
    ? note(
        `${runtime} does not answer at ${silent.join(', ')}: start the model server; until then turns are answered with 503.`,
      )
    : note(`${runtime} does not answer at ${silent.join(', ')}; the other model servers play meanwhile.`);
}

module.exports = { diagnoseRuntime };
