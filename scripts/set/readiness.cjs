/** Whether the processes of the set answer. PM2 calls a process online that never said it was ready, so we ask. */
const http = require('node:http');
const net = require('node:net');

const PATIENCE_MS = 3_000;

/**
 * @param {number} port on 127.0.0.1
 * @param {string} path
 * @param {string} [internalKey]
 * @returns {Promise<{ status: number, body: any } | 'silent' | 'away'>} `silent`: a connection is taken and no answer comes
 *   within three seconds; `away`: nothing listens, or what answers breaks off.
 */
function ask(port, path, internalKey) {
  return new Promise((resolve) => {
    const headers = internalKey === undefined ? {} : { 'x-parley-internal-key': internalKey };
    const request = http.get({ host: '127.0.0.1', port, path, headers, agent: false }, (response) => {
      let text = '';
      response.on('data', (data) => (text += data));
      response.once('error', () => end('away'));
      response.once('end', () => {
        let body = null;
        try {
          body = JSON.parse(text);
        } catch {
          // Not one of ours.
        }
        end({ status: response.statusCode ?? 0, body });
      });
    });
    const deadline = setTimeout(() => end('silent'), PATIENCE_MS);
    const end = (/** @type {{ status: number, body: any } | 'silent' | 'away'} */ answer) => {
      clearTimeout(deadline);
      resolve(answer);
      request.destroy();
    };
    request.on('error', () => end('away'));
  });
}

/**
 * @param {number} port on 127.0.0.1
 * @param {string} path
 * @param {string} [internalKey]
 * @returns {Promise<{ status: number, body: any } | null>} null when nothing usable answers within three seconds
 */
async function askLocally(port, path, internalKey) {
  const answer = await ask(port, path, internalKey);
  return typeof answer === 'string' || answer.body === null ? null : answer;
}

/**
 * @typedef {object} Look
 * @property {'ready' | 'not ready' | 'silent' | 'away' | 'another program'} state
 * @property {number | null} pid as the process itself says
 */

/** @param {import('./project.cjs').Service} service @returns {Promise<Look>} */
async function lookAt(service) {
  const answer = await ask(service.port, '/readyz', service.internalKey);
  if (typeof answer === 'string') return { state: answer, pid: null };
  if (answer.body?.service !== service.name.replaceAll('-', '_')) return { state: 'another program', pid: null };
  return { state: answer.status === 200 ? 'ready' : 'not ready', pid: answer.body.pid };
}

/** @param {import('./project.cjs').Service} service */
async function isReady(service) {
  return (await lookAt(service)).state === 'ready';
}

/** @param {number} port @returns {Promise<boolean>} */
function isPortFree(port) {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}

module.exports = { askLocally, isPortFree, isReady, lookAt };
