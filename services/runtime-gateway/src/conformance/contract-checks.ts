import { request as httpRequest } from 'node:http';
import { CHAT_BODY_LIMIT, RuntimeHealth, RuntimeInfo, RuntimeModels } from '@parley/shared/contracts';
import type { Check } from './check';
import { demand } from './demand';
import { ASK, problemOf, type GatewayUnderTest } from './gateway-under-test';

const SCHEMA = {
  type: 'object',
  properties: {
    npc_utterance: { type: 'string', maxLength: 200 },
    npc_emotion: { type: 'string', enum: ['warm', 'neutral'] },
  },
  required: ['npc_utterance', 'npc_emotion'],
  additionalProperties: false,
};
const SCHEMA_CHATS = 5;
const OBEDIENCE = 0.9;
const PARALLEL = 8;

async function refuses(
  gateway: GatewayUnderTest,
  status: number,
  code: string,
  call: Parameters<GatewayUnderTest['call']>,
): Promise<void> {
  const answer = await gateway.call(...call);
  demand(answer.status === status, `answered ${answer.status} instead of ${status}`);
  const problem = problemOf(answer.text, answer.contentType);
  demand(problem.code === code && problem.status === status, `answered ${problem.code} instead of ${code}`);
}

const post = (body: unknown): Parameters<GatewayUnderTest['call']> => ['POST', '/runtime/chat', JSON.stringify(body)];

/** Sends a request whose Host header is another site's, as a rebound DNS name would. */
function statusForHost(url: string, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(`${url}/runtime`, { headers: { host }, agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    sent.once('error', reject);
    sent.end();
  });
}

/** What structured has to hold for a text: the object that it is, else null. */
function objectIn(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** What any gateway promises (docs/gateway/README.md, The contract), seen from outside alone. */
export const CONTRACT_CHECKS: readonly Check[] = [
  {
    id: 'runtime.shape',
    title: 'GET /runtime says what the runtime is and can do',
    run: async (gateway) => {
      const info = RuntimeInfo.safeParse(await gateway.json('/runtime'));
      demand(info.success, `the answer does not match: ${info.error?.message ?? ''}`);
      demand(info.data.capabilities.streaming, 'a runtime that cannot stream cannot be played with');
      return info.data.id;
    },
  },
  {
    id: 'health.shape',
    title: 'GET /runtime/health is a health report with a time of today',
    run: async (gateway) => {
      const health = RuntimeHealth.safeParse(await gateway.json('/runtime/health'));
      demand(health.success, `the answer does not match: ${health.error?.message ?? ''}`);
      demand(Math.abs(Date.now() - Date.parse(health.data.checked_at)) < 86_400_000, 'checked_at is not of today');
      demand(
        health.data.status === 'READY' || health.data.message !== null,
        'a status other than READY needs a message',
      );
      return health.data.status;
    },
  },
  {
    id: 'health.honest',
    title: 'READY means that the last chat succeeded, anything else that it failed',
    run: async (gateway) => {
      // The chat comes first: no probe can tell that chats are refused before one was.
      const chat = await gateway.chat();
      const { status } = RuntimeHealth.parse(await gateway.json('/runtime/health'));
      const succeeded = chat.items.at(-1)?.type === 'final';
      demand(
        (status === 'READY') === succeeded,
        `health says ${status}, and the last chat ${succeeded ? 'succeeded' : 'failed'}`,
      );
    },
  },
  {
    id: 'models.shape',
    title: 'GET /runtime/models lists models with ids that differ',
    run: async (gateway) => {
      const models = RuntimeModels.safeParse(await gateway.json('/runtime/models'));
      demand(models.success, `the answer does not match: ${models.error?.message ?? ''}`);
      const ids = models.data.models.map((model) => model.id);
      demand(new Set(ids).size === ids.length, 'two models have one id');
      return `${ids.length} models`;
    },
  },
  {
    id: 'chat.order',
    title: 'A chat is lines of JSON: tokens, then exactly one final',
    run: async (gateway) => {
      const { tokens } = await gateway.finishedChat();
      return `${tokens} tokens`;
    },
  },
  {
    id: 'chat.final-text',
    title: 'final.text is the whole text: the tokens joined',
    run: async (gateway) => {
      const { joined, final } = await gateway.finishedChat();
      demand(joined === final.text, 'the tokens joined are another text than final.text');
    },
  },
  {
    id: 'chat.final-model',
    title: 'The final names the model that answered',
    run: async (gateway) => {
      const { final } = await gateway.finishedChat({ model_id: null });
      demand(final.model_id !== '', 'model_id is empty');
      return final.model_id;
    },
  },
  {
    id: 'chat.cue',
    title: "A chat with the author's line for the demo voice is answered like any other",
    run: async (gateway) => {
      const { final } = await gateway.finishedChat({ cue: { text: 'Good morning.', emotion: null } });
      demand(final.text !== '', 'the answer is empty');
    },
  },
  {
    id: 'chat.structured',
    title: 'structured is null without a schema, and with one what the text parses to or null',
    run: async (gateway) => {
      const plain = await gateway.finishedChat();
      demand(plain.final.structured === null, 'structured is set although no schema was given');
      const { final } = await gateway.finishedChat({ json_schema: SCHEMA });
      demand(
        JSON.stringify(final.structured) === JSON.stringify(objectIn(final.text)),
        'structured is not what the text says',
      );
    },
  },
  {
    id: 'chat.schema-obedience',
    title: 'A runtime that claims json_schema obeys it in nine chats of ten',
    run: async (gateway) => {
      const { capabilities } = RuntimeInfo.parse(await gateway.json('/runtime'));
      let obeyed = 0;
      for (let chat = 0; chat < SCHEMA_CHATS; chat += 1) {
        const { final } = await gateway.finishedChat({ json_schema: SCHEMA });
        const { npc_utterance: utterance, npc_emotion: emotion } = final.structured ?? {};
        if (typeof utterance === 'string' && typeof emotion === 'string' && ['warm', 'neutral'].includes(emotion))
          obeyed += 1;
      }
      const rate = obeyed / SCHEMA_CHATS;
      demand(
        !capabilities.json_schema || rate >= OBEDIENCE,
        `only ${obeyed} of ${SCHEMA_CHATS} answers follow the schema`,
      );
      return `${Math.round(rate * 100)} percent`;
    },
  },
  {
    id: 'chat.concurrency',
    title: `${PARALLEL} chats at once each get an answer of their own`,
    run: async (gateway) => {
      const chats = await Promise.all(
        Array.from({ length: PARALLEL }, (_unused, at) =>
          gateway.finishedChat({ messages: [{ role: 'user', content: `Say the number ${at} in a sentence.` }] }),
        ),
      );
      for (const { joined, final } of chats) demand(joined === final.text, 'the tokens of two chats are mixed up');
    },
  },
  {
    id: 'chat.cancel',
    title: 'A caller that goes away leaves a gateway that goes on answering',
    run: async (gateway) => {
      for (let caller = 0; caller < PARALLEL; caller += 1) {
        const leaver = new AbortController();
        // Gone before it was sent, a request would never reach the gateway: leave in the middle of its answer.
        const answer = await gateway.openChat({}, leaver.signal);
        answer.body.on('error', () => undefined);
        leaver.abort();
      }
      await gateway.finishedChat();
    },
  },
  {
    id: 'errors.validation',
    title: 'A request that does not match is 400 VALIDATION_ERROR as a problem document',
    run: async (gateway) => {
      await refuses(gateway, 400, 'VALIDATION_ERROR', post({ messages: [] }));
      await refuses(gateway, 400, 'VALIDATION_ERROR', post({ ...ASK, max_tokens: 0 }));
      await refuses(gateway, 400, 'VALIDATION_ERROR', post({ ...ASK, something_else: true }));
    },
  },
  {
    id: 'errors.body',
    title: 'A body that is no JSON, of another type or over 1 MiB is 400, 415 or 413',
    run: async (gateway) => {
      await refuses(gateway, 400, 'BAD_JSON', ['POST', '/runtime/chat', '{"messages": [']);
      await refuses(gateway, 415, 'UNSUPPORTED_MEDIA_TYPE', [
        'POST',
        '/runtime/chat',
        'x',
        { 'content-type': 'text/plain' },
      ]);
      const content = 'x'.repeat(CHAT_BODY_LIMIT);
      await refuses(gateway, 413, 'PAYLOAD_TOO_LARGE', post({ messages: [{ role: 'user', content }] }));
    },
  },
  {
    id: 'errors.routes',
    title: 'A path or method that does not exist is 404 or 405 as a problem document',
    run: async (gateway) => {
      await refuses(gateway, 404, 'NOT_FOUND', ['GET', '/runtime/nothing-of-the-kind']);
      await refuses(gateway, 405, 'METHOD_NOT_ALLOWED', ['GET', '/runtime/chat']);
    },
  },
  {
    id: 'request-id',
    title: 'X-Request-Id is taken over from the request',
    run: async (gateway) => {
      const { headers } = await gateway.call('GET', '/runtime', undefined, { 'x-request-id': 'conformance-1' });
      demand(headers['x-request-id'] === 'conformance-1', `answered ${String(headers['x-request-id'])}`);
    },
  },
  {
    id: 'host',
    title: 'A Host header of another site is refused with 403',
    run: async (gateway) => {
      const status = await statusForHost(gateway.url, `evil.example:${new URL(gateway.url).port}`);
      demand(status === 403, `answered ${status}`);
    },
  },
];
