import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { streamChat } from '@parley/shared/client';

describe('generating through a gateway', () => {
  let server: Server;
  let url: string;
  let answer: (response: ServerResponse) => void;
  beforeAll(async () => {
    server = createServer((request, response) => {
      request.resume();
      request.on('end', () => answer(response));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  const chat = (quietTimeoutMs: number) =>
    streamChat(url, { messages: [{ role: 'user', content: 'x' }] }, () => undefined, { quietTimeoutMs });
  const final = `${JSON.stringify({ type: 'final', text: 'hi', model_id: 'm', input_tokens: null, output_tokens: null, structured: null })}\n`;

  it('takes interim answers as signs of life: waiting in a queue is no stall', async () => {
    answer = (response) => {
      let told = 0;
      const timer = setInterval(() => {
        if (response.destroyed) return clearInterval(timer);
        response.writeProcessing();
        told += 1;
        if (told < 8) return;
        clearInterval(timer);
        response.writeHead(200, { 'content-type': 'application/x-ndjson' }).end(final);
      }, 100);
    };
    expect(await chat(400)).toMatchObject({ type: 'final', text: 'hi' });
  });

  it('gives up on a gateway that says nothing', async () => {
    answer = () => undefined;
    await expect(chat(200)).rejects.toMatchObject({ code: 'TURN_TIMEOUT', retryable: true });
  });

  it.each([
    [
      'ends without a final item',
      (response: ServerResponse) => response.end('{"type":"token","text":"a"}\n'),
      'RUNTIME_UNAVAILABLE',
    ],
    [
      'breaks off',
      (response: ServerResponse) => response.write('{"type":"token"', () => response.destroy()),
      'RUNTIME_UNAVAILABLE',
    ],
    ['sends something else', (response: ServerResponse) => response.end('<html>\n'), 'RUNTIME_ERROR'],
    ['is loading', (response: ServerResponse) => response.writeHead(503).end('busy'), 'RUNTIME_UNAVAILABLE'],
  ] as const)('says what is wrong with one that %s', async (_what, behave, code) => {
    answer = behave;
    await expect(chat(5_000)).rejects.toMatchObject({ code });
  });
});
