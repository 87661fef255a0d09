import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the model server does with one chat request. */
export type ModelAnswer =
  | { readonly kind: 'says'; readonly text: string }
  /** An HTTP error with this body. */
  | { readonly kind: 'fails'; readonly status: number; readonly body: string }
  /** A stream with these lines as they are, then its end. */
  | { readonly kind: 'streams'; readonly lines: readonly string[] };

export interface ModelServer {
  readonly url: string;
  /** Decides what the next requests get; told whether a debrief is asked for. */
  answer(script: (isDebrief: boolean) => ModelAnswer): void;
  close(): void;
}

export const chunkLine = (text: string): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: text } }] })}`;

/** A stand-in for a local model server with an OpenAI-style chat API, for the local_server provider. */
export async function scriptedModelServer(): Promise<ModelServer> {
  let script: (isDebrief: boolean) => ModelAnswer = () => ({ kind: 'says', text: '{}' });
  const server = createServer((request, response) => {
    let sent = '';
    request.on('data', (data: Buffer) => (sent += data.toString('utf8')));
    request.on('end', () => {
      if (request.method === 'GET') {
        response.setHeader('content-type', 'application/json');
        response.end(request.url === '/v1/models' ? '{"data":[{"id":"small"}]}' : '{"status":"ok"}');
        return;
      }
      const answer = script(sent.includes('replay_suggestions'));
      if (answer.kind === 'fails') {
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const pieces = answer.kind === 'says' ? (answer.text.match(/[^]{1,9}/gu) ?? []) : [];
      const lines = answer.kind === 'streams' ? answer.lines : [...pieces.map(chunkLine), 'data: [DONE]'];
      response.end(lines.map((line) => `${line}\n\n`).join(''));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer: (next) => {
      script = next;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
