import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { openDatabase, migrate } from '@parley/shared/store';
import { npcTurnJson, temporaryFolder } from '@parley/shared/testing';
import { benchSetWith } from './bench-set';
import { installSamplePack, LONG_TALK } from '../set/sample-pack';
import { bareTurnServer, type BareKind } from './bare-turn-server';
import type { BareTurns } from './bare-turns';
import { openDriverTurns } from './driver-turns';
import { instantModelServer } from './instant-model-server';
import { beginSession, callsPerSecond, JsonCaller, WithId } from './json-caller';
import { knexDriver, openKnexTurns } from './knex-turns';
import { measurement, quantile, type Measurement } from './measurement';
import { storeTurns } from './store-turns';

const CALLERS = 64;
const TURNS_PER_CALLER = 30;
/** A service runs for days: its code is compiled by use, which takes it some thousand turns, and is measured after that. */
const WARM_UP_ROUNDS = 4;
const ROUNDS = 5;
const TEXT = 'I would like to talk about my pay, and about what the last year has shown.';
const REPLY = 'I hear you. Go on.';

type Rates = Record<'ours' | 'grouped' | 'knex', number>;

/** Begins a session for every caller, outside of what is measured, then measures. */
async function round(create: () => Promise<string>, turn: (id: string) => Promise<unknown>): Promise<number> {
  const ids: string[] = [];
  for (let at = 0; at < CALLERS; at += 1) ids.push(await create());
  return callsPerSecond(CALLERS, TURNS_PER_CALLER, (caller) => turn(ids[caller] as string));
}

/** Medians over the rounds, all ways in turn. */
async function medians(ways: Record<keyof Rates, () => Promise<number>>): Promise<Rates> {
  const rates: Record<keyof Rates, number[]> = { ours: [], grouped: [], knex: [] };
  for (let at = 0; at < WARM_UP_ROUNDS + ROUNDS; at += 1)
    for (const name of ['ours', 'grouped', 'knex'] as const) {
      const rate = await ways[name]();
      if (at >= WARM_UP_ROUNDS) rates[name].push(rate);
    }
  return { ours: quantile(rates.ours, 0.5), grouped: quantile(rates.grouped, 0.5), knex: quantile(rates.knex, 0.5) };
}

function rows(what: string, { ours, grouped, knex }: Rates): Measurement[] {
  const other = knexDriver() === 'sqlite3' ? 'knex + sqlite3' : 'knex + better-sqlite3 (stands in for knex + sqlite3)';
  return [
    measurement(`${what}, against ${other}`, '1/s', ours, knex, { kind: 'at_least', ratio: 2 }),
    measurement(`${what}, against bare group commit`, '1/s', ours, grouped, { kind: 'at_least', ratio: 0.15 }),
  ];
}

async function wholeSet(folder: string): Promise<Measurement[]> {
  const model = await instantModelServer(npcTurnJson({ npc_utterance: REPLY }));
  const set = await benchSetWith(model.url);
  const caller = new JsonCaller();
  const kinds: BareKind[] = ['grouped', 'knex'];
  const [grouped, knex] = (await Promise.all(kinds.map((kind) => bareTurnServer(folder, kind)))) as [
    Awaited<ReturnType<typeof bareTurnServer>>,
    Awaited<ReturnType<typeof bareTurnServer>>,
  ];
  const bareRound = ({ url }: { url: string }): Promise<number> =>
    round(
      async () => WithId.parse(await caller.post(`${url}/sessions`, {})).id,
      (id) => caller.post(`${url}/turn/${id}`, { text: TEXT }),
    );
  try {
    await installSamplePack(set, path.join(folder, 'pack'));
    const rates = await medians({
      ours: () =>
        round(
          () => beginSession(caller, set.url, LONG_TALK),
          (id) => caller.post(`${set.url}/api/sessions/${id}/turn`, { text: TEXT }),
        ),
      grouped: () => bareRound(grouped),
      knex: () => bareRound(knex),
    });
    return rows(`turns per second of ${CALLERS} callers through the whole set`, rates);
  } finally {
    await caller.close();
    grouped.stop();
    knex.stop();
    await set.stop();
    await model.close();
  }
}

async function storeAlone(folder: string): Promise<Measurement[]> {
  const database = await openDatabase({ dataDir: path.join(folder, 'data') });
  await migrate(database);
  const ours = storeTurns(database);
  const grouped = openDriverTurns(folder, 'grouped');
  const knex = await openKnexTurns(folder);
  const roundOf = (turns: BareTurns) => (): Promise<number> =>
    round(
      () => turns.create(),
      (id) => turns.turn(id, TEXT, REPLY),
    );
  try {
    const rates = await medians({ ours: roundOf(ours), grouped: roundOf(grouped), knex: roundOf(knex) });
    return rows(`turns per second of ${CALLERS} callers, the store alone`, rates);
  } finally {
    for (const turns of [ours, grouped, knex]) await turns.close();
  }
}

/** Turns per second with many callers at once: through the whole set against bare servers, and the store against bare ones. */
export async function throughputBench(): Promise<Measurement[]> {
  const folder = temporaryFolder('bench');
  const [first, second] = [path.join(folder.path, 'servers'), path.join(folder.path, 'stores')];
  try {
    for (const one of [first, second]) mkdirSync(one);
    return [...(await wholeSet(first)), ...(await storeAlone(second))];
  } finally {
    folder.remove();
  }
}
