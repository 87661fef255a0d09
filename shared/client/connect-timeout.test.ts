import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent } from 'node:http';
import { peerRequest, readText } from './peer-request';

/** Longer than a connection may take. */
const BUSY_MS = 2_200;

describe('the connect timeout of peerRequest', () => {
  it('does not give up a connection that was made while this process was busy', async () => {
    const server = createServer((_request, response) => response.end('here'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const agent = new Agent();
    try {
      const { port } = server.address() as AddressInfo;
      const answer = peerRequest(`http://127.0.0.1:${port}/`, { method: 'POST', agent });
      answer.catch(() => undefined);
      // The socket is on its way now; the process does nothing else for longer than the timeout.
      await new Promise((resolve) => process.nextTick(resolve));
      const until = performance.now() + BUSY_MS;
      while (performance.now() < until);
      expect(await readText(await answer, 100)).toBe('here');
    } finally {
      agent.destroy();
      server.close();
    }
  });
});
