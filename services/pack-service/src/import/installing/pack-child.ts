import type { Finding } from '@parley/shared/contracts';
import { checkedPackOf, unreadablePack, writeCheckedPack } from './checked-pack';
import { copyFolder } from './copy-folder';
import { finding, hasErrors } from '../validating/finding';
import { isOutOfRoom } from './out-of-room';
import type { PackJob, PackMessage, PackProgress } from './pack-job';
import { unpackZip } from './unpack-zip';
import { validatePack } from '../validating/validate-pack';

/**
 * A process of its own for one pack of a stranger: when unpacking or checking it goes wrong, takes for ever or eats the
 * memory, only this dies. It gets one job, says how far it is, and ends.
 */
const PROGRESS_EVERY_MS = 200;
let told = 0;

const say = (message: PackMessage, then: () => void = () => undefined): void => {
  process.send?.(message, then);
};

function progress(now: PackProgress): void {
  const time = Date.now();
  const isMiddle = now.files_done > 0 && now.files_done !== now.files_total;
  if (isMiddle && time - told < PROGRESS_EVERY_MS) return;
  told = time;
  say({ say: 'progress', ...now });
}

const DAMAGED = finding({ rule: 'zip.invalid', file: '', message: 'The archive cannot be read.' });

async function unpack(archive: string, folder: string): Promise<Finding[]> {
  return unpackZip(archive, folder, (done, total) =>
    progress({ stage: 'unpacking', files_done: done, files_total: total }),
  ).catch((error: unknown) => {
    if (isOutOfRoom(error)) throw error;
    return [DAMAGED];
  });
}

async function takeIn({ place, folder }: PackJob & { task: 'check' }): Promise<Finding[]> {
  if (place.kind === 'archive') return unpack(place.path, folder);
  if (place.kind === 'staged') return [];
  return copyFolder(place.path, folder, (done) =>
    progress({ stage: 'unpacking', files_done: done, files_total: null }),
  );
}

async function check(job: PackJob & { task: 'check' }): Promise<void> {
  const opening = await takeIn(job);
  progress({ stage: 'checking', files_done: 0, files_total: null });
  // What did not unpack is not looked at further: its other findings would be about the damage, not the pack.
  const isUnreadable = hasErrors(opening.filter((one) => one.rule.startsWith('zip.')));
  if (isUnreadable) {
    writeCheckedPack(job.result, unreadablePack(opening));
    return;
  }
  const validation = await validatePack(job.place.kind === 'staged' ? job.place.path : job.folder, (done, total) =>
    progress({ stage: 'checking', files_done: done, files_total: total }),
  );
  writeCheckedPack(job.result, checkedPackOf(validation, opening));
}

async function run(job: PackJob): Promise<PackMessage> {
  try {
    if (job.task === 'unpack') return { say: 'done', findings: await unpack(job.archive, job.folder) };
    await check(job);
    return { say: 'done', findings: [] };
  } catch (error) {
    if (isOutOfRoom(error)) return { say: 'no-room' };
    return { say: 'failed', reason: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

process.once('message', (job: PackJob) => {
  void run(job).then((last) => say(last, () => process.exit(0)));
});
process.once('disconnect', () => process.exit(1));
