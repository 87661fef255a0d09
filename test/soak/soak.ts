import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { npcTurnJson, temporaryFolder, waitUntil } from '@parley/shared/testing';
import { instantModelServer } from '../bench/instant-model-server';
import { localServerAt } from '../bench/bench-set';
import { filesUnder } from '../set/folder-bytes';
import { ParleySet } from '../set/parley-set';
import { seededRandom } from '../set/random';
import { installSamplePack } from '../set/sample-pack';
import { Freezes, SlowCallers, TornCalls } from './disturbances';
import { HostileImports } from './hostile-imports';
import { DESCRIPTOR_BOUND, MEMORY_BOUND, ProcessWatch, type Growth } from './process-watch';
import { SoakPlayers } from './soak-players';

const PLAYERS = 8;
const TEARERS = 3;
const SLOW_CALLERS = 5;
const SAY_EVERY_MS = 10_000;
/** For what is still under way at the end, frozen peers included. */
const ENDING_MS = 300_000;

export interface SoakOptions {
  readonly minutes: number;
  readonly seed: number;
  /** Told how it goes. */
  readonly say: (line: string) => void;
}

export interface SoakResult {
  readonly summary: string[];
  readonly failures: string[];
}

const growthLine = ({ service, early, late }: Growth): string =>
  `${service}: ${early.megabytes.toFixed(1)} MB after warming up, ${late.megabytes.toFixed(1)} MB at the end (${(late.megabytes / early.megabytes).toFixed(2)}×), ${early.descriptors} and ${late.descriptors} descriptors`;

/** Lines of the logs that say that a process fell, or answered with a fault of its own. */
function faultsInLogs(folder: string): string[] {
  return filesUnder(folder)
    .filter((file) => /\.log(\.\d+)?$/.test(file))
    .flatMap((file) => readFileSync(path.join(folder, file), 'utf8').split('\n'))
    .filter((line) => /"level":"(error|fatal)"/.test(line))
    .map((line) => `logged: ${line.slice(0, 600)}`);
}

/**
 * Plays turns against the whole set, in the form that the supervisor runs, while connections are torn down, processes are
 * frozen and hostile packs are imported, all at once. Then reads everything back.
 */
export async function soak({ minutes, seed, say }: SoakOptions): Promise<SoakResult> {
  const random = seededRandom(seed);
  const failures: string[] = [];
  const model = await instantModelServer(npcTurnJson({ npc_utterance: 'I hear you. Go on.' }));
  const packFolder = temporaryFolder('soak-pack');
  const set = await ParleySet.start({
    withUi: true,
    environment: { NODE_ENV: 'production', ...localServerAt(model.url), SIM_PEER_TIMEOUT: '3' },
  });
  try {
    await installSamplePack(set, packFolder.path);
    const players = new SoakPlayers(set, random);
    const imports = new HostileImports(set, random);
    const freezes = new Freezes(set, random);
    const tearers = Array.from({ length: TEARERS }, () => new TornCalls(set, random));
    const slow = Array.from({ length: SLOW_CALLERS }, () => new SlowCallers(set, random));
    const everything = [players, imports, freezes, ...tearers, ...slow];
    const stop = (): void => everything.forEach((one) => one.stop());
    const over = new AbortController();
    const watch = new ProcessWatch(set, (line) => {
      failures.push(line);
      over.abort();
    });
    const torn = (): number => tearers.reduce((sum, one) => sum + one.count, 0);
    const begun = performance.now();
    const progress = setInterval(() => {
      const seconds = Math.round((performance.now() - begun) / 1_000);
      say(
        `${seconds} s: ${players.turns} turns, ${players.repeats} repeats, ${torn()} torn calls, ${freezes.count} freezes`,
      );
    }, SAY_EVERY_MS);

    const work = Promise.all([
      ...Array.from({ length: PLAYERS }, () => players.run()),
      ...[imports, freezes, ...tearers, ...slow].map((one) => one.run()),
    ]);
    // A fault of the soak itself ends it as well.
    work.catch(() => over.abort());
    await sleep(minutes * 60_000, undefined, { signal: over.signal }).catch(() => undefined);
    stop();
    watch.stop();
    const late = sleep(ENDING_MS, 'late' as const, { ref: false });
    if ((await Promise.race([work, late])) === 'late')
      failures.push('something was still under way minutes after the end');
    clearInterval(progress);

    const growth = watch.growth();
    for (const one of growth) if (!one.isFlat) failures.push(`grows: ${growthLine(one)}`);
    failures.push(...players.surprises, ...imports.surprises);
    if (!over.signal.aborted) failures.push(...(await readBack(set, players, say)));
    failures.push(...faultsInLogs(set.folder.path));
    return {
      summary: [
        `${players.turns} turns acknowledged in ${players.acknowledged.size + players.deleted.size} sessions (${players.deleted.size} deleted), ${players.debriefs} debriefs, ${players.repeats} calls repeated`,
        `${torn()} calls torn down, ${freezes.count} freezes, ${slow.reduce((sum, one) => sum + one.cut, 0)} slow callers cut off`,
        `imports by status: ${[...imports.statuses].map(([status, count]) => `${status} ${count}×`).join(', ')}`,
        ...growth.map(growthLine),
        `bounds: at the end at most ${MEMORY_BOUND.ratio}× of the memory after warming up (or ${MEMORY_BOUND.megabytes} MB more) and ${DESCRIPTOR_BOUND} descriptors more`,
      ],
      failures,
    };
  } finally {
    await set.stop();
    await model.close();
    packFolder.remove();
  }
}

/** The set is well again, and everything that was acknowledged is there. */
async function readBack(set: ParleySet, players: SoakPlayers, say: (line: string) => void): Promise<string[]> {
  await waitUntil('the set to be well again', async () => (await set.ask('getHealth', {})).status === 'ok');
  say('reading back what was acknowledged …');
  const { found, wrong } = await players.check();
  const expected = [...players.acknowledged.values()].reduce((sum, turns) => sum + turns.length, 0);
  if (found !== expected) wrong.push(`${found} of ${expected} acknowledged turns were found`);
  say(`${found} of ${expected} acknowledged turns were found`);
  return wrong.slice(0, 50);
}
