import { statSync, type BigIntStats } from 'node:fs';
import { StorageFaultError } from '@parley/shared/contracts';

type Identity = Pick<BigIntStats, 'dev' | 'ino'>;

const look = (path: string): Identity | undefined => statSync(path, { throwIfNoEntry: false, bigint: true });
const isSame = (one: Identity, other: Identity): boolean => one.dev === other.dev && one.ino === other.ino;

/**
 * The files that the system has open for us, as they were found at their paths. A deleted file takes everything that is
 * written and loses it with the process: only the path tells.
 */
export class OpenFile {
  private readonly known = new Map<string, Identity>();

  /** @param file the database; its log is followed with it, from when it is there. */
  constructor(private readonly file: string) {}

  /** @throws StorageFaultError database_gone when the database or its log is no longer the one that was opened. */
  assertInPlace(): void {
    for (const path of [this.file, `${this.file}-wal`]) {
      let found: Identity | undefined;
      try {
        found = look(path);
      } catch (error) {
        throw new StorageFaultError('database_gone', error);
      }
      const known = this.known.get(path);
      if (known === undefined) {
        if (found !== undefined) this.known.set(path, { dev: found.dev, ino: found.ino });
      } else if (found === undefined || !isSame(found, known)) throw new StorageFaultError('database_gone');
    }
  }
}
