import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { socketPath, type ChatItem } from '@parley/shared/contracts';
import { npcTurnJson } from '@parley/shared/testing';
import { benchSet } from './bench-set';
import { beginSession, JsonCaller } from './json-caller';
import { measurement, quantile, type Measurement } from './measurement';

const WARM_UP = 30;
const TURNS = 150;
const TURNS_PER_SESSION = 12;
/** What the way from the gateway to the page may take, in milliseconds. */
const MOST_MS = 5;
/** A pause as between two tokens of a quick model: the character must not be carried along by what follows it. */
const PAUSE_MS = 4;

const UTTERANCE = 'Well, go on.';
const ANSWER = npcTurnJson({ npc_utterance: UTTERANCE });
const BEFORE = ANSWER.slice(0, ANSWER.indexOf(UTTERANCE));
const FIRST = UTTERANCE.slice(0, 1);
const AFTER = ANSWER.slice(BEFORE.length + FIRST.length);

interface TimedGateway {
  readonly url: string;
  /** When the first character of the last utterance was written. */
  writtenAt(): number;
  close(): void;
}

/** A gateway of the chat contract that notes when it writes the first character of the utterance. */
async function timedGateway(): Promise<TimedGateway> {
  let writtenAt = Number.NaN;
  const answerChat = async (response: ServerResponse): Promise<void> => {
    const write = (item: ChatItem): boolean => response.write(`${JSON.stringify(item)}\n`);
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    write({ type: 'token', text: BEFORE });
    await sleep(PAUSE_MS);
    writtenAt = performance.now();
    write({ type: 'token', text: FIRST });
    await sleep(PAUSE_MS);
    write({ type: 'token', text: AFTER });
    write({ type: 'final', text: ANSWER, model_id: 'timed', input_tokens: 1, output_tokens: 1, structured: null });
    response.end();
  };
  const server = createServer((request, response) => {
    request.resume();
    request.once('end', () => {
      if (request.method === 'POST') void answerChat(response);
      else response.writeHead(404).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    writtenAt: () => writtenAt,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Resolves with the moment at which the first piece of the next utterance arrives. */
const firstToken = (socket: WebSocket): Promise<number> =>
  new Promise((resolve) => {
    const onMessage = (data: Buffer): void => {
      const at = performance.now();
      if ((JSON.parse(data.toString()) as { type: string }).type !== 'npc.token') return;
      socket.off('message', onMessage);
      resolve(at);
    };
    socket.on('message', onMessage);
  });

async function openSocket(apiUrl: string, sessionId: string): Promise<WebSocket> {
  const socket = new WebSocket(`${apiUrl.replace(/^http/, 'ws')}${socketPath(sessionId)}`);
  await new Promise((resolve, reject) => {
    socket.once('message', resolve); // the welcome: from now on it gets everything
    socket.once('error', reject);
  });
  return socket;
}

/** From the first character of the utterance in the gateway to the browser's socket, both seen in this process. */
export async function streamingBench(): Promise<Measurement[]> {
  const gateway = await timedGateway();
  const set = await benchSet({ gatewayUrl: gateway.url });
  const caller = new JsonCaller();
  let socket: WebSocket | undefined;
  try {
    const delays: number[] = [];
    let id = '';
    for (let at = 0; at < WARM_UP + TURNS; at += 1) {
      if (at % TURNS_PER_SESSION === 0 || socket === undefined) {
        socket?.close();
        id = await beginSession(caller, set.url, 'the_ask');
        socket = await openSocket(set.url, id);
      }
      const arrived = firstToken(socket);
      const turn = caller.post(`${set.url}/api/sessions/${id}/turn`, { text: 'What would help you to say yes?' });
      const delay = (await arrived) - gateway.writtenAt();
      await turn;
      if (at >= WARM_UP) delays.push(delay);
    }
    return [
      measurement('first character from the gateway to the socket, median', 'ms', quantile(delays, 0.5), MOST_MS, {
        kind: 'at_most',
        ratio: 1,
      }),
      measurement('first character from the gateway to the socket, p95', 'ms', quantile(delays, 0.95), MOST_MS),
    ];
  } finally {
    socket?.close();
    await caller.close();
    await set.stop();
    gateway.close();
  }
}
