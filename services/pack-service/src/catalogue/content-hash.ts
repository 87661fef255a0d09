import { createHash } from 'node:crypto';
import stringify from 'safe-stable-stringify';

/**
 * SHA-256 of a value's canonical JSON: members in the order of their names, so that the order in which an author wrote
 * them makes no new version. Lists keep their order: it means something.
 */
export function contentHash(value: unknown): string {
  return createHash('sha256')
    .update(stringify(value) ?? 'undefined')
    .digest('hex');
}
