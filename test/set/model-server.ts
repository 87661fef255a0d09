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
  /** Decides what the next requests get; told whether a debrief is asked for, and the request as it came. */
  answer(script: (isDebrief: boolean, request: string) => ModelAnswer): void;
  /** The list of models, from now on. */
  lists(models: Record<string, unknown>): void;
  close(): void;
}

export const chunkLine = (text: string): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: text } }] })}`;

/** A stand-in for a local model server with an OpenAI-style chat API, for the local_server provider. */
export async function scriptedModelServer(): Promise<ModelServer> {
  let script: Parameters<ModelServer['answer']>[0] = () => ({ kind: 'says', text: '{}' });
  let models: Record<string, unknown> = { data: [{ id: 'small' }] };
  const server = createServer((request, response) => {
    let sent = '';
    request.on('data', (data: Buffer) => (sent += data.toString('utf8')));
    request.on('end', () => {
      if (request.method === 'GET') {
        const known = { '/health': { status: 'ok' }, '/v1/models': models }[request.url ?? ''];
        response.writeHead(known === undefined ? 404 : 200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(known ?? {}));
        return;
      }
      const isKnown = request.url === '/v1/chat/completions';
      const answer: ModelAnswer = isKnown
        ? script(sent.includes('replay_suggestions'), sent)
        : { kind: 'fails', status: 404, body: '{"error":{"code":404,"message":"File Not Found"}}' };
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
    lists: (next) => {
      models = next;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
