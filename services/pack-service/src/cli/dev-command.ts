import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { watch } from 'chokidar';
import { leftoverIn } from '../import/validating/check-name';
import type { CommandOutput } from './command-output';
import { installPack } from './install-command';
import { playAll, tellPlaythrough } from './play-all';
import { plural } from './plural';
import { readPacks } from './read-packs';
import { UsageError } from './usage-error';

/** Editors save in several steps, and some save all files at once. */
const SETTLED_MS = 150;

/** Aborted by an interrupt from the keyboard, or when the process is asked to end. */
function interrupted(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort());
  return controller.signal;
}

/**
 * Installs a pack whenever one of its files was saved, whatever its version, and plays its scripted playthroughs. While it has
 * errors they are shown, and what was installed before stays. Sessions in play keep the version that they began with.
 * @param stop ends it; null: an interrupt from the keyboard does
 * @returns whether it was watched until then
 * @throws UsageError when there is no such folder
 */
export async function devPack(
  given: string,
  url: string,
  output: CommandOutput,
  stop: AbortSignal | null,
): Promise<boolean> {
  const folder = path.resolve(given);
  if (!existsSync(path.join(folder, 'manifest.yaml')))
    throw new UsageError(`${given} is no folder of a pack: name one with a manifest.yaml.`);
  const broken = new AbortController();
  const ended = AbortSignal.any([stop ?? interrupted(), broken.signal]);
  const time = (): string => new Date().toLocaleTimeString('en-GB');

  const install = async (): Promise<void> => {
    const pack = await installPack(given, url, output, 'any');
    if (pack === null) {
      output.stderr(`${time()} Not installed. It is tried again when a file is saved.\n`);
      return;
    }
    output.stderr(`${time()} ${pack.name} ${pack.version} is installed.\n`);
    const runs = (await readPacks(given)).flatMap(playAll);
    const failed = runs.filter((run) => run.result === 'failed');
    for (const run of failed) tellPlaythrough(run, output);
    if (runs.length > 0) output.stderr(`${plural(runs.length, 'playthrough')}, ${failed.length} failed.\n`);
  };

  let isChanged = true;
  let wake: () => void = () => undefined;
  const isLeftOut = (file: string): boolean =>
    leftoverIn(path.relative(folder, file).split(path.sep).join('/')) !== null;
  const watcher = watch(folder, { ignoreInitial: true, ignored: isLeftOut });
  watcher.on('all', () => {
    isChanged = true;
    wake();
  });
  watcher.on('error', (error) => broken.abort(error));
  ended.addEventListener('abort', () => wake(), { once: true });
  output.stderr(`Watching ${given}. Press Ctrl+C to stop.\n`);
  try {
    while (!ended.aborted) {
      if (isChanged) {
        isChanged = false;
        await install();
        continue;
      }
      await new Promise<void>((resolve) => {
        wake = resolve;
        // What came while the promise was made.
        if (isChanged || ended.aborted) resolve();
      });
      await sleep(SETTLED_MS);
    }
  } finally {
    await watcher.close();
  }
  if (!broken.signal.aborted) return true;
  output.stderr(
    `The folder cannot be watched (${(broken.signal.reason as Error).message}): give this user the right to read all of it, and on Linux raise fs.inotify.max_user_watches.\n`,
  );
  return false;
}
