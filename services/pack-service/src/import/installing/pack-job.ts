import type { Finding } from '@parley/shared/contracts';

/** Where a pack comes from. `staged`: it lies in its folder already and is only read. */
export interface PackPlace {
  readonly kind: 'archive' | 'folder' | 'staged';
  readonly path: string;
}

/** What the process of its own is to do with one pack of a stranger. */
export type PackJob =
  | { readonly task: 'unpack'; readonly archive: string; readonly folder: string }
  | {
      readonly task: 'check';
      readonly place: PackPlace;
      /** Empty, for the files of the pack. */
      readonly folder: string;
      /** File for what the check found (checked-pack.ts). */
      readonly result: string;
    };

/** How far it is; as the progress of an import says it. */
export type PackStage = 'unpacking' | 'checking';

export interface PackProgress {
  readonly stage: PackStage;
  readonly files_done: number;
  /** null: nobody knows yet. */
  readonly files_total: number | null;
}

/** What it says, one message after the other; the last is never `progress`. */
export type PackMessage =
  | ({ readonly say: 'progress' } & PackProgress)
  | { readonly say: 'done'; readonly findings: readonly Finding[] }
  /** The disk is full, which is no fault of the pack. */
  | { readonly say: 'no-room' }
  /** A fault of our own. */
  | { readonly say: 'failed'; readonly reason: string };
