import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';

/**
 * The two servers that the gateway's hop is measured with, each a process of its own: `node hop-servers.js model` streams
 * tokens (the temperature of a request sets their pace), `node hop-servers.js proxy URL` passes a stream on with undici and nothing else. Both
 * print their port.
 */
const [kind, modelUrl] = process.argv.slice(2);

const HEADERS = { 'content-type': 'text/event-stream' };
const event = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const token = event({
  choices: [{ finish_reason: null, index: 0, delta: { content: ' word' } }],
  created: 1795167257,
  id: 'chatcmpl-FgkBE9XF3YFsw1wM4vNfU0E5YFNZnpOk',
  model: 'rig-tiny',
  system_fingerprint: 'b10587-3f545becc',
  object: 'chat.completion.chunk',
});
const end = event({ choices: [{ finish_reason: 'stop', index: 0, delta: {} }] }) + 'data: [DONE]\n\n';

/** Milliseconds between two tokens of a stream that is paced like a model; 0: as fast as they are taken. */
const paceOf = (body: { temperature?: number }): number => body.temperature ?? 0;

/** Writes one token after the other, each a piece of its own, as a model's are. */
function streamTokens(response: ServerResponse, left: number, pace: number): void {
  const next = (): void => streamTokens(response, left - 1, pace);
  if (left === 0) response.end(end);
  else if (!response.write(token)) response.once('drain', next);
  else if (pace > 0) setTimeout(next, pace);
  else setImmediate(next);
}

async function bodyOf(request: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

const model = createServer((request, response) => {
  void bodyOf(request).then((body) => {
    response.writeHead(200, HEADERS);
    const wish = JSON.parse(body) as { max_tokens: number; temperature?: number };
    streamTokens(response, wish.max_tokens, paceOf(wish));
  });
});

const proxy = (url: string): ReturnType<typeof createServer> => {
  const pool = new Pool(url, { headersTimeout: 0, bodyTimeout: 0 });
  return createServer((request, response) => {
    void bodyOf(request).then((body) =>
      pool.stream(
        { method: 'POST', path: '/v1/chat/completions', body, headers: { 'content-type': 'application/json' } },
        () => {
          response.writeHead(200, HEADERS);
          return response;
        },
      ),
    );
  });
};

const server = kind === 'proxy' && modelUrl !== undefined ? proxy(modelUrl) : model;
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
