import { writeFileSync } from 'node:fs';
import { inspectDraft } from './inspect-draft';
import { isOutOfRoom, type PackJob, type PackMessage } from './pack-tools';

/** A process of its own for one look at a draft: its files may come from a stranger's pack, and may be anything meanwhile. */
async function run(job: PackJob): Promise<PackMessage> {
  try {
    if (job.task !== 'check') throw new Error('a draft is only checked');
    writeFileSync(job.result, JSON.stringify(await inspectDraft(job.place.path)), { flag: 'wx', mode: 0o600 });
    return { say: 'done', findings: [] };
  } catch (error) {
    if (isOutOfRoom(error)) return { say: 'no-room' };
    return { say: 'failed', reason: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

process.once('message', (job: PackJob) => {
  void run(job).then((last) => process.send?.(last, () => process.exit(0)));
});
process.once('disconnect', () => process.exit(1));
