import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface NativeModelServer {
  readonly url: string;
  /** Bodies of the chats that arrived. */
  readonly chats: readonly Record<string, unknown>[];
  close(): void;
}

const MODELS = [
  {
    name: 'elsewhere:cloud',
    model: 'elsewhere:cloud',
    remote_host: 'https://models.example',
    remote_model: 'elsewhere',
  },
  { name: 'small:1b', model: 'small:1b', size: 1_300_000_000, digest: 'sha256:a' },
];

/** A stand-in for a server with the native REST API of Ollama, for the local_native provider. */
export async function nativeModelServer(say: (chat: Record<string, unknown>) => string): Promise<NativeModelServer> {
  const chats: Record<string, unknown>[] = [];
  const stream = (response: ServerResponse, text: string): void => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    for (const content of text.match(/[^]{1,9}/gu) ?? [])
      response.write(
        `${JSON.stringify({ model: 'small:1b', message: { role: 'assistant', content }, done: false })}\n`,
      );
    response.end(`${JSON.stringify({ model: 'small:1b', done: true, done_reason: 'stop', eval_count: 9 })}\n`);
  };
  const server = createServer((request, response) => {
    let sent = '';
    request.on('data', (data: Buffer) => (sent += data.toString('utf8')));
    request.on('end', () => {
      if (request.url === '/') return response.end('Ollama is running');
      if (request.url === '/api/tags') return response.end(JSON.stringify({ models: MODELS }));
      if (request.url !== '/api/chat') return response.end('{}');
      const chat = JSON.parse(sent) as Record<string, unknown>;
      chats.push(chat);
      return stream(response, say(chat));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    chats,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
