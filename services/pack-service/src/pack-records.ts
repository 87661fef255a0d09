import {
  Flag,
  readRow,
  readRows,
  readSoundRows,
  storedJson,
  type Database,
  type Queryable,
  type Transaction,
} from '@parley/shared/store';
import { ContentRating, Finding, ManifestFile, ScenarioContent } from '@parley/shared/contracts';
import { z } from 'zod';

const Inventory = z.object({
  npcs: z.array(z.object({ id: z.string(), name: z.string() })).readonly(),
  rubrics: z.array(z.object({ id: z.string(), title: z.string() })).readonly(),
  policies: z.array(z.object({ id: z.string(), description: z.string().nullable() })).readonly(),
  scenes: z.array(z.object({ id: z.string(), name: z.string() })).readonly(),
  assets: z.array(z.object({ path: z.string(), media_type: z.string(), size: z.int(), sha256: z.string() })).readonly(),
});
/** What is in an installed pack beside its scenarios. */
export type PackInventory = z.infer<typeof Inventory>;

const Pack = z.object({
  pack_id: z.string(),
  name: z.string(),
  version: z.string(),
  author: z.string(),
  license: z.string(),
  description: z.string(),
  content_rating: ContentRating,
  built_in: Flag,
  installed_at: z.string(),
  /** Name of the folder in the folder of built-in packs, or in that of installed ones. */
  folder: z.string(),
  content_hash: z.string(),
  manifest: storedJson(ManifestFile),
  findings: storedJson(z.array(Finding).readonly()),
  inventory: storedJson(Inventory),
});
/** An installed pack. The tables `packs`, `scenarios` and `scenario_versions` are written by this process alone. */
export type PackRecord = Readonly<z.output<typeof Pack>>;

const Scenario = z.object({
  id: z.string(),
  pack_id: z.string(),
  current_version: z.int(),
  title: z.string(),
  position: z.int(),
});
export type ScenarioRecord = Readonly<z.infer<typeof Scenario>>;

const Version = z.object({ version: z.int(), content_hash: z.string(), created_at: z.string() });
export type VersionRecord = Readonly<z.infer<typeof Version>>;

/** One version of a scenario, in all its languages. */
export interface StoredScenario {
  readonly content: ScenarioContent;
  readonly translations: Readonly<Record<string, ScenarioContent>>;
}

/** One version of a scenario as it is kept: what the tables say of it, and its text, which only readers understand. */
export interface StorableScenario {
  readonly id: string;
  readonly title: string;
  readonly content_hash: string;
  /** JSON of a StoredScenario whose version nobody knows yet. */
  readonly stored: string;
}

/** Content of a version that nobody needs any more. Its row stays: a number never means two things. */
const FORGOTTEN = '';

const Unstamped = ScenarioContent.omit({ version: true, content_hash: true });
const Content = z.object({
  version: z.int(),
  content_hash: z.string(),
  content: z.union([
    z.literal(FORGOTTEN).transform(() => null),
    storedJson(z.object({ content: Unstamped, translations: z.record(z.string(), Unstamped) })),
  ]),
});

const PACKS = { table: 'packs', id: ['pack_id'], shape: Pack };
const PACK_IDS = { table: 'packs', id: ['pack_id'], shape: Pack.pick({ pack_id: true }) };
const SCENARIOS = { table: 'scenarios', id: ['id'], shape: Scenario };
const VERSIONS = { table: 'scenario_versions', id: ['id', 'version'], shape: Version };
const CONTENTS = { table: 'scenario_versions', id: ['id', 'version'], shape: Content };
const NEWEST = { ...VERSIONS, shape: Version.omit({ created_at: true }) };
const KEPT = { ...VERSIONS, shape: z.object({ id: z.string(), version: z.int() }) };
const PACKS_OF_SCENARIOS = { table: 'scenarios', id: ['pack_id'], shape: Scenario.pick({ pack_id: true }) };

/** Those that can be read. */
export const listPackRecords = (database: Database): Promise<PackRecord[]> =>
  readSoundRows(database, PACKS, (knex) =>
    knex('packs')
      .select('*')
      .orderBy([{ column: 'built_in', order: 'desc' }, 'name', 'pack_id']),
  );

/** Of all packs, also of those whose record cannot be read. */
export const listPackIds = async (queryable: Queryable): Promise<string[]> =>
  (await readRows(queryable, PACK_IDS, (knex) => knex('packs').select('pack_id'))).map((row) => row.pack_id);

/** Whether there is any pack: not before a writer has run, since one that starts takes in all that come with Parley at once. */
export const hasPacks = async (queryable: Queryable): Promise<boolean> =>
  (await readRow(queryable, PACK_IDS, (knex) => knex('packs').select('pack_id').limit(1))) !== null;

export const findPackRecord = (queryable: Queryable, packId: string): Promise<PackRecord | null> =>
  readRow(queryable, PACKS, (knex) => knex('packs').where({ pack_id: packId }).select('*'));

/** Scenarios that can be played, in the order of their packs' files. */
export const listScenarioRecords = (database: Database, packId?: string): Promise<ScenarioRecord[]> =>
  readSoundRows(database, SCENARIOS, (knex) =>
    knex('scenarios')
      .where({ removed: 0, ...(packId === undefined ? {} : { pack_id: packId }) })
      .orderBy(['pack_id', 'position', 'id'])
      .select('id', 'pack_id', 'current_version', 'title', 'position'),
  );

/** @returns null when no pack has it now; its versions may still be there. */
export const findScenarioRecord = (queryable: Queryable, id: string): Promise<ScenarioRecord | null> =>
  readRow(queryable, SCENARIOS, (knex) => knex('scenarios').where({ id, removed: 0 }).select('*'));

/** Newest first. */
export const listVersionRecords = (database: Database, id: string): Promise<VersionRecord[]> =>
  readSoundRows(database, VERSIONS, (knex) =>
    knex('scenario_versions')
      .where({ id })
      .orderBy('version', 'desc')
      .select('id', 'version', 'content_hash', 'created_at'),
  );

/** A version as it was when it was made; also of scenarios that are gone, for sessions that began with it. */
export async function readStoredScenario(
  queryable: Queryable,
  id: string,
  version: number,
): Promise<StoredScenario | null> {
  const row = await readRow(queryable, CONTENTS, (knex) =>
    knex('scenario_versions').where({ id, version }).select('id', 'version', 'content', 'content_hash'),
  );
  if (row === null || row.content === null) return null;
  const { content, translations } = row.content;
  const stamped = (one: z.infer<typeof Unstamped>): ScenarioContent => ({
    ...one,
    version,
    content_hash: row.content_hash,
  });
  return {
    content: stamped(content),
    translations: Object.fromEntries(
      Object.entries(translations).map(([language, translation]) => [language, stamped(translation)]),
    ),
  };
}

/** Whether a version is still there whole. */
export const keepsVersion = async (queryable: Queryable, id: string, version: number): Promise<boolean> =>
  (await readRow(queryable, KEPT, (knex) =>
    knex('scenario_versions').where({ id, version }).whereNot('content', FORGOTTEN).select('id', 'version'),
  )) !== null;

async function saveScenario(
  transaction: Transaction,
  packId: string,
  { id, title, content_hash, stored }: StorableScenario,
  position: number,
  now: string,
): Promise<void> {
  const newest = await readRow(transaction, NEWEST, (knex) =>
    knex('scenario_versions').where({ id }).orderBy('version', 'desc').limit(1).select('id', 'version', 'content_hash'),
  );
  const isNew = newest?.content_hash !== content_hash;
  const version = (newest?.version ?? 0) + (isNew ? 1 : 0);
  if (isNew)
    await transaction.knex('scenario_versions').insert({ id, version, content_hash, content: stored, created_at: now });
  // Forgotten, or damaged: the same words again.
  else await transaction.knex('scenario_versions').where({ id, version }).update({ content: stored });
  await transaction
    .knex('scenarios')
    .insert({ id, pack_id: packId, current_version: version, title, position, removed: 0 })
    .onConflict('id')
    .merge();
}

/**
 * Writes a pack and its scenarios: new ones, changed ones as a new version, and those that it no longer has as removed.
 * The same pack again changes nothing but the record itself.
 */
export async function savePack(
  transaction: Transaction,
  record: PackRecord,
  scenarios: readonly StorableScenario[],
  now: string,
): Promise<void> {
  await transaction
    .knex('packs')
    .insert({
      ...record,
      built_in: record.built_in ? 1 : 0,
      manifest: JSON.stringify(record.manifest),
      findings: JSON.stringify(record.findings),
      inventory: JSON.stringify(record.inventory),
    })
    .onConflict('pack_id')
    .merge();
  for (const [position, scenario] of scenarios.entries())
    await saveScenario(transaction, record.pack_id, scenario, position, now);
  await transaction
    .knex('scenarios')
    .where({ pack_id: record.pack_id })
    .whereNotIn(
      'id',
      scenarios.map(({ id }) => id),
    )
    .update({ removed: 1 });
}

/** Takes a pack out of the catalogue. Versions of its scenarios stay: ended sessions are still debriefed with them. */
export async function removePack(transaction: Transaction, packId: string): Promise<void> {
  await transaction.knex('packs').where({ pack_id: packId }).delete();
  await transaction.knex('scenarios').where({ pack_id: packId }).update({ removed: 1 });
}

/** Packs of which scenarios that cannot be played any more are still kept whole. */
export async function listPacksToForget(queryable: Queryable): Promise<string[]> {
  const rows = await readRows(queryable, PACKS_OF_SCENARIOS, (knex) =>
    knex('scenarios')
      .join('scenario_versions', 'scenario_versions.id', 'scenarios.id')
      .where('scenarios.removed', 1)
      .whereNot('scenario_versions.content', FORGOTTEN)
      .distinct('scenarios.pack_id as pack_id'),
  );
  return rows.map((row) => row.pack_id);
}

/**
 * Forgets what the versions of a pack's scenarios say that are neither played nor needed.
 * @param needed those with which a session began
 * @returns how many
 */
export async function forgetVersions(
  transaction: Transaction,
  packId: string,
  needed: readonly { readonly scenario_id: string; readonly version: number }[],
): Promise<number> {
  const kept = await readRows(transaction, KEPT, (knex) =>
    knex('scenario_versions')
      .join('scenarios', 'scenario_versions.id', 'scenarios.id')
      .where({ 'scenarios.pack_id': packId, 'scenarios.removed': 1 })
      .whereNot('scenario_versions.content', FORGOTTEN)
      .select('scenario_versions.id as id', 'scenario_versions.version as version'),
  );
  const idle = kept.filter(
    ({ id, version }) => !needed.some((one) => one.scenario_id === id && one.version === version),
  );
  for (const { id, version } of idle)
    await transaction.knex('scenario_versions').where({ id, version }).update({ content: FORGOTTEN });
  return idle.length;
}
