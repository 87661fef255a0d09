import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A model server in the OpenAI style that streams one fixed answer without any pause, in twenty pieces. */
export async function instantModelServer(answer: string): Promise<{ url: string; close: () => Promise<void> }> {
  const size = Math.ceil(answer.length / 20);
  const chunk = (delta: object, finish: string | null): string =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }], model: 'instant', object: 'chat.completion.chunk' })}\n\n`;
  const pieces = Array.from({ length: 20 }, (_one, at) => answer.slice(at * size, (at + 1) * size)).filter(
    (one) => one !== '',
  );
  const stream = [
    chunk({ role: 'assistant', content: null }, null),
    ...pieces.map((content) => chunk({ content }, null)),
    chunk({}, 'stop'),
    'data: [DONE]\n\n',
  ];
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      if (request.url === '/health') return response.end('{"status":"ok"}');
      if (request.url === '/v1/models') {
        response.setHeader('content-type', 'application/json');
        return response.end('{"object":"list","data":[{"id":"instant","object":"model","meta":{"n_ctx_train":8192}}]}');
      }
      response.setHeader('content-type', 'text/event-stream');
      for (const piece of stream) response.write(piece);
      return response.end();
    });
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
