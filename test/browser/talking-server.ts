import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { npcTurnJson } from '@parley/shared/testing';
import { z } from 'zod';

const Chat = z.record(z.string(), z.unknown());

/** A model server that says one line, a few characters at a time, and keeps the chats that it got. */
export interface TalkingServer {
  readonly url: string;
  readonly chats: Record<string, unknown>[];
  close(): void;
}

const BETWEEN_PIECES_MS = 12;

export async function talkingServer(
  text: string,
  reads: Readonly<Record<string, unknown>>,
  line: (piece: string | null) => string,
): Promise<TalkingServer> {
  const chats: Record<string, unknown>[] = [];
  const stream = async (response: ServerResponse, isTurn: boolean): Promise<void> => {
    const whole = isTurn ? npcTurnJson({ npc_utterance: text }) : 'Good morning, I slept well.';
    for (const piece of whole.match(/[^]{1,6}/gu) ?? []) {
      response.write(line(piece));
      await sleep(BETWEEN_PIECES_MS);
    }
    response.end(line(null));
  };
  const server: Server = createServer((request, response) => {
    let sent = '';
    request.on('data', (data: Buffer) => (sent += data.toString('utf8')));
    request.on('end', () => {
      if (request.method === 'GET') {
        const answer = reads[request.url ?? ''];
        response.statusCode = answer === undefined ? 404 : 200;
        response.end(typeof answer === 'string' ? answer : JSON.stringify(answer ?? {}));
        return;
      }
      const chat = Chat.parse(JSON.parse(sent === '' ? '{}' : sent));
      if (!request.url?.endsWith('/chat') && !request.url?.endsWith('/completions')) return response.end('{}');
      chats.push(chat);
      const isSse = request.url.endsWith('/completions');
      response.writeHead(200, { 'content-type': isSse ? 'text/event-stream' : 'application/x-ndjson' });
      void stream(response, sent.includes('npc_utterance'));
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
