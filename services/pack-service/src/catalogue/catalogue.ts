import type { Queryable } from '@parley/shared/store';
import type { Pack, PackDetail, ScenarioContent, ScenarioDetail, ScenarioSummary } from '@parley/shared/contracts';
import { ServiceError } from '@parley/shared/contracts';
import {
  findPackRecord,
  findScenarioRecord,
  listPackRecords,
  listScenarioRecords,
  listVersionRecords,
  readStoredScenario,
  type PackRecord,
  type StoredScenario,
  type VersionRecord,
} from '../pack-records';
import { assetUrlOf } from './asset-url';
import { describeScenario, summariseScenario } from './describe-scenario';

/** What can be played and what is installed, as the routes answer it. */
export interface Catalogue {
  listScenarios(): Promise<ScenarioSummary[]>;
  getScenario(id: string): Promise<ScenarioDetail>;
  listVersions(id: string): Promise<(VersionRecord & { current: boolean })[]>;
  /** @param version the current one when left out; named ones are there even when their pack is gone. */
  getContent(id: string, version?: number, language?: string): Promise<ScenarioContent>;
  listPacks(): Promise<Pack[]>;
  getPack(packId: string): Promise<PackDetail>;
  findPack(packId: string): Promise<PackRecord>;
  /** Versions are gone from the tables: what is remembered of any is read again. */
  forgetVersions(): void;
}

const LADDER = ['intro', 'practice', 'stretch', null];
/** Versions never change: those that are asked for again are not parsed again. */
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

export function createCatalogue(queryable: Queryable): Catalogue {
  const kept = new Map<string, StoredScenario>();
  const stored = async (id: string, version: number): Promise<StoredScenario> => {
    const key = `${id}@${version}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const read = await readStoredScenario(queryable, id, version);
    if (read === null) throw noScenario();
    const [oldest] = kept.keys();
    if (kept.size >= KEPT_VERSIONS && oldest !== undefined) kept.delete(oldest);
    kept.set(key, read);
    return read;
  };
  const findPack = async (packId: string): Promise<PackRecord> => {
    const record = await findPackRecord(queryable, packId);
    if (record === null) throw noPack();
    return record;
  };

  return {
    findPack,
    forgetVersions: () => kept.clear(),
    async listScenarios() {
      const [packs, records] = [await listPackRecords(queryable), await listScenarioRecords(queryable)];
      const rows = await Promise.all(
        records.map(async (record) => {
          const { content } = await stored(record.id, record.current_version);
          const pack = packs.find((one) => one.pack_id === record.pack_id);
          const rank = [pack?.built_in === true ? 0 : 1, LADDER.indexOf(content.ladder_position)];
          return { rank, summary: summariseScenario(content, assetUrlOf(pack)) };
        }),
      );
      // What comes with Parley first, the easy before the hard; the rest by title.
      rows.sort(
        (a, b) =>
          (a.rank[0] ?? 0) - (b.rank[0] ?? 0) ||
          (a.rank[1] ?? 0) - (b.rank[1] ?? 0) ||
          a.summary.title.localeCompare(b.summary.title, 'en') ||
          (a.summary.id < b.summary.id ? -1 : 1),
      );
      return rows.map(({ summary }) => summary);
    },
    async getScenario(id) {
      const record = await findScenarioRecord(queryable, id);
      if (record === null) throw noScenario();
      const { content } = await stored(id, record.current_version);
      return describeScenario(content, assetUrlOf(await findPack(record.pack_id)));
    },
    async listVersions(id) {
      const record = await findScenarioRecord(queryable, id);
      if (record === null) throw noScenario();
      const versions = await listVersionRecords(queryable, id);
      return versions.map((version) => ({ ...version, current: version.version === record.current_version }));
    },
    async getContent(id, version, language) {
      const wanted = version ?? (await findScenarioRecord(queryable, id))?.current_version;
      if (wanted === undefined) throw noScenario();
      const { content, translations } = await stored(id, wanted);
      const translation =
        language !== undefined && Object.hasOwn(translations, language) ? translations[language] : undefined;
      return translation ?? content;
    },
    async listPacks() {
      const [packs, scenarios] = [await listPackRecords(queryable), await listScenarioRecords(queryable)];
      return packs.map((pack) => toPack(pack, scenarios.filter((one) => one.pack_id === pack.pack_id).length));
    },
    async getPack(packId) {
      const record = await findPack(packId);
      const scenarios = await listScenarioRecords(queryable, packId);
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
