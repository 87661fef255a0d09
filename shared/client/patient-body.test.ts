import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import { waitUntil } from '@parley/shared/testing';
import { PatientBody, peerRequest } from '@parley/shared/client';

const LIMIT_MS = 200;

describe('a body for passing on', () => {
  let server: Server;
  let write: (response: import('node:http').ServerResponse) => void;
  beforeAll(async () => {
    server = createServer((_request, response) => write(response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  const open = async (): Promise<PatientBody> => {
    const { port } = server.address() as AddressInfo;
    const answer = await peerRequest(`http://127.0.0.1:${port}/`, { method: 'GET' });
    return new PatientBody(answer, LIMIT_MS, (cause) => cause as Error);
  };

  it('stays whole when its last piece is read late', async () => {
    write = (response) => response.end('all of it');
    const body = await open();
    await new Promise((resolve) => body.once('readable', resolve));
    await waitUntil('the end to arrive', () => body.readableLength === 9);
    await sleep(LIMIT_MS * 3);
    expect(await text(body)).toBe('all of it');
  });

  it('fails when the peer is silent while somebody waits', async () => {
    write = (response) => response.write('a part');
    const body = await open();
    await expect(text(body)).rejects.toThrow('no sign of life');
  });

  it('does not fail while nobody reads', async () => {
    let closed = false;
    write = (response) => {
      response.write(Buffer.alloc(100_000));
      response.once('close', () => (closed = true));
    };
    const body = await open();
    await new Promise((resolve) => body.once('readable', resolve));
    await sleep(LIMIT_MS * 3);
    expect([body.destroyed, closed]).toEqual([false, false]);
    body.destroy();
    await waitUntil('the peer to hear of it', () => closed);
  });
});
