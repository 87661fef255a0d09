import type { Dialect } from './dialect';

export interface OpenedDialect {
  readonly dialect: Dialect;
  /** To be called when the dialect is closed. */
  readonly release: () => void;
}
