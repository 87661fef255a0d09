import { setTimeout as sleep } from 'node:timers/promises';
import { npcTurnJson } from '@parley/shared/testing';
import type { BenchOptions } from './bench-options';
import { benchSetWith } from './bench-set';
import { beginSession, JsonCaller, timed } from './json-caller';
import { measurement, quantile, type Measurement } from './measurement';
import { slowPrefillServer } from './slow-prefill-server';

/** How long a player types, in milliseconds: a word, and a sentence. */
const TYPED_MS = [300, 6_000] as const;
/** A whole prompt of the_ask takes about three seconds, as with a small model on a processor without a graphics card. */
const MS_PER_THOUSAND = 400;
/** Never later; timers and the machine differ by a little. */
const NEVER_LATER = { kind: 'at_most', ratio: 1.05 } as const;
const LINES = [
  'I would like to talk about my pay.',
  'The returns fell by a fifth since March.',
  'What could you sign yourself?',
];

/** Plays the lines in a new session. @returns how long each took from being sent to being answered */
async function played(caller: JsonCaller, url: string, typedMs: number, tells: boolean): Promise<number[]> {
  const session = await beginSession(caller, url, 'the_ask');
  const took: number[] = [];
  for (const text of LINES) {
    // Without the call nothing is read ahead but what the start of the talk reads, which both have.
    if (tells) await caller.post(`${url}/api/sessions/${session}/typing`, {});
    await sleep(typedMs);
    took.push(await timed(() => caller.post(`${url}/api/sessions/${session}/turn`, { text })));
  }
  await caller.post(`${url}/api/sessions/${session}/end`, {});
  // The first line is read ahead by the start in both.
  return took.slice(1);
}

/**
 * How soon a line is answered when the page told that the player types, against when it did not: one slot, a slow prefill, in
 * turn, in one run. The model says its answer at once, so that what is measured is the reading of the prompt.
 */
export async function prewarmBench({ quick }: BenchOptions): Promise<Measurement[]> {
  const model = await slowPrefillServer(npcTurnJson({ npc_utterance: 'I hear you. Go on.' }), MS_PER_THOUSAND);
  const set = await benchSetWith(model.url);
  const caller = new JsonCaller();
  try {
    await played(caller, set.url, 0, false);
    const rows: Measurement[] = [];
    for (const typedMs of TYPED_MS) {
      const told: number[] = [];
      const untold: number[] = [];
      for (let round = 0; round < (quick ? 2 : 6); round += 1) {
        told.push(...(await played(caller, set.url, typedMs, true)));
        untold.push(...(await played(caller, set.url, typedMs, false)));
      }
      for (const [name, part] of [
        ['median', 0.5],
        ['slowest', 1],
      ] as const)
        rows.push(
          measurement(
            `answer after typing for ${typedMs} ms, read ahead against not, ${name}`,
            'ms',
            quantile(told, part),
            quantile(untold, part),
            NEVER_LATER,
          ),
        );
    }
    return rows;
  } finally {
    await caller.close();
    await set.stop();
    await model.close();
  }
}
