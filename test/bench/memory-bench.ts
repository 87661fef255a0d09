import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { npcTurnJson } from '@parley/shared/testing';
import { benchSetWith } from './bench-set';
import { instantModelServer } from './instant-model-server';
import { beginSession, JsonCaller } from './json-caller';
import { measurement, type Measurement } from './measurement';
import type { BenchOptions } from './bench-options';

const EARLY_TURNS = 1_000;
const TURNS = 10_000;
const QUICK_TURNS = 4_000;
const CALLERS = 8;
const TURNS_PER_SESSION = 10;
/** Samples around each of both moments: memory goes up and down between two collections. */
const SAMPLES = 5;
const SAMPLE_EVERY_TURNS = 80;
/** V8 gives back what work left behind once a process has little to do, which takes it up to half a minute. */
const REST_MS = 60_000;
const TEXT = 'I would like to talk about my pay, and about what the last year has shown.';

function residentMegabytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
  return Number(kilobytes ?? Number.NaN) / 1000;
}

/**
 * Resident memory of session-api after many turns against after the first thousand, at rest and in the midst of them: sessions end
 * and new ones begin. At rest it is what is kept; in between it is also what V8 has not yet had a reason to collect.
 */
export async function memoryBench({ quick }: BenchOptions): Promise<Measurement[]> {
  const model = await instantModelServer(npcTurnJson({ npc_utterance: 'I hear you. Go on.' }));
  const set = await benchSetWith(model.url);
  const caller = new JsonCaller();
  try {
    const pid = set.processes.get('session_api')?.pid ?? -1;
    const turns = quick ? QUICK_TURNS : TURNS;
    let played = 0;
    const playSession = async (): Promise<void> => {
      const id = await beginSession(caller, set.url, 'the_ask');
      for (let turn = 0; turn < TURNS_PER_SESSION; turn += 1)
        await caller.post(`${set.url}/api/sessions/${id}/turn`, { text: TEXT });
      await caller.post(`${set.url}/api/sessions/${id}/end`, {});
      played += TURNS_PER_SESSION;
    };
    const playUntil = (count: number): Promise<unknown> =>
      Promise.all(
        Array.from({ length: CALLERS }, async () => {
          while (played < count) await playSession();
        }),
      );
    const around = async (count: number): Promise<number> => {
      let sum = 0;
      for (let sample = 0; sample < SAMPLES; sample += 1) {
        await playUntil(count + sample * SAMPLE_EVERY_TURNS);
        sum += residentMegabytes(pid);
      }
      return sum / SAMPLES;
    };
    const atRest = async (): Promise<number> => {
      await sleep(REST_MS);
      return residentMegabytes(pid);
    };
    const early = { busy: await around(EARLY_TURNS), atRest: await atRest() };
    const late = { busy: await around(turns), atRest: await atRest() };
    const what = `memory of session-api after ${turns} turns, against ${EARLY_TURNS}`;
    return [
      measurement(`${what}, at rest`, 'MB', late.atRest, early.atRest, { kind: 'at_most', ratio: 1.2 }),
      measurement(`${what}, under load`, 'MB', late.busy, early.busy),
    ];
  } finally {
    await caller.close();
    await set.stop();
    await model.close();
  }
}
