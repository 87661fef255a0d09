import { INTERNAL_ROUTES } from '@parley/shared/contracts';
import path from 'node:path';
import { callRoute } from '@parley/shared/client';
import { KeptAnswers, type Logger } from '@parley/shared/service';
import { findKeptAnswer, insertKeptAnswer, type Database } from '@parley/shared/store';
import { createCatalogue, type Catalogue } from './catalogue/catalogue';
import type { PackServiceConfig } from './config';
import { PackQueue } from './import/installing/pack-queue';
import type { PackChildOptions } from './import/installing/run-pack-child';

/** Where packs lie on disk. All but the built-in ones are in the data folder, on one file system: a rename is atomic. */
export interface PackFolders {
  readonly builtIn: string;
  readonly installed: string;
  readonly staging: string;
}

/** What the parts of pack-service share. Tests replace what they need to. */
export interface PackContext {
  readonly config: PackServiceConfig;
  readonly logger: Logger;
  readonly database: Database;
  readonly catalogue: Catalogue;
  readonly folders: PackFolders;
  /** How the process that checks a pack is started. */
  readonly packChild: PackChildOptions;
  /** Every pack that comes from outside is taken in by its leave. */
  readonly queue: PackQueue;
  /** Answers by Idempotency-Key. */
  readonly answers: KeptAnswers;
  now(): Date;
  /** How many sessions of a pack are neither ended nor deleted. */
  countSessions(packId: string, requestId: string): Promise<number>;
  /** Versions of a pack's scenarios that any session, ended or not, began with. */
  listSessionVersions(packId: string, requestId: string): Promise<{ scenario_id: string; version: number }[]>;
  /** Runs one change of the set of packs after the other. */
  alone<T>(change: () => Promise<T>): Promise<T>;
}

export type ContextOverrides = Partial<Pick<PackContext, 'now' | 'countSessions' | 'packChild'>>;

export function createContext(
  config: PackServiceConfig,
  logger: Logger,
  database: Database,
  overrides: ContextOverrides = {},
): PackContext {
  const { base } = config;
  let last: Promise<unknown> = Promise.resolve();
  const now = overrides.now ?? (() => new Date());
  return {
    config,
    logger,
    database,
    catalogue: createCatalogue(database),
    folders: {
      builtIn: config.built_in_packs_dir,
      installed: path.join(base.data_dir, 'packs'),
      staging: path.join(base.data_dir, 'staging'),
    },
    packChild: {},
    queue: new PackQueue(),
    answers: new KeptAnswers(
      {
        find: (...key) => findKeptAnswer(database, ...key),
        keep: (answer) => database.write((transaction) => insertKeptAnswer(transaction, answer)),
      },
      now,
    ),
    now,
    countSessions: async (packId, requestId) => {
      const call = { params: { pack_id: packId } };
      const answer = await callRoute(base.peers.session_api, INTERNAL_ROUTES.countPackSessions, call, {
        requestId,
        // Half: whoever waits for this has a limit too.
        timeoutMs: base.peer_timeout_ms / 2,
      });
      return answer.active_sessions;
    },
    listSessionVersions: async (packId, requestId) => {
      const call = { params: { pack_id: packId } };
      const answer = await callRoute(base.peers.session_api, INTERNAL_ROUTES.listPackVersions, call, { requestId });
      return answer.versions;
    },
    alone: (change) => {
      const result = last.then(change);
      last = result.catch(() => undefined);
      return result;
    },
    ...overrides,
  };
}
