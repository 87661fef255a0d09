import path from 'node:path';
import { callRoute } from '@parley/shared/client';
import type { Logger } from '@parley/shared/service';
import type { Database } from '@parley/shared/store';
import { createCatalogue, type Catalogue } from './catalogue/catalogue';
import type { PackServiceConfig } from './config';
import type { UnpackOptions } from './import/open-archive';

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
  readonly unpack: UnpackOptions;
  now(): Date;
  /** How many sessions of a pack are neither ended nor deleted. */
  countSessions(packId: string, requestId: string): Promise<number>;
  /** Runs one change of the set of packs after the other. */
  alone<T>(change: () => Promise<T>): Promise<T>;
}

export type PackContextOverrides = Partial<Pick<PackContext, 'now' | 'countSessions' | 'unpack'>>;

export function createPackContext(
  config: PackServiceConfig,
  logger: Logger,
  database: Database,
  overrides: PackContextOverrides = {},
): PackContext {
  const { base } = config;
  let last: Promise<unknown> = Promise.resolve();
  return {
    config,
    logger,
    database,
    catalogue: createCatalogue(database.knex),
    folders: {
      builtIn: config.built_in_packs_dir,
      installed: path.join(base.data_dir, 'packs'),
      staging: path.join(base.data_dir, 'staging'),
    },
    unpack: {},
    now: () => new Date(),
    countSessions: async (packId, requestId) => {
      const call = { params: { pack_id: packId } };
      const answer = await callRoute(base.peers.session_api, 'countPackSessions', call, {
        requestId,
        timeoutMs: 5_000,
      });
      return answer.active_sessions;
    },
    alone: (change) => {
      const result = last.then(change);
      last = result.catch(() => undefined);
      return result;
    },
    ...overrides,
  };
}
