import { npcTurnJson, temporaryFolder } from '@parley/shared/testing';
import { benchSetWith } from './bench-set';
import { bareTurnServer } from './bare-turn-server';
import { instantModelServer } from './instant-model-server';
import { beginSession, JsonCaller, timed, WithId } from './json-caller';
import { measurement, quantile, type Measurement } from './measurement';

/** Code is compiled by use; what a player waits for on the second day is what counts. */
const WARM_UP = 600;
const TURNS = 600;
/** Turns played in one session before the next one begins: the_ask has room for fourteen. */
const TURNS_PER_SESSION = 12;

/**
 * POST turn through the whole set, with a model server that answers at once, against a bare server that does the same
 * durable transaction: one caller, A and B in turn, in one run.
 */
export async function turnBench(): Promise<Measurement[]> {
  const folder = temporaryFolder('bench');
  const model = await instantModelServer(npcTurnJson({ npc_utterance: 'I hear you. Go on.' }));
  const set = await benchSetWith(model.url);
  const bare = await bareTurnServer(folder.path);
  const caller = new JsonCaller();
  try {
    const text = 'I would like to talk about my pay, and about what the last year has shown.';
    const ours: number[] = [];
    const baseline: number[] = [];
    let session = '';
    let bareSession = '';
    for (let at = 0; at < WARM_UP + TURNS; at += 1) {
      if (at % TURNS_PER_SESSION === 0) {
        session = await beginSession(caller, set.url, 'the_ask');
        bareSession = WithId.parse(await caller.post(`${bare.url}/sessions`, {})).id;
      }
      const a = await timed(() => caller.post(`${set.url}/api/sessions/${session}/turn`, { text }));
      const b = await timed(() => caller.post(`${bare.url}/turn/${bareSession}`, { text }));
      if (at >= WARM_UP) {
        ours.push(a);
        baseline.push(b);
      }
    }
    const row = (name: string, part: number, goal: Measurement['goal']): Measurement =>
      measurement(name, 'ms', quantile(ours, part), quantile(baseline, part), goal);
    return [
      row('turn, one caller, median', 0.5, { kind: 'at_most', ratio: 4 }),
      row('turn, one caller, p99', 0.99, { kind: 'at_most', ratio: 2 }),
    ];
  } finally {
    await caller.close();
    bare.stop();
    await set.stop();
    await model.close();
    folder.remove();
  }
}
