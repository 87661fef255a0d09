import type { Knex } from 'knex';
import type { Finding, ManifestFile, ScenarioContent } from '@parley/shared/contracts';
import type { CompiledScenario } from './catalogue/compile-pack';

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

type Row = Record<string, string | number>;

const toPack = (row: Row): PackRecord =>
  ({
    ...row,
    built_in: Boolean(row['built_in']),
    manifest: JSON.parse(String(row['manifest'])) as ManifestFile,
    findings: JSON.parse(String(row['findings'])) as Finding[],
    inventory: JSON.parse(String(row['inventory'])) as PackInventory,
  }) as unknown as PackRecord;

export async function listPackRecords(knex: Knex): Promise<PackRecord[]> {
  const rows = (await knex('packs')
    .select('*')
    .orderBy([{ column: 'built_in', order: 'desc' }, 'name', 'pack_id'])) as Row[];
  return rows.map(toPack);
}

export async function findPackRecord(knex: Knex, packId: string): Promise<PackRecord | null> {
  const row = (await knex('packs').where({ pack_id: packId }).first('*')) as Row | undefined;
  return row === undefined ? null : toPack(row);
}

/** Scenarios that can be played, in the order of their packs' files. */
export async function listScenarioRecords(knex: Knex, packId?: string): Promise<ScenarioRecord[]> {
  const query = knex('scenarios')
    .where({ removed: 0, ...(packId === undefined ? {} : { pack_id: packId }) })
    .orderBy(['pack_id', 'position', 'id'])
    .select('id', 'pack_id', 'current_version', 'title', 'position');
  return (await query) as ScenarioRecord[];
}

/** @returns null when no pack has it now; its versions may still be there. */
export async function findScenarioRecord(knex: Knex, id: string): Promise<ScenarioRecord | null> {
  const row = (await knex('scenarios').where({ id, removed: 0 }).first('*')) as ScenarioRecord | undefined;
  return row ?? null;
}

/** Newest first. */
export async function listVersionRecords(knex: Knex, id: string): Promise<VersionRecord[]> {
  return (await knex('scenario_versions')
    .where({ id })
    .orderBy('version', 'desc')
    .select('version', 'content_hash', 'created_at')) as VersionRecord[];
}

/** A version as it was when it was made; also of scenarios that are gone, for sessions that began with it. */
export async function readStoredScenario(knex: Knex, id: string, version: number): Promise<StoredScenario | null> {
  const row = (await knex('scenario_versions').where({ id, version }).first('content')) as
    { content: string } | undefined;
  return row === undefined ? null : (JSON.parse(row.content) as StoredScenario);
}

async function saveScenario(
  transaction: Knex,
  compiled: CompiledScenario,
  position: number,
  now: string,
): Promise<void> {
  const { id, pack_id: packId, title } = compiled.content;
  const newest = (await transaction('scenario_versions')
    .where({ id })
    .orderBy('version', 'desc')
    .first('version', 'content_hash')) as { version: number; content_hash: string } | undefined;
  let version = newest?.version ?? 0;
  if (newest?.content_hash !== compiled.content_hash) {
    version += 1;
    const stamped = (content: ScenarioContent): ScenarioContent => ({
      ...content,
      version,
      content_hash: compiled.content_hash,
    });
    const stored: StoredScenario = {
      content: stamped(compiled.content),
      translations: Object.fromEntries(
        Object.entries(compiled.translations).map(([language, content]) => [language, stamped(content)]),
      ),
    };
    await transaction('scenario_versions').insert({
      id,
      version,
      content_hash: compiled.content_hash,
      content: JSON.stringify(stored),
      created_at: now,
    });
  }
  await transaction('scenarios')
    .insert({ id, pack_id: packId, current_version: version, title, position, removed: 0 })
    .onConflict('id')
    .merge();
}

/**
 * Writes a pack and its scenarios: new ones, changed ones as a new version, and those that it no longer has as removed.
 * The same pack again changes nothing but the record itself.
 */
export async function savePack(
  transaction: Knex,
  record: PackRecord,
  scenarios: readonly CompiledScenario[],
  now: string,
): Promise<void> {
  await transaction('packs')
    .insert({
      ...record,
      built_in: record.built_in ? 1 : 0,
      manifest: JSON.stringify(record.manifest),
      findings: JSON.stringify(record.findings),
      inventory: JSON.stringify(record.inventory),
    })
    .onConflict('pack_id')
    .merge();
  for (const [position, compiled] of scenarios.entries()) await saveScenario(transaction, compiled, position, now);
  await transaction('scenarios')
    .where({ pack_id: record.pack_id })
    .whereNotIn(
      'id',
      scenarios.map(({ content }) => content.id),
    )
    .update({ removed: 1 });
}

/** Takes a pack out of the catalogue. Versions of its scenarios stay: ended sessions are still debriefed with them. */
export async function removePack(transaction: Knex, packId: string): Promise<void> {
  await transaction('packs').where({ pack_id: packId }).delete();
  await transaction('scenarios').where({ pack_id: packId }).update({ removed: 1 });
}
