import dns from 'node:dns';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { Agent } from 'node:http';
import { freePorts, waitUntil } from '@parley/shared/testing';
import { carryInternalKey, discardBody, peerRequest, readText } from './peer-request';

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

describe('a request to another process', () => {
  const servers: Server[] = [];
  let agent: Agent;

  const serve = async (handle: Handle): Promise<{ url: string; server: Server; connections: () => number }> => {
    let count = 0;
    const server = createServer(handle);
    server.on('connection', () => {
      count += 1;
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    servers.push(server);
    return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, connections: () => count };
  };

  beforeEach(() => {
    agent = new Agent({ keepAlive: true });
  });

  afterEach(async () => {
    agent.destroy();
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it('carries the key of the set once there is one', async () => {
    const { url } = await serve((request, response) => response.end(String(request.headers['x-parley-internal-key'])));
    const key = async (): Promise<string> => readText(await peerRequest(url, { method: 'GET', agent }), 1000);
    expect(await key()).toBe('undefined');
    carryInternalKey('the key');
    try {
      expect(await key()).toBe('the key');
    } finally {
      carryInternalKey(null);
    }
    expect(await key()).toBe('undefined');
  });

  it('sends a text with its length and answers status, headers and body', async () => {
    const { url } = await serve((request, response) => {
      void (async () => {
        response.setHeader('x-length', String(request.headers['content-length']));
        response.statusCode = 202;
        response.end(await readText(request, 1000));
      })();
    });
    const answer = await peerRequest(url, { method: 'POST', body: 'häßlich', agent });
    expect(answer.statusCode).toBe(202);
    expect(answer.headers['x-length']).toBe('9');
    expect(await readText(answer, 1000)).toBe('häßlich');
  });

  it('sends the name and password that stand in the address, as a gateway of the user may want them', async () => {
    let given: string | undefined;
    const { url } = await serve((request, response) => {
      given = request.headers.authorization;
      response.end('ok');
    });
    await readText(await peerRequest(url.replace('//', '//me:se%20cret@'), { method: 'GET', agent }), 10);
    expect(given).toBe(`Basic ${Buffer.from('me:se cret').toString('base64')}`);
  });

  it('uses one connection for calls that follow each other', async () => {
    const { url, connections } = await serve((_request, response) => response.end('ok'));
    for (let at = 0; at < 5; at += 1) await readText(await peerRequest(url, { method: 'GET', agent }), 10);
    expect(connections()).toBe(1);
  });

  it('keeps the connection of an answer whose rest is left', async () => {
    const { url, connections } = await serve((_request, response) => {
      response.write('one');
      setTimeout(() => response.end('two'), 20);
    });
    for (let at = 0; at < 3; at += 1) {
      const answer = await peerRequest(url, { method: 'GET', agent });
      discardBody(answer);
      await once(answer, 'close');
    }
    expect(connections()).toBe(1);
  });

  it('holds on to nothing of an answer that has no rest', async () => {
    const { url } = await serve((_request, response) => void response.end('one'));
    const answer = await peerRequest(url, { method: 'GET', agent });
    await readText(answer, 10);
    await waitUntil('the answer to close', () => answer.closed);
    const timers = jest.spyOn(globalThis, 'setTimeout');
    discardBody(answer);
    expect(timers).not.toHaveBeenCalled();
    timers.mockRestore();
  });

  it('gives up an answer whose rest never ends', async () => {
    let gone = false;
    const { url } = await serve((_request, response) => {
      response.write('one');
      response.once('close', () => {
        gone = true;
      });
    });
    discardBody(await peerRequest(url, { method: 'GET', agent }));
    await waitUntil('the connection to be closed', () => gone);
    expect(gone).toBe(true);
  });

  it('closes the connection at once when the signal aborts before the answer', async () => {
    let gone = false;
    const { url } = await serve((request) => {
      request.socket.once('close', () => {
        gone = true;
      });
    });
    const abort = new AbortController();
    const reason = new Error('the player left');
    const asked = peerRequest(url, { method: 'POST', body: '{}', signal: abort.signal, agent });
    const refused = expect(asked).rejects.toBe(reason);
    setTimeout(() => abort.abort(reason), 20);
    await refused;
    await waitUntil('the connection to be closed', () => gone);
  });

  it('breaks the body and closes the connection when the signal aborts while the answer comes', async () => {
    let gone = false;
    const { url } = await serve((_request, response) => {
      response.write('first');
      response.once('close', () => {
        gone = true;
      });
    });
    const abort = new AbortController();
    const answer = await peerRequest(url, { method: 'GET', signal: abort.signal, agent });
    const read = expect(readText(answer, 1000)).rejects.toThrow();
    abort.abort();
    await read;
    await waitUntil('the connection to be closed', () => gone);
  });

  it('does not ask at all with a signal that has aborted', async () => {
    const { url, connections } = await serve((_request, response) => response.end());
    await expect(peerRequest(url, { method: 'GET', signal: AbortSignal.abort(), agent })).rejects.toThrow();
    expect(connections()).toBe(0);
  });

  it('asks again when a kept connection was closed by the peer at the same moment, for reads only', async () => {
    let dropNext = false;
    const { url } = await serve((request, response) => {
      if (!dropNext) return void response.end('ok');
      dropNext = false;
      request.socket.resetAndDestroy();
    });
    await readText(await peerRequest(url, { method: 'GET', agent }), 10);
    dropNext = true;
    expect(await readText(await peerRequest(url, { method: 'GET', agent }), 10)).toBe('ok');
    dropNext = true;
    await expect(peerRequest(url, { method: 'POST', body: '{}', agent })).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('asks again on a new connection when the peer dies before its answer, once and for reads only', async () => {
    let asked = 0;
    let isDead = (_request: IncomingMessage): boolean => false;
    const { server, url } = await serve((request, response) => {
      asked += 1;
      if (isDead(request)) request.socket.resetAndDestroy();
      else setTimeout(() => response.end('ok'), 20);
    });
    const ask = async (method: string): Promise<string> => readText(await peerRequest(url, { method, agent }), 10);
    const kept = new Set<Socket>();
    server.on('connection', (socket) => kept.add(socket));
    const keepFour = (): Promise<string[]> => Promise.all([1, 2, 3, 4].map(() => ask('GET')));
    await keepFour();
    expect(kept.size).toBe(4);
    const old = new Set(kept);
    isDead = ({ socket }) => old.has(socket);
    asked = 0;
    expect([await ask('GET'), asked]).toEqual(['ok', 2]);
    isDead = () => true;
    asked = 0;
    await expect(ask('GET')).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(asked).toBe(2);
    await expect(ask('POST')).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(asked).toBe(3);
  });

  describe('to a name with several addresses', () => {
    // Nobody listens at the second; where it is no address of this machine, it cannot be reached either.
    const [HERE, NOWHERE] = ['127.0.0.1', '127.0.0.2'];
    type Found = (error: null, addresses: dns.LookupAddress[]) => void;
    let answers: string[][] = [];
    let lookup: jest.SpyInstance | undefined;
    afterEach(() => lookup?.mockRestore());
    /** A server's address by a name. What looks it up is answered by one row of addresses after the other. */
    const named = async (): Promise<string> => {
      const { url } = await serve((_request, response) => response.end('ok'));
      const answer = (_name: string, _options: object, found: Found): void =>
        found(
          null,
          (answers.shift() ?? []).map((address) => ({ address, family: 4 })),
        );
      lookup = jest.spyOn(dns, 'lookup').mockImplementation(answer as never);
      return url.replace(HERE, 'packs.test');
    };

    it('goes to the next one when nobody listens at the first', async () => {
      answers = [[NOWHERE, HERE]];
      expect(await readText(await peerRequest(await named(), { method: 'POST', body: '{}', agent }), 10)).toBe('ok');
    });

    it('looks the name up once more when nobody listens at any, for reads only', async () => {
      const url = await named();
      answers = [[NOWHERE], [HERE], [NOWHERE]];
      expect(await readText(await peerRequest(url, { method: 'GET', agent }), 10)).toBe('ok');
      await expect(peerRequest(url, { method: 'POST', body: '{}', agent })).rejects.toThrow();
      expect(answers).toEqual([]);
    });
  });

  it('says what the transport said when nobody listens', async () => {
    const [port] = await freePorts(1);
    await expect(peerRequest(`http://127.0.0.1:${port}`, { method: 'GET', agent })).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    });
  });

  it('fails when the peer changes to another protocol instead of answering', async () => {
    const { url, server } = await serve(() => undefined);
    server.on('connection', (socket) =>
      socket.once('data', () =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\nbytes'),
      ),
    );
    await expect(peerRequest(url, { method: 'GET', agent })).rejects.toThrow('before its answer');
  });

  it('passes a stream on and leaves it alone when the peer cannot be reached', async () => {
    const { url } = await serve((request, response) => {
      request.pipe(response);
    });
    const sent = Readable.from([Buffer.from('a'), Buffer.from('b')]);
    expect(await readText(await peerRequest(url, { method: 'POST', body: sent, agent }), 10)).toBe('ab');
    const [port] = await freePorts(1);
    const kept = new Readable({ read: () => undefined });
    kept.push('a');
    await expect(peerRequest(`http://127.0.0.1:${port}`, { method: 'POST', body: kept, agent })).rejects.toThrow();
    expect(kept.destroyed).toBe(false);
    kept.destroy();
  });

  it('reads no faster than its caller: the peer is slowed down', async () => {
    const pieces = 400;
    let written = 0;
    const { url } = await serve((_request, response) => {
      const write = (): void => {
        while (written < pieces) {
          written += 1;
          if (!response.write(Buffer.alloc(65_536))) return void response.once('drain', write);
        }
        response.end();
      };
      write();
    });
    const answer = await peerRequest(url, { method: 'GET', agent });
    await waitUntil('the buffers to fill', async () => {
      const before = written;
      await new Promise((resolve) => setTimeout(resolve, 50));
      return written === before;
    });
    expect(written).toBeLessThan(pieces);
    expect((await readText(answer, 100_000_000)).length).toBe(pieces * 65_536);
  });

  it('refuses to hold an answer that is larger than its bound', async () => {
    const { url } = await serve((_request, response) => response.end('x'.repeat(100)));
    await expect(readText(await peerRequest(url, { method: 'GET', agent }), 99)).rejects.toThrow(RangeError);
  });

  it('leaves no socket to a peer that went away', async () => {
    const { url, server } = await serve((_request, response) => response.end('ok'));
    await readText(await peerRequest(url, { method: 'GET', agent }), 10);
    server.closeAllConnections();
    await waitUntil('the socket to leave the pool', () => Object.keys(agent.freeSockets).length === 0);
    const probe = connect((server.address() as AddressInfo).port, '127.0.0.1');
    await once(probe, 'connect');
    probe.destroy();
    expect(await readText(await peerRequest(url, { method: 'GET', agent }), 10)).toBe('ok');
  });
});
