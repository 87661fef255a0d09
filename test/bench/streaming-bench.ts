import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { socketPath, type ChatItem } from '@parley/shared/contracts';
import { npcTurnJson } from '@parley/shared/testing';
import type { ParleySet } from '../set/parley-set';
import { benchSet, benchSetWith } from './bench-set';
import { beginSession, JsonCaller } from './json-caller';
import { measurement, quantile, type Measurement } from './measurement';

const WARM_UP = 30;
const TURNS = 150;
const TURNS_PER_SESSION = 12;
/** What the way to the page may take, in milliseconds: from the gateway, and from the model server through the gateway. */
const MOST_MS = { gateway: 5, model: 3 } as const;
/** A pause as between two tokens of a quick model: the character must not be carried along by what follows it. */
const PAUSE_MS = 4;

const UTTERANCE = 'Well, go on.';
const ANSWER = npcTurnJson({ npc_utterance: UTTERANCE });
const BEFORE = ANSWER.slice(0, ANSWER.indexOf(UTTERANCE));
/** The first piece that is shown: a sentence is held back until its second word is whole. */
const FIRST = 'Well, go ';
const AFTER = ANSWER.slice(BEFORE.length + FIRST.length);

/** How a source of tokens speaks: as a gateway of the chat contract, or as a model server in the OpenAI style. */
interface Speech {
  readonly contentType: string;
  token(text: string): string;
  readonly end: string;
}

const GATEWAY_SPEECH: Speech = {
  contentType: 'application/x-ndjson',
  token: (text) => `${JSON.stringify({ type: 'token', text } satisfies ChatItem)}\n`,
  end: `${JSON.stringify({
    type: 'final',
    text: ANSWER,
    model_id: 'timed',
    input_tokens: 1,
    output_tokens: 1,
    structured: null,
  } satisfies ChatItem)}\n`,
};

const event = (delta: object, finish: string | null): string =>
  `data: ${JSON.stringify({ object: 'chat.completion.chunk', model: 'timed', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

const MODEL_SPEECH: Speech = {
  contentType: 'text/event-stream',
  token: (content) => event({ content }, null),
  end: `${event({}, 'stop')}data: [DONE]\n\n`,
};

interface TimedSource {
  readonly url: string;
  /** When the first piece of the last utterance that is shown was written. */
  writtenAt(): number;
  close(): void;
}

/** A server that notes when it writes the first piece of the utterance that is shown. */
async function timedSource(speech: Speech): Promise<TimedSource> {
  let writtenAt = Number.NaN;
  const answerChat = async (response: ServerResponse): Promise<void> => {
    response.writeHead(200, { 'content-type': speech.contentType });
    response.write(speech.token(BEFORE));
    await sleep(PAUSE_MS);
    writtenAt = performance.now();
    response.write(speech.token(FIRST));
    await sleep(PAUSE_MS);
    response.end(speech.token(AFTER) + speech.end);
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

/** Milliseconds from the first character of each utterance at its source to the browser's socket, both seen in this process. */
async function delays(source: TimedSource, set: ParleySet): Promise<number[]> {
  const caller = new JsonCaller();
  let socket: WebSocket | undefined;
  try {
    const measured: number[] = [];
    let id = '';
    for (let at = 0; at < WARM_UP + TURNS; at += 1) {
      if (at % TURNS_PER_SESSION === 0 || socket === undefined) {
        socket?.close();
        id = await beginSession(caller, set.url, 'the_ask');
        socket = await openSocket(set.url, id);
      }
      const arrived = firstToken(socket);
      const turn = caller.post(`${set.url}/api/sessions/${id}/turn`, { text: 'What would help you to say yes?' });
      const delay = (await arrived) - source.writtenAt();
      await turn;
      if (at >= WARM_UP) measured.push(delay);
    }
    return measured;
  } finally {
    socket?.close();
    await caller.close();
  }
}

async function measured(
  from: keyof typeof MOST_MS,
  speech: Speech,
  start: (url: string) => Promise<ParleySet>,
): Promise<Measurement[]> {
  const source = await timedSource(speech);
  const set = await start(source.url);
  try {
    const all = await delays(source, set);
    const row = (part: number, name: string, goal?: Measurement['goal']): Measurement =>
      measurement(
        `first character from the ${from} to the socket, ${name}`,
        'ms',
        quantile(all, part),
        MOST_MS[from],
        goal,
      );
    return [row(0.5, 'median', { kind: 'at_most', ratio: 1 }), row(0.95, 'p95')];
  } finally {
    await set.stop();
    source.close();
  }
}

/** From the first character of the utterance to the browser's socket: from the gateway, and from the model server. */
export const streamingBench = async (): Promise<Measurement[]> => [
  ...(await measured('gateway', GATEWAY_SPEECH, (gatewayUrl) => benchSet({ gatewayUrl }))),
  ...(await measured('model', MODEL_SPEECH, benchSetWith)),
];
