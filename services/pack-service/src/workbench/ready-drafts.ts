import { stat } from 'node:fs/promises';
import path from 'node:path';
import { ServiceError, type ScenarioContent } from '@parley/shared/contracts';
import type { PackContext } from '../context';
import { inspectInChild } from './check-draft';
import { listDraftFiles } from './draft-files';
import type { DraftInspection } from './inspect-draft';

/** What the files of a draft are now: it changes whenever one of them is saved. */
async function fingerprint(folder: string): Promise<string> {
  const files = await listDraftFiles(folder);
  const times = await Promise.all(files.map(async (file) => (await stat(path.join(folder, file.path))).mtimeMs));
  return JSON.stringify([folder, files, times]);
}

/** The scenarios of a draft made whole, kept for the draft that is talked to: a talk asks with every line. */
export class ReadyDrafts {
  private last: { readonly print: string; readonly inspection: DraftInspection } | null = null;

  constructor(private readonly context: PackContext) {}

  /** @throws ServiceError PACK_INVALID while the draft has errors */
  async contentsOf(folder: string, signal: AbortSignal): Promise<readonly ScenarioContent[]> {
    const print = await fingerprint(folder);
    if (this.last?.print !== print)
      this.last = { print, inspection: await inspectInChild(this.context, folder, signal) };
    const { check, contents } = this.last.inspection;
    if (check.valid) return contents;
    throw new ServiceError(
      'PACK_INVALID',
      'The draft has errors and cannot be talked to. Mend what the findings name.',
      {
        details: { findings: check.findings.filter(({ severity }) => severity === 'error') },
      },
    );
  }
}
