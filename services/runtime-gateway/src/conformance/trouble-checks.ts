import { waitUntil } from './wait-until';
import type { Check } from './check';
import { demand } from './demand';
import { itemsOf, onlyEnd, type GatewayUnderTest } from './gateway-under-test';
import { askFor, type Behaviour, type ScriptedChat, type ScriptedModel } from './scripted-model';

/** Longest time from a caller's leaving to the end of its generation (docs/gateway/README.md, The contract). */
const CANCEL_MS = 100;
/** What a gateway may hold for a caller that does not read, sockets of the system included. */
const HELD_BYTES = 64 * 1024 * 1024;

const messagesFor = (behaviour: Behaviour): { messages: { role: 'user'; content: string }[] } => ({
  messages: [{ role: 'user', content: askFor(behaviour) }],
});

async function before(gateway: GatewayUnderTest, behaviour: Behaviour, status: number, code: string): Promise<void> {
  const chat = await gateway.chat(messagesFor(behaviour));
  demand(
    chat.status === status && chat.problem?.code === code,
    `answered ${chat.status} ${chat.problem?.code ?? ''} instead of ${status} ${code}`,
  );
}

async function after(gateway: GatewayUnderTest, behaviour: Behaviour, code: string): Promise<void> {
  const { status, items } = await gateway.chat(messagesFor(behaviour));
  demand(status === 200 && items[0]?.type === 'token', `answered ${status} without a token`);
  const end = onlyEnd(items);
  demand(end.type === 'error' && end.code === code, `ended in ${JSON.stringify(end)} instead of an error line ${code}`);
}

const latest = (model: ScriptedModel, behaviour: Behaviour): ScriptedChat | undefined =>
  model.chats.findLast((chat) => chat.behaviour === behaviour);

/** Leaves in the middle of a chat and measures how long its generation goes on. */
async function cancelTime(gateway: GatewayUnderTest, model: ScriptedModel): Promise<number> {
  const leaver = new AbortController();
  const answer = await gateway.openChat(messagesFor('endless'), leaver.signal);
  answer.body.on('error', () => undefined);
  const chat = latest(model, 'endless');
  demand(chat !== undefined && answer.statusCode === 200, 'the chat did not begin');
  const left = performance.now();
  leaver.abort();
  await waitUntil(() => chat.call.closed.aborted, 5_000);
  return performance.now() - left;
}

/** Leaves before the first token and measures how long its generation goes on. */
async function earlyCancelTime(gateway: GatewayUnderTest, model: ScriptedModel): Promise<number> {
  const leaver = new AbortController();
  const before = model.chats.length;
  const answer = gateway.openChat(messagesFor('stall'), leaver.signal).then(
    ({ body }) => void body.on('error', () => undefined),
    () => undefined,
  );
  await waitUntil(() => model.chats.length > before, 5_000);
  const chat = latest(model, 'stall');
  demand(chat !== undefined, 'the chat did not begin');
  const left = performance.now();
  leaver.abort();
  await answer;
  await waitUntil(() => chat.call.closed.aborted, 2_000);
  return performance.now() - left;
}

/** Opens a flood and reads nothing until the server cannot get rid of more. */
async function heldBytes(gateway: GatewayUnderTest, model: ScriptedModel): Promise<number> {
  const leaver = new AbortController();
  const answer = await gateway.openChat(messagesFor('flood'), leaver.signal);
  answer.body.on('error', () => undefined);
  const chat = latest(model, 'flood');
  demand(chat !== undefined, 'the chat did not begin');
  let seen = -1;
  await waitUntil(
    () => {
      const isStill = chat.sentBytes === seen;
      seen = chat.sentBytes;
      return isStill;
    },
    20_000,
    300,
  );
  leaver.abort();
  return seen;
}

/**
 * What a gateway promises when its model server is in trouble. The gateway must be pointed at the scripted server.
 * @param stallSeconds The quiet time that the gateway was started with; null leaves the stalls out.
 */
export function troubleChecks(model: ScriptedModel, stallSeconds: number | null): readonly Check[] {
  const stalls: readonly Check[] = [
    {
      id: 'trouble.stall-before',
      title: `Silence before the first token is 504 TURN_TIMEOUT after ${stallSeconds ?? 0} seconds`,
      run: (gateway) => before(gateway, 'stall', 504, 'TURN_TIMEOUT'),
    },
    {
      id: 'trouble.stall-after',
      title: 'Silence after a token is an error line TURN_TIMEOUT',
      run: (gateway) => after(gateway, 'stall-later', 'TURN_TIMEOUT'),
    },
  ];
  return [
    {
      id: 'trouble.busy',
      title: 'A server that answers 503 is 503 RUNTIME_UNAVAILABLE',
      run: (gateway) => before(gateway, 'busy', 503, 'RUNTIME_UNAVAILABLE'),
    },
    {
      id: 'trouble.error-before',
      title: 'Any other error before the first token is 502 RUNTIME_ERROR',
      run: (gateway) => before(gateway, 'error', 502, 'RUNTIME_ERROR'),
    },
    {
      id: 'trouble.error-after',
      title: 'An error after a token is an error line RUNTIME_ERROR',
      run: (gateway) => after(gateway, 'error-later', 'RUNTIME_ERROR'),
    },
    {
      id: 'trouble.cut',
      title: 'A connection that is lost after a token is an error line RUNTIME_UNAVAILABLE, or a stream without an end',
      run: async (gateway) => {
        const answer = await gateway.openChat(messagesFor('cut'));
        demand(answer.statusCode === 200, `answered ${answer.statusCode} without a token`);
        const pieces: Buffer[] = [];
        try {
          for await (const piece of answer.body as AsyncIterable<Buffer>) pieces.push(piece);
        } catch {
          // A stream that breaks off is one of the two answers that are allowed.
        }
        const text = Buffer.concat(pieces).toString('utf8');
        const items = itemsOf(text.slice(0, text.lastIndexOf('\n') + 1));
        demand(items[0]?.type === 'token', 'the answer does not begin with a token');
        const last = items.at(-1);
        demand(last?.type !== 'final', 'a lost connection was taken for a whole answer');
        demand(last?.type !== 'error' || last.code === 'RUNTIME_UNAVAILABLE', 'the error line has another code');
      },
    },
    {
      id: 'trouble.cancel',
      title: `When the caller goes away the generation is cancelled within ${CANCEL_MS} ms`,
      run: async (gateway) => {
        const times = [];
        for (let round = 0; round < 3; round += 1) times.push(await cancelTime(gateway, model));
        const best = Math.min(...times);
        demand(best <= CANCEL_MS, `it took ${Math.round(best)} ms`);
        return `${Math.round(best)} ms`;
      },
    },
    {
      id: 'trouble.cancel-early',
      title: `The same within ${CANCEL_MS} ms before the first token, while the model reads the prompt`,
      run: async (gateway) => {
        const times = [];
        for (let round = 0; round < 3; round += 1) times.push(await earlyCancelTime(gateway, model));
        const best = Math.min(...times);
        demand(best <= CANCEL_MS, `it took ${Math.round(best)} ms`);
        return `${Math.round(best)} ms`;
      },
    },
    {
      id: 'trouble.back-pressure',
      title: 'A caller that does not read slows the model server',
      run: async (gateway) => {
        const held = await heldBytes(gateway, model);
        demand(held < HELD_BYTES, `${Math.round(held / 1e6)} MB were read for a caller that reads nothing`);
        return `${Math.round(held / 1e5) / 10} MB in between`;
      },
    },
    ...(stallSeconds === null ? [] : stalls),
  ];
}
