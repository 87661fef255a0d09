import path from 'node:path';
import { TurnAnswer } from '@parley/shared/contracts';
import { npcTurnJson, temporaryFolder } from '@parley/shared/testing';
import type { BenchOptions } from './bench-options';
import { benchSetWith } from './bench-set';
import { instantModelServer } from './instant-model-server';
import { beginSession, JsonCaller, timed, WithId } from './json-caller';
import { longLines } from './labelled-talk';
import { measurement, quantile, type Measurement } from './measurement';
import { writeUnsignedPack } from './unsigned-pack';

const LENGTH = 500;
const UNSIGNED = 'unsigned_ask';
const WARM_UP = 300;
/** What signs may add to a turn, in milliseconds. */
const MEDIAN_MS = 1;
const P99_MS = 3;
/** What a line tried again, or one that is coached, may take until its answer is there, in milliseconds. */
const INSTANT_MS = 20;
const AT_MOST = { kind: 'at_most', ratio: 1 } as const;

type Player = (text: string) => Promise<number>;

/** Plays line after line of a scenario, in a new session where the last one ended. @returns how long each turn took */
function playerOf(caller: JsonCaller, url: string, scenario: string): Player {
  let session: string | null = null;
  return async (text) => {
    session ??= await beginSession(caller, url, scenario);
    const begun = performance.now();
    const answer = await caller.post(`${url}/api/sessions/${session}/turn`, { text });
    const took = performance.now() - begun;
    if (TurnAnswer.parse(answer).session.flow_state === 'Ended') session = null;
    return took;
  };
}

/** A talk of three lines that is over, for tries of its second line. */
async function endedTalk(caller: JsonCaller, url: string, lines: readonly string[]): Promise<string> {
  const session = await beginSession(caller, url, 'the_ask');
  for (const text of lines) await caller.post(`${url}/api/sessions/${session}/turn`, { text });
  await caller.post(`${url}/api/sessions/${session}/end`, {});
  return session;
}

async function instants(caller: JsonCaller, url: string, lines: readonly string[], rounds: number) {
  const tries: number[] = [];
  const coached: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const talk = ['Hello Dana.', 'How are things?', 'Well then.'];
    const session = await endedTalk(caller, url, talk);
    for (let at = 0; at < 3; at += 1) {
      const text = lines[(round * 3 + at) % lines.length];
      tries.push(await timed(() => caller.post(`${url}/api/sessions/${session}/moments/4/tries`, { text })));
    }
    const wish = { scenario_id: 'the_ask', difficulty: 'warm', coaching: true };
    const { id } = WithId.parse(await caller.post(`${url}/api/sessions`, wish));
    await caller.post(`${url}/api/sessions/${id}/start`, {});
    for (let at = 0; at < 3; at += 1) {
      const text = lines[(round * 3 + at) % lines.length];
      coached.push(await timed(() => caller.post(`${url}/api/sessions/${id}/coach`, { text })));
    }
  }
  return { tries, coached };
}

/**
 * What judging a line of 500 characters adds to a turn: the same lines to the same scenario with its signs and without any,
 * in turn, in one run. And how long a try and a coached line take, which are answered from the words alone.
 */
export async function judgedTurnsBench({ quick }: BenchOptions): Promise<Measurement[]> {
  const folder = temporaryFolder('bench-unsigned');
  const model = await instantModelServer(npcTurnJson({ npc_utterance: 'I hear you. Go on.' }));
  const set = await benchSetWith(model.url);
  const caller = new JsonCaller();
  try {
    const pack = writeUnsignedPack(path.join(folder.path, UNSIGNED), UNSIGNED);
    await caller.post(`${set.url}/api/packs/import`, { path: pack });
    const lines = longLines(LENGTH);
    const signed = playerOf(caller, set.url, 'the_ask');
    const unsigned = playerOf(caller, set.url, `${UNSIGNED}.the_ask`);
    const withSigns: number[] = [];
    const without: number[] = [];
    const turns = quick ? 300 : 1_500;
    for (let at = 0; at < WARM_UP + turns; at += 1) {
      const text = lines[at % lines.length] ?? '';
      const a = await signed(text);
      const b = await unsigned(text);
      if (at < WARM_UP) continue;
      withSigns.push(a);
      without.push(b);
    }
    const added = (part: number): number => quantile(withSigns, part) - quantile(without, part);
    const { tries, coached } = await instants(caller, set.url, lines, quick ? 20 : 100);
    const name = `a line of ${LENGTH} characters`;
    return [
      measurement(`signs of ${name} add to a turn, median`, 'ms', added(0.5), MEDIAN_MS, AT_MOST),
      measurement(`signs of ${name} add to a turn, p99`, 'ms', added(0.99), P99_MS, AT_MOST),
      measurement(`trying ${name} again, p99`, 'ms', quantile(tries, 0.99), INSTANT_MS, AT_MOST),
      measurement(`coaching ${name}, p99`, 'ms', quantile(coached, 0.99), INSTANT_MS, AT_MOST),
    ];
  } finally {
    await caller.close();
    await set.stop();
    await model.close();
    folder.remove();
  }
}
