import path from 'node:path';
import { appendEvents, appendTurns, insertSession, migrate, openDatabase } from '@parley/shared/store';
import { npcTurnJson, temporaryFolder } from '@parley/shared/testing';
import type { ParleySet } from '../set/parley-set';
import { benchSetWith } from './bench-set';
import { installSamplePack, LONG_TALK } from '../set/sample-pack';
import type { BenchOptions } from './bench-options';
import { instantModelServer } from './instant-model-server';
import { beginSession, JsonCaller, timed } from './json-caller';
import { measurement, quantile, type Measurement } from './measurement';
import { newStoredSession, storeTurns, turnEvents, turnRow } from './store-turns';
import { storeSessions } from './stored-sessions';

const TEXT = 'I would like to talk about my pay, and about what the last year has shown.';
const EARLY_TURN = 10;
const LATE_TURN = 95;
/** Turns measured on each side of both. */
const AROUND = 3;
const PAIRS = 8;
/** Pairs before those: code is compiled by use. */
const WARM_UP_PAIRS = 4;
const LONG_SESSION_TURNS = 10_000;
const SHORT_SESSION_TURNS = 10;
const STORE_SAMPLES = 200;
const FEW_SESSIONS = 10;
const SOME_SESSIONS = 200;
const MANY_SESSIONS = 200_000;
const QUICK_MANY_SESSIONS = 20_000;
const TURN_SAMPLES = 240;
const TURNS_PER_SESSION = 12;
const READ_SAMPLES = 60;
const WARM_UP = 40;

const atMost = (ratio: number): Measurement['goal'] => ({ kind: 'at_most', ratio });

/** Medians of two ways, measured in turn. */
async function medians(
  samples: number,
  ours: (at: number) => Promise<number>,
  baseline: (at: number) => Promise<number>,
): Promise<[number, number]> {
  const [a, b]: [number[], number[]] = [[], []];
  for (let at = 0; at < WARM_UP + samples; at += 1) {
    const one = await ours(at);
    const other = await baseline(at);
    if (at < WARM_UP) continue;
    a.push(one);
    b.push(other);
  }
  return [quantile(a, 0.5), quantile(b, 0.5)];
}

/** A late turn of a long session against an early one, through the whole set: one of each at a time. */
async function lateTurns(caller: JsonCaller, set: ParleySet): Promise<Measurement> {
  const turn = (id: string) => () => caller.post(`${set.url}/api/sessions/${id}/turn`, { text: TEXT });
  const begunAndPlayed = async (turns: number): Promise<string> => {
    const id = await beginSession(caller, set.url, LONG_TALK);
    for (let at = 0; at < turns; at += 1) await turn(id)();
    return id;
  };
  const [late, early]: [number[], number[]] = [[], []];
  for (let pair = -WARM_UP_PAIRS; pair < PAIRS; pair += 1) {
    const long = await begunAndPlayed(LATE_TURN - AROUND - 1);
    const short = await begunAndPlayed(EARLY_TURN - AROUND - 1);
    for (let at = 0; at <= 2 * AROUND; at += 1) {
      const [lateTime, earlyTime] = [await timed(turn(long)), await timed(turn(short))];
      if (pair < 0) continue;
      late.push(lateTime);
      early.push(earlyTime);
    }
  }
  const name = `player turn ${LATE_TURN} against player turn ${EARLY_TURN}, median of ${late.length} around each`;
  return measurement(name, 'ms', quantile(late, 0.5), quantile(early, 0.5), atMost(1.1));
}

/** The store alone: a turn of a session that is very long already against one of a short session. */
async function longSession(dataDir: string): Promise<Measurement> {
  const database = await openDatabase({ dataDir });
  const turns = storeTurns(database);
  const sessionOf = async (length: number): Promise<string> => {
    const at = new Date().toISOString();
    const { id } = await database.write((transaction) =>
      insertSession(transaction, newStoredSession({ turn_count: length })),
    );
    const rows = Array.from({ length }, (_one, index) => turnRow(index + 1, TEXT, at));
    await database.write(async (transaction) => {
      await appendTurns(transaction, id, rows);
      await appendEvents(
        transaction,
        id,
        rows.flatMap((row) => turnEvents(row.turn_index)),
        at,
      );
    });
    return id;
  };
  try {
    await migrate(database);
    const long = await sessionOf(LONG_SESSION_TURNS);
    const short: string[] = [];
    for (let at = 0; at < WARM_UP + STORE_SAMPLES; at += 1) short.push(await sessionOf(SHORT_SESSION_TURNS));
    const [ours, baseline] = await medians(
      STORE_SAMPLES,
      () => timed(() => turns.turn(long, TEXT, TEXT)),
      (at) => timed(() => turns.turn(short[at] as string, TEXT, TEXT)),
    );
    const name = `turn of the store with ${LONG_SESSION_TURNS} turns in the session, against ${SHORT_SESSION_TURNS}`;
    return measurement(name, 'ms', ours, baseline, atMost(1.1));
  } finally {
    await turns.close();
  }
}

interface StoredSet {
  readonly set: ParleySet;
  readonly count: number;
}

/** A turn through the whole set with many stored sessions against one with few. */
async function turnsAmongMany(caller: JsonCaller, many: StoredSet, few: StoredSet): Promise<Measurement> {
  const player = ({ set }: StoredSet) => {
    let id = '';
    return async (at: number): Promise<number> => {
      if (at % TURNS_PER_SESSION === 0) id = await beginSession(caller, set.url, 'the_ask');
      return timed(() => caller.post(`${set.url}/api/sessions/${id}/turn`, { text: TEXT }));
    };
  };
  const [ours, baseline] = await medians(TURN_SAMPLES, player(many), player(few));
  return measurement(
    `turn with ${many.count} stored sessions, against ${few.count}`,
    'ms',
    ours,
    baseline,
    atMost(1.3),
  );
}

/** What the home page reads: the list, a search for a common and for a rare word, and progress. */
async function readsAmongMany(caller: JsonCaller, many: StoredSet, some: StoredSet): Promise<Measurement[]> {
  const reads: Readonly<Record<string, string>> = {
    'list of sessions': '/api/sessions',
    'search for a common word': '/api/sessions?q=weather',
    'search for a rare word': '/api/sessions?q=150',
    progress: '/api/progress',
  };
  const rows: Measurement[] = [];
  for (const [name, address] of Object.entries(reads)) {
    const read =
      ({ set }: StoredSet) =>
      () =>
        timed(() => caller.get(`${set.url}${address}`));
    const [ours, baseline] = await medians(READ_SAMPLES, read(many), read(some));
    rows.push(measurement(`${name} at ${many.count} sessions, against ${some.count}`, 'ms', ours, baseline, atMost(3)));
  }
  return rows;
}

/** What a turn and the pages of the past cost when a session is long and when there are many. */
export async function growthBench({ quick }: BenchOptions): Promise<Measurement[]> {
  const folder = temporaryFolder('bench');
  const model = await instantModelServer(npcTurnJson({ npc_utterance: 'I hear you. Go on.' }));
  const caller = new JsonCaller();
  const sets: ParleySet[] = [];
  const startWith = async (count: number): Promise<StoredSet> => {
    const dataDir = path.join(folder.path, `sessions-${count}`);
    await storeSessions(dataDir, count);
    const set = await benchSetWith(model.url, { SIM_DATA_DIR: dataDir });
    sets.push(set);
    return { set, count };
  };
  try {
    const store = await longSession(path.join(folder.path, 'long-session'));
    const few = await startWith(FEW_SESSIONS);
    await installSamplePack(few.set, path.join(folder.path, 'pack'));
    const late = await lateTurns(caller, few.set);
    const many = await startWith(quick ? QUICK_MANY_SESSIONS : MANY_SESSIONS);
    const among = await turnsAmongMany(caller, many, few);
    const some = await startWith(SOME_SESSIONS);
    return [late, store, among, ...(await readsAmongMany(caller, many, some))];
  } finally {
    await caller.close();
    for (const set of sets) await set.stop();
    await model.close();
    folder.remove();
  }
}
