import { setTimeout as sleep } from 'node:timers/promises';
import type { TurnAnswer } from '@parley/shared/contracts';
import { startPostgresServer, startRedisServer } from '@parley/shared/testing';
import { quantile } from '../bench/measurement';
import { ScaledSet } from '../scaled/scaled-set';
import { sampleOf } from '../soak/process-watch';

export interface PeopleOptions {
  /** Who talk at once. */
  readonly people: number;
  readonly minutes: number;
  /** From the end of one turn to the beginning of the next, on average; seconds. */
  readonly pause: number;
  readonly say: (line: string) => void;
}

export interface PeopleReport {
  readonly turns: number;
  /** How much later than the same talk with nobody else there, in milliseconds; the pace of the model is in neither. */
  readonly later: { readonly median: number; readonly p99: number };
  /** Resident memory of both session-apis, in MB: a sample a minute. */
  readonly memory: readonly (readonly [first: number, second: number])[];
  /** What was not answered as it should be. */
  readonly errors: readonly string[];
}

/** How long the demo voice takes for a word, in milliseconds: as a model at 33 words a second. */
const WORD_MS = 30;
const LINES = [
  'Thanks for making the time. It is about my pay, and I would like to go to 53,000.',
  'Stock-outs are down from 31 a month to 9 since April, it is in the Monday report.',
  'What limits you there, and who decides the rest?',
  'So above three percent it needs Ines, and she wants facts. What would she have to see?',
  'I could write that page. Part of it now, the rest when the role is graded.',
  'You have it on Thursday at ten. Does that work for you?',
];
/** The set is warm then: what came before is not counted. */
const WARM_PART = 0.1;

const residentMb = (pid: number): number => Math.round(sampleOf(pid).megabytes);

const wordsOf = (text: string): number => text.split(/\s+/).filter(Boolean).length;

/** People who talk with the demo voice at the pace of a model, each a line now and then, on two session-apis asked in turn. */
export async function people({ people: count, minutes, pause, say }: PeopleOptions): Promise<PeopleReport> {
  const [postgres, redis] = [await startPostgresServer(), await startRedisServer()];
  const scaled = await ScaledSet.start(
    { postgres, redis },
    { environment: { SIM_FAKE_WORD_DELAY_MS: String(WORD_MS) } },
  );
  const later: number[] = [];
  const errors: string[] = [];
  const memory: [number, number][] = [];
  let turns = 0;
  const beyondPace = (took: number, { npc_turn: said }: TurnAnswer): number =>
    took - WORD_MS * wordsOf(said.text ?? '');
  /** What a turn takes beyond its words when nobody else talks: the rest of the model's answer, and ours. */
  const alone = async (): Promise<number> => {
    const samples: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      const id = await scaled.started();
      for (const text of LINES) {
        const at = performance.now();
        const { status, body } = await scaled.say(id, text);
        if (status !== 200 || body.session.flow_state === 'Ended') break;
        samples.push(beyondPace(performance.now() - at, body));
      }
    }
    return quantile(samples, 0.5);
  };
  const usual = await alone();
  const begun = performance.now();
  const end = begun + minutes * 60_000;
  const isWarm = (): boolean => performance.now() - begun > WARM_PART * (end - begun);
  const waits = (seconds: number): Promise<void> =>
    sleep(Math.max(0, Math.min(seconds * 1_000, end - performance.now())));

  const talk = async (person: number): Promise<void> => {
    const id = await scaled.started();
    for (let line = 0; performance.now() < end; line += 1) {
      const text = `${LINES[line % LINES.length] ?? ''} (${person}, ${line})`;
      const at = performance.now();
      const reply = await scaled.say(id, text, { key: `${id}-${line}` });
      const took = performance.now() - at;
      if (reply.status !== 200) {
        errors.push(`turn: ${reply.status} ${reply.body.code}`);
        return;
      }
      turns += 1;
      if (isWarm()) later.push(beyondPace(took, reply.body) - usual);
      if (reply.body.session.flow_state === 'Ended') return;
      await waits(pause * (0.5 + Math.random()));
    }
  };
  const person = async (number: number): Promise<void> => {
    // Not all of them come in the same second.
    await waits(pause * Math.random());
    while (performance.now() < end)
      try {
        await talk(number);
        await waits(pause / 2);
      } catch (error) {
        errors.push(String(error));
      }
  };
  const watch = async (): Promise<void> => {
    while (performance.now() < end) {
      await waits(60);
      memory.push([residentMb(scaled.process(0).pid), residentMb(scaled.process(1).pid)]);
      say(`${turns} turns, ${errors.length} errors, ${memory.at(-1)?.join(' and ')} MB`);
    }
  };
  try {
    await Promise.all([watch(), ...Array.from({ length: count }, (_one, number) => person(number))]);
  } finally {
    await scaled.stop();
    await Promise.all([postgres.remove(), redis.remove()]);
  }
  return { turns, later: { median: quantile(later, 0.5), p99: quantile(later, 0.99) }, memory, errors };
}
