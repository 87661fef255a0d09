import { read, type Queryable, type Transaction } from '@parley/shared/store';
import type { Finding, ManifestFile, ScenarioContent } from '@parley/shared/contracts';

/** What is in an installed pack beside its scenarios. */
export interface PackInventory {
  readonly npcs: readonly { id: string; name: string }[];
  readonly rubrics: readonly { id: string; title: string }[];
  readonly policies: readonly { id: string; description: string | null }[];
  readonly scenes: readonly { id: string; name: string }[];
  readonly assets: readonly { path: string; media_type: string; size: number; sha256: string }[];
}

/** An installed pack. The tables `packs`, `scenarios` and `scenario_versions` are written by this process alone. */
export interface PackRecord {
  readonly pack_id: string;
  readonly name: string;
  readonly version: string;
  readonly author: string;
  readonly license: string;
  readonly description: string;
  readonly content_rating: 'G' | 'PG' | 'PG-13';
  readonly built_in: boolean;
  readonly installed_at: string;
  /** Name of the folder in the folder of built-in packs, or in that of installed ones. */
  readonly folder: string;
  readonly content_hash: string;
  readonly manifest: ManifestFile;
  readonly findings: readonly Finding[];
  readonly inventory: PackInventory;
}

export interface ScenarioRecord {
  readonly id: string;
  readonly pack_id: string;
  readonly current_version: number;
  readonly title: string;
  readonly position: number;
}

export interface VersionRecord {
  readonly version: number;
  readonly content_hash: string;
  readonly created_at: string;
}

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

type Row = Record<string, string | number>;

const toPack = (row: Row): PackRecord =>
  ({
    ...row,
    built_in: Boolean(row['built_in']),
    manifest: JSON.parse(String(row['manifest'])) as ManifestFile,
    findings: JSON.parse(String(row['findings'])) as Finding[],
    inventory: JSON.parse(String(row['inventory'])) as PackInventory,
  }) as unknown as PackRecord;

export async function listPackRecords(queryable: Queryable): Promise<PackRecord[]> {
  const rows = (await read(queryable, (knex) =>
    knex('packs')
      .select('*')
      .orderBy([{ column: 'built_in', order: 'desc' }, 'name', 'pack_id']),
  )) as Row[];
  return rows.map(toPack);
}

export async function findPackRecord(queryable: Queryable, packId: string): Promise<PackRecord | null> {
  const [row] = (await read(queryable, (knex) => knex('packs').where({ pack_id: packId }).select('*'))) as Row[];
  return row === undefined ? null : toPack(row);
}

/** Scenarios that can be played, in the order of their packs' files. */
export async function listScenarioRecords(queryable: Queryable, packId?: string): Promise<ScenarioRecord[]> {
  return (await read(queryable, (knex) =>
    knex('scenarios')
      .where({ removed: 0, ...(packId === undefined ? {} : { pack_id: packId }) })
      .orderBy(['pack_id', 'position', 'id'])
      .select('id', 'pack_id', 'current_version', 'title', 'position'),
  )) as ScenarioRecord[];
}

/** @returns null when no pack has it now; its versions may still be there. */
export async function findScenarioRecord(queryable: Queryable, id: string): Promise<ScenarioRecord | null> {
  const [row] = (await read(queryable, (knex) =>
    knex('scenarios').where({ id, removed: 0 }).select('*'),
  )) as ScenarioRecord[];
  return row ?? null;
}

/** Newest first. */
export async function listVersionRecords(queryable: Queryable, id: string): Promise<VersionRecord[]> {
  return (await read(queryable, (knex) =>
    knex('scenario_versions').where({ id }).orderBy('version', 'desc').select('version', 'content_hash', 'created_at'),
  )) as VersionRecord[];
}

/** A version as it was when it was made; also of scenarios that are gone, for sessions that began with it. */
export async function readStoredScenario(
  queryable: Queryable,
  id: string,
  version: number,
): Promise<StoredScenario | null> {
  const [row] = (await read(queryable, (knex) =>
    knex('scenario_versions').where({ id, version }).select('content', 'content_hash'),
  )) as { content: string; content_hash: string }[];
  if (row === undefined || row.content === FORGOTTEN) return null;
  const { content, translations } = JSON.parse(row.content) as StoredScenario;
  const stamped = (one: ScenarioContent): ScenarioContent => ({ ...one, version, content_hash: row.content_hash });
  return {
    content: stamped(content),
    translations: Object.fromEntries(
      Object.entries(translations).map(([language, translation]) => [language, stamped(translation)]),
    ),
  };
}

async function saveScenario(
  transaction: Transaction,
  packId: string,
  { id, title, content_hash, stored }: StorableScenario,
  position: number,
  now: string,
): Promise<void> {
  const newest = (await transaction
    .knex('scenario_versions')
    .where({ id })
    .orderBy('version', 'desc')
    .first('version', 'content_hash')) as { version: number; content_hash: string } | undefined;
  const isNew = newest?.content_hash !== content_hash;
  const version = (newest?.version ?? 0) + (isNew ? 1 : 0);
  if (isNew)
    await transaction.knex('scenario_versions').insert({ id, version, content_hash, content: stored, created_at: now });
  else
    await transaction.knex('scenario_versions').where({ id, version, content: FORGOTTEN }).update({ content: stored });
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
  const rows = (await read(queryable, (knex) =>
    knex('scenarios')
      .join('scenario_versions', 'scenario_versions.id', 'scenarios.id')
      .where('scenarios.removed', 1)
      .whereNot('scenario_versions.content', FORGOTTEN)
      .distinct('scenarios.pack_id as pack_id'),
  )) as { pack_id: string }[];
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
  const kept = (await transaction
    .knex('scenario_versions')
    .join('scenarios', 'scenario_versions.id', 'scenarios.id')
    .where({ 'scenarios.pack_id': packId, 'scenarios.removed': 1 })
    .whereNot('scenario_versions.content', FORGOTTEN)
    .select('scenario_versions.id as id', 'scenario_versions.version as version')) as { id: string; version: number }[];
  const idle = kept.filter(
    ({ id, version }) => !needed.some((one) => one.scenario_id === id && one.version === version),
  );
  for (const { id, version } of idle)
    await transaction.knex('scenario_versions').where({ id, version }).update({ content: FORGOTTEN });
  return idle.length;
}
