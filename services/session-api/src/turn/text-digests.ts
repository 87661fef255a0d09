import { createHmac, randomBytes } from 'node:crypto';
import type { SessionRow } from '@parley/shared/store';

const PARTS = '.';

const keyed = (key: string | Buffer, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64url');

/** What every process of a set digests alike. */
const SHARED_MARK = 'shared';

/**
 * Tells whether a repeat says the same words as the first call, without those words. A saved session's digest is keyed
 * with the secret that lies beside its text. The text of an unsaved session must not be found out by trying words against
 * the database: its digest is keyed with a secret that is in this process's memory only. What an earlier process digested
 * can no longer be compared, and counts as the same.
 */
export class TextDigests {
  private readonly key: Buffer;
  /** Says which process made a digest, unless all have the same key; no part of the key. */
  private readonly mark: string;

  /** @param shared what several processes have in common that is in no database; null for one alone. */
  constructor(shared: Buffer | null = null) {
    this.key = shared ?? randomBytes(32);
    this.mark = shared === null ? randomBytes(9).toString('base64url') : SHARED_MARK;
  }

  of(session: SessionRow, text: string): string {
    if (session.transcript_saved) return keyed(session.fence, text);
    return this.mark + PARTS + keyed(this.key, `${session.id}\n${text}`);
  }

  /** Whether the text may be the one that the digest was made of. */
  mayBe(session: SessionRow, digest: string, text: string): boolean {
    const isComparable = session.transcript_saved || digest.startsWith(this.mark + PARTS);
    return !isComparable || digest === this.of(session, text);
  }
}
