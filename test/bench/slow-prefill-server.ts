import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

/** Characters that are read at once; between two pieces it is seen whether the caller has left. */
const PIECE = 256;

const Chat = z.object({
  messages: z.array(z.object({ role: z.string(), content: z.string() })),
  max_tokens: z.int().nullish(),
});

export interface SlowPrefillServer {
  readonly url: string;
  close(): Promise<void>;
}

const sharedLength = (one: string, other: string): number => {
  const end = Math.min(one.length, other.length);
  for (let at = 0; at < end; at += 1) if (one.charAt(at) !== other.charAt(at)) return at;
  return end;
};

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of request.setEncoding('utf8')) text += String(piece);
  return text;
}

/**
 * A model server with one slot in the OpenAI style, on which reading a prompt is what takes time: so many milliseconds for each
 * thousand characters that differ from what its cache holds. Calls wait for each other; one whose caller leaves stops, and
 * what was read of it stays in the cache.
 * @param answer streamed at once when the prompt is read
 */
export async function slowPrefillServer(answer: string, msPerThousand: number): Promise<SlowPrefillServer> {
  let cached = '';
  let before: Promise<void> = Promise.resolve();
  const event = (delta: object, finish: string | null): string =>
    `data: ${JSON.stringify({ object: 'chat.completion.chunk', model: 'slow', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

  const read = async (prompt: string, hasLeft: () => boolean): Promise<void> => {
    let at = sharedLength(cached, prompt);
    while (at < prompt.length && !hasLeft()) {
      const next = Math.min(prompt.length, at + PIECE);
      await sleep(((next - at) / 1_000) * msPerThousand);
      at = next;
      cached = prompt.slice(0, at);
    }
  };
  const chat = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { messages, max_tokens: most } = Chat.parse(JSON.parse(await bodyOf(request)));
    const prompt = messages.map(({ role, content }) => `<${role}>${content}`).join('');
    const hasLeft = (): boolean => response.destroyed;
    const turn = before.then(() => read(prompt, hasLeft));
    before = turn;
    await turn;
    if (hasLeft()) return;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (most !== 0) response.write(event({ content: answer }, null));
    response.end(`${event({}, 'stop')}data: [DONE]\n\n`);
  };
  const server = createServer((request, response) => {
    if (request.method === 'POST') return void chat(request, response);
    request.resume();
    if (request.url === '/health') return void response.end('{"status":"ok"}');
    if (request.url !== '/v1/models') return void response.writeHead(404).end();
    response.setHeader('content-type', 'application/json');
    return void response.end('{"object":"list","data":[{"id":"slow","object":"model","meta":{"n_ctx_train":8192}}]}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
