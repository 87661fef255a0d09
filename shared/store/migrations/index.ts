import type { Queryable } from '../dialect';
import { initialTables } from './001-initial-tables';

export interface Migration {
  /** Grows by one; never changed or reused once released. */
  readonly id: number;
  readonly name: string;
  /** Runs inside the migrating transaction. */
  up(transaction: Queryable): Promise<void>;
}

export const MIGRATIONS: readonly Migration[] = [{ id: 1, name: 'initial-tables', up: initialTables }];
