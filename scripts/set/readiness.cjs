/** Whether the processes of the set answer. PM2 calls a process online that never said it was ready, so we ask. */
const http = require('node:http');
const net = require('node:net');

/**
 * @param {number} port on 127.0.0.1
 * @param {string} path
 * @returns {Promise<{ status: number, body: any } | null>} null when nothing usable answers within two seconds
 */
function askLocally(port, path) {
  return new Promise((resolve) => {
    const request = http.get({ host: '127.0.0.1', port, path, timeout: 2000, agent: false }, (response) => {
      let text = '';
      response.on('data', (data) => (text += data));
      response.once('error', () => resolve(null));
      response.once('end', () => {
        try {
          resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) });
        } catch {
          resolve(null);
        }
      });
    });
    request.once('timeout', () => request.destroy());
    request.once('error', () => resolve(null));
  });
}

/** @param {import('./project.cjs').Service} service */
async function isReady(service) {
  const answer = await askLocally(service.port, '/readyz');
  return answer?.status === 200 && answer.body?.service === service.name.replaceAll('-', '_');
}

/** @param {number} port @returns {Promise<boolean>} */
function isPortFree(port) {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}

module.exports = { askLocally, isPortFree, isReady };
