import type { Transaction } from '../dialect';
import { initialTables } from './001-initial-tables';
import { keptAnswers } from './002-kept-answers';
import { judging } from './003-judging';
import { variants } from './004-variants';
import { turnClaims } from './005-turn-claims';

export interface Migration {
  /** Grows by one; never changed or reused once released. */
  readonly id: number;
  readonly name: string;
  /** Runs inside the migrating transaction. */
  up(transaction: Transaction): Promise<void>;
}

export const MIGRATIONS: readonly Migration[] = [
  { id: 1, name: 'initial-tables', up: initialTables },
  { id: 2, name: 'kept-answers', up: keptAnswers },
  { id: 3, name: 'judging', up: judging },
  { id: 4, name: 'variants', up: variants },
  { id: 5, name: 'turn-claims', up: turnClaims },
];
