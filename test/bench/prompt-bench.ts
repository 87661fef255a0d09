import { npcTurnJson, scriptedGateway, inPieces } from '@parley/shared/testing';
import type { ChatRequest } from '@parley/shared/contracts';
import type { ParleySet } from '../set/parley-set';
import { benchSet } from './bench-set';
import { playthrough, sessionOf, startedSession, say } from '../set/session-play';
import { measurement, type Measurement } from './measurement';

const SCENARIOS = ['the_ask', 'kitchen_rota'] as const;
/** The window holds twelve turns of both: with the seventh of the player the first one leaves it. */
const TURNS_BEFORE_SLIDING = 6;
/** A character of average length, so that prompts grow as they do in play. */
const UTTERANCES = [
  "Fifty-three. All right, you don't creep up on a person. There's a freeze on, so tell me what I am paying for.",
  'Such as? Give me the two that somebody upstairs can look up without asking me.',
  'That figure I can use. Let me write it down before the planners come. And the freight?',
  'I have three percent and seven people. You can do that sum faster than I can.',
];
/** Comes before the first section that may change from turn to turn. */
const END_OF_STATIC_PART = '## 8 MEMORY_SUMMARY';

const bytesOf = (request: ChatRequest): Buffer =>
  Buffer.from(request.messages.map(({ role, content }) => `<${role}>\n${content}\n`).join(''));

function sharedBytes(one: Buffer, other: Buffer): number {
  const end = Math.min(one.length, other.length);
  for (let at = 0; at < end; at += 1) if (one[at] !== other[at]) return at;
  return end;
}

/** The prompts of one play, in their order. */
async function promptsOf(set: ParleySet, requests: ChatRequest[], scenarioId: string): Promise<ChatRequest[]> {
  const { id } = await startedSession(set, scenarioId);
  const before = requests.length;
  for (const line of playthrough(scenarioId, 'passive').slice(0, TURNS_BEFORE_SLIDING + 4)) {
    if ((await sessionOf(set, id)).flow_state !== 'PlayerTurnListening') break;
    const reply = await say(set, id, line);
    if (reply.status !== 200) throw new Error(reply.text);
  }
  return requests.slice(before);
}

/** How much of each prompt a model server knows from the one before, over both built-in scenarios. */
export async function promptBench(): Promise<Measurement[]> {
  const gateway = await scriptedGateway();
  gateway.reply((_request, count) => ({
    kind: 'text',
    pieces: inPieces(npcTurnJson({ npc_utterance: UTTERANCES[count % UTTERANCES.length], state_delta: { trust: 1 } })),
  }));
  const set = await benchSet({ gatewayUrl: gateway.url });
  try {
    const rows: Measurement[] = [];
    for (const scenarioId of SCENARIOS) {
      const prompts = (await promptsOf(set, gateway.requests, scenarioId)).map(bytesOf);
      const staticLength = prompts[0]?.indexOf(END_OF_STATIC_PART) ?? -1;
      if (staticLength <= 0) throw new Error('the prompt has no static part');
      const pairs = prompts
        .slice(1)
        .map((prompt, at) => ({ prompt, shared: sharedBytes(prompt, prompts[at] as Buffer) }));
      const early = pairs.slice(0, TURNS_BEFORE_SLIDING - 1);
      const worst = early.reduce((a, b) => (a.shared / a.prompt.length < b.shared / b.prompt.length ? a : b));
      const least = Math.min(...pairs.map(({ shared }) => Math.min(shared, staticLength)));
      rows.push(
        measurement(
          `prompt of ${scenarioId} shared with the turn before, least of ${early.length} turns before the window slides`,
          'bytes',
          worst.shared,
          worst.prompt.length,
          { kind: 'at_least', ratio: 0.85 },
        ),
        measurement(
          `static part of ${scenarioId} that stays the same over ${prompts.length} turns`,
          'bytes',
          least,
          staticLength,
          { kind: 'at_least', ratio: 1 },
        ),
      );
    }
    return rows;
  } finally {
    await set.stop();
    await gateway.service.close();
  }
}
