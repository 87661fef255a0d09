import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem, ROUTES } from '@parley/shared/contracts';
import { silentLogger, startHttpService, type HttpService } from '@parley/shared/service';
import { temporaryFolder, testBaseConfig, waitUntil } from '@parley/shared/testing';
import { forwardTo } from './forward-call';

/** The time limit of a read here; an import gets its multiple. */
const LIMIT_MS = 500;
const ASSET = '/api/packs/the_ask/assets/a.png';
const MEGABYTE = Buffer.alloc(1_000_000, 'x');

interface Reply {
  readonly status: number;
  readonly text: string;
  readonly isWhole: boolean;
}

describe('a call that is passed on', () => {
  let owner: Server;
  let api: HttpService;
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  const folder = temporaryFolder('forward');

  beforeAll(async () => {
    owner = createServer((request, response) => answer(request, response));
    await new Promise<void>((resolve) => owner.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(owner.address() as AddressInfo).port}`;
    const base = testBaseConfig('session_api', { data_dir: folder.path, peer_timeout_ms: LIMIT_MS });
    const config = { ...base, peers: { ...base.peers, pack_service: url, runtime_gateway: url } };
    api = await startHttpService({ config, logger: silentLogger(), routes: ROUTES, forward: forwardTo(config) });
  });
  afterAll(async () => {
    owner.closeAllConnections();
    owner.close();
    await api.close();
    folder.remove();
  });

  /** @param read what to do with the answer before it is read to its end. */
  function call(
    method: string,
    path: string,
    body?: (request: ReturnType<typeof httpRequest>) => void,
    read: (incoming: IncomingMessage) => Promise<void> = () => Promise.resolve(),
  ): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const request = httpRequest(
        {
          host: '127.0.0.1',
          port: api.port,
          method,
          path,
          agent: false,
          headers: { 'content-type': 'application/json' },
        },
        (incoming) => {
          const pieces: Buffer[] = [];
          const settle = (): void =>
            resolve({
              status: incoming.statusCode ?? 0,
              text: Buffer.concat(pieces).toString('latin1'),
              isWhole: incoming.complete,
            });
          incoming.pause();
          incoming.on('data', (piece: Buffer) => pieces.push(piece));
          incoming.on('error', () => undefined).once('close', settle);
          void read(incoming).then(() => incoming.resume());
        },
      );
      request.on('error', reject);
      if (body === undefined) request.end();
      else body(request);
    });
  }

  const isUnavailable = ({ status, text }: Reply, service: string): void => {
    const problem = Problem.parse(JSON.parse(text));
    expect([status, problem.code, problem.details]).toEqual([503, 'SERVICE_UNAVAILABLE', { service }]);
  };

  it.each([
    ['pack_service', 'GET', '/api/scenarios'],
    ['pack_service', 'GET', ASSET],
    ['pack_service', 'DELETE', '/api/packs/the_ask'],
    ['runtime_gateway', 'GET', '/api/sidecar'],
    ['runtime_gateway', 'POST', '/api/sidecar/stop'],
  ])('is given up when %s says nothing to %s %s', async (service, method, path) => {
    answer = () => undefined;
    isUnavailable(await call(method, path), service);
  });

  it('is given up with a problem when the owner stops before the first byte of the body', async () => {
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'image/png', 'content-length': '100', etag: '"a"' });
      response.flushHeaders();
    };
    isUnavailable(await call('GET', ASSET), 'pack_service');
  });

  it('ends without its rest when the owner stops in the middle of the body', async () => {
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'image/png', 'content-length': '100' });
      response.write('begun');
    };
    expect(await call('GET', ASSET)).toEqual({ status: 200, text: 'begun', isWhole: false });
  });

  it('ends without its rest when the owner dies in the middle of the body', async () => {
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'image/png', 'content-length': '100' });
      response.write('begun', () => response.destroy());
    };
    expect(await call('GET', ASSET)).toEqual({ status: 200, text: 'begun', isWhole: false });
  });

  it('comes whole to a caller that takes its time, however long', async () => {
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'image/png' });
      for (let piece = 0; piece < 20; piece += 1) response.write(MEGABYTE);
      response.end();
    };
    const reply = await call('GET', ASSET, undefined, () => sleep(LIMIT_MS * 4));
    expect([reply.text.length, reply.isWhole]).toEqual([20 * MEGABYTE.length, true]);
  });

  it('comes whole from an owner that is slow and never silent for too long', async () => {
    answer = (_request, response) => {
      void (async () => {
        for (let piece = 0; piece < 8; piece += 1) {
          response.write('x');
          await sleep(LIMIT_MS / 4);
        }
        response.end();
      })();
    };
    expect(await call('GET', ASSET)).toEqual({ status: 200, text: 'xxxxxxxx', isWhole: true });
  });

  it('waits for a caller that sends its body slowly: that is no silence of the owner', async () => {
    answer = (request, response) => {
      request.resume().once('end', () => response.end('{}'));
    };
    const reply = await call('POST', '/api/sidecar/stop', (request) => {
      request.setHeader('transfer-encoding', 'chunked');
      request.write('{');
      void sleep(LIMIT_MS * (ROUTES.stopSidecar.patience + 2)).then(() => request.end('}'));
    });
    expect([reply.status, reply.text]).toEqual([200, '{}']);
  });

  it('is given up when the owner takes in nothing of a body', async () => {
    answer = () => undefined;
    isUnavailable(
      await call('POST', '/api/sidecar/stop', (request) => request.end(MEGABYTE.toString().repeat(20))),
      'runtime_gateway',
    );
  });

  it('waits for as long as an import gives signs of life', async () => {
    answer = (request, response) => {
      request.resume();
      void (async () => {
        for (let sign = 0; sign < 5; sign += 1) {
          await sleep((LIMIT_MS * ROUTES.importPack.patience) / 4);
          response.writeProcessing();
        }
        response.writeHead(201).end('{}');
      })();
    };
    expect((await call('POST', '/api/packs/import', (request) => request.end('{"path":"/a"}'))).status).toBe(201);
  });

  it('does not count against the owner when the caller leaves', async () => {
    const counted = async (): Promise<string | undefined> =>
      /parley_errors_total\{code="SERVICE_UNAVAILABLE".*/.exec(await api.metrics.exposition())?.[0];
    const before = await counted();
    let closed = false;
    answer = (_request, response) => {
      response.write('begun');
      response.once('close', () => (closed = true));
    };
    await call('GET', ASSET, undefined, (incoming) => {
      incoming.destroy();
      return Promise.resolve();
    });
    await waitUntil('the owner to hear of it', () => closed);
    await sleep(LIMIT_MS * 1.5);
    expect(await counted()).toBe(before);
  });
});
