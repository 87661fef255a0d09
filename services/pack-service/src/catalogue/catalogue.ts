import { LRUCache } from 'lru-cache';
import type { Database } from '@parley/shared/store';
import type { Pack, PackDetail, ScenarioContent, ScenarioDetail, ScenarioSummary } from '@parley/shared/contracts';
import { DamagedRowError, ServiceError } from '@parley/shared/contracts';
import {
  findPackRecord,
  findScenarioRecord,
  keepsVersion,
  listPackRecords,
  listScenarioRecords,
  listVersionRecords,
  readStoredScenario,
  type PackRecord,
  type ScenarioRecord,
  type StoredScenario,
  type VersionRecord,
} from '../pack-records';
import { assetUrlOf } from './asset-url';
import { contentIn } from './compile-pack';
import { describeScenario, summariseScenario } from './describe-scenario';

/** What can be played and what is installed, as the routes answer it. */
export interface Catalogue {
  /** @param language that the texts should be in, where the pack has it; else the pack's first one. */
  listScenarios(language?: string): Promise<ScenarioSummary[]>;
  getScenario(id: string, language?: string): Promise<ScenarioDetail>;
  listVersions(id: string): Promise<(VersionRecord & { current: boolean })[]>;
  /** @param version the current one when left out; named ones are there even when their pack is gone. */
  getContent(id: string, version?: number, language?: string): Promise<ScenarioContent>;
  listPacks(): Promise<Pack[]>;
  getPack(packId: string): Promise<PackDetail>;
  findPack(packId: string): Promise<PackRecord>;
}

const LADDER = ['intro', 'practice', 'stretch', null];
/** Versions never change: those that are asked for again are not parsed again. Which there are is read each time. */
const KEPT_VERSIONS = 64;

const noScenario = (): ServiceError =>
  new ServiceError(
    'SCENARIO_NOT_FOUND',
    'There is no such scenario; list the scenarios and pick one, or install its pack.',
  );

const noPack = (): ServiceError =>
  new ServiceError('PACK_NOT_FOUND', 'There is no such pack; list the packs to see what is installed.');

export const toPack = (record: PackRecord, scenarioCount: number): Pack => ({
  pack_id: record.pack_id,
  name: record.name,
  version: record.version,
  author: record.author,
  license: record.license,
  description: record.description,
  content_rating: record.content_rating,
  built_in: record.built_in,
  installed_at: record.installed_at,
  scenario_count: scenarioCount,
});

export function createCatalogue(database: Database): Catalogue {
  const kept = new LRUCache<string, StoredScenario, { id: string; version: number }>({
    max: KEPT_VERSIONS,
    // Whoever asks for what is being read waits for the same reading.
    fetchMethod: async (_key, _stale, { context: { id, version } }) => {
      const read = await readStoredScenario(database, id, version);
      if (read === null) throw noScenario();
      return read;
    },
    ignoreFetchAbort: true,
  });
  const stored = (id: string, version: number): Promise<StoredScenario> =>
    kept.forceFetch(`${id}@${version}`, { context: { id, version } });
  /** What a scenario says now; null, and told in the log, where its row cannot be read: it must not hide the others. */
  const readable = async (
    { id, current_version }: ScenarioRecord,
    language: string | undefined,
  ): Promise<ScenarioContent | null> => {
    try {
      return contentIn(await stored(id, current_version), language);
    } catch (error) {
      if (!(error instanceof DamagedRowError)) throw error;
      database.logger?.warn({ err: error, scenario_id: id }, 'a scenario cannot be read and is left out of the list');
      return null;
    }
  };
  const findPack = async (packId: string): Promise<PackRecord> => {
    const record = await findPackRecord(database, packId);
    if (record === null) throw noPack();
    return record;
  };

  return {
    findPack,
    async listScenarios(language) {
      const [packs, records] = [await listPackRecords(database), await listScenarioRecords(database)];
      const rows = await Promise.all(
        records.map(async (record) => {
          const content = await readable(record, language);
          if (content === null) return [];
          const pack = packs.find((one) => one.pack_id === record.pack_id);
          const isOther = language !== undefined && content.language !== language;
          const rank = [Number(isOther), pack?.built_in === true ? 0 : 1, LADDER.indexOf(content.ladder_position)];
          return [{ rank, summary: summariseScenario(content, assetUrlOf(pack)) }];
        }),
      );
      const listed = rows.flat();
      // The wished language first, then what comes with Parley, the easy before the hard; the rest by title.
      listed.sort(
        (a, b) =>
          (a.rank[0] ?? 0) - (b.rank[0] ?? 0) ||
          (a.rank[1] ?? 0) - (b.rank[1] ?? 0) ||
          (a.rank[2] ?? 0) - (b.rank[2] ?? 0) ||
          a.summary.title.localeCompare(b.summary.title, 'en') ||
          (a.summary.id < b.summary.id ? -1 : 1),
      );
      return listed.map(({ summary }) => summary);
    },
    async getScenario(id, language) {
      const record = await findScenarioRecord(database, id);
      if (record === null) throw noScenario();
      const content = contentIn(await stored(id, record.current_version), language);
      return describeScenario(content, assetUrlOf(await findPack(record.pack_id)), language);
    },
    async listVersions(id) {
      const record = await findScenarioRecord(database, id);
      if (record === null) throw noScenario();
      const versions = await listVersionRecords(database, id);
      return versions.map((version) => ({ ...version, current: version.version === record.current_version }));
    },
    async getContent(id, version, language) {
      const wanted = version ?? (await findScenarioRecord(database, id))?.current_version;
      if (wanted === undefined) throw noScenario();
      // What nobody needs any more is forgotten, and another process may have done so.
      if (version !== undefined && !(await keepsVersion(database, id, version))) throw noScenario();
      return contentIn(await stored(id, wanted), language);
    },
    async listPacks() {
      const [packs, scenarios] = [await listPackRecords(database), await listScenarioRecords(database)];
      return packs.map((pack) => toPack(pack, scenarios.filter((one) => one.pack_id === pack.pack_id).length));
    },
    async getPack(packId) {
      const record = await findPack(packId);
      const scenarios = await listScenarioRecords(database, packId);
      const url = assetUrlOf(record);
      const { npcs, rubrics, policies, scenes, assets } = record.inventory;
      return {
        ...toPack(record, scenarios.length),
        scenarios: scenarios.map(({ id, title }) => ({ id, title })),
        npcs: [...npcs],
        rubrics: [...rubrics],
        policies: [...policies],
        scenes: [...scenes],
        assets: assets.map(({ path, media_type, size }) => ({
          path,
          media_type,
          size_bytes: size,
          url: url(path) ?? '',
        })),
        findings: [...record.findings],
      };
    },
  };
}
