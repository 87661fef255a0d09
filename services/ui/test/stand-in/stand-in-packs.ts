import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ServiceError, type Finding, type Pack, type PackImport } from '@parley/shared/contracts';
import type { Answer, Forward } from '@parley/shared/service';
import { StandInWorkbench } from './stand-in-workbench';
import { KITCHEN_ROTA, THE_ASK, type Summary } from './scripted-talk';

const PACKS_FOLDER = path.join(__dirname, '../../../../packs');

const packOf = (id: string, name: string, builtIn: boolean): Pack => ({
  pack_id: id,
  name,
  version: '1.0.0',
  author: 'Parley',
  license: 'CC-BY-4.0',
  description: 'Scenarios to practise with.',
  content_rating: 'G',
  built_in: builtIn,
  installed_at: '2026-01-01T00:00:00.000Z',
  scenario_count: 1,
});

const BROKEN_REFERENCE: Finding = {
  severity: 'error',
  rule: 'ref.unknown',
  file: 'scenarios/one.yaml',
  line: 12,
  column: 8,
  path: 'npc.ref',
  message: 'There is no file npcs/anna.yaml.',
  hint: 'Did you mean npcs/ana.yaml?',
};

/** An import that goes on until a test says otherwise. */
const BEGUN: PackImport = {
  id: '',
  status: 'queued',
  files_done: 0,
  files_total: null,
  findings: [],
  pack_id: null,
  code: null,
  message: null,
  details: null,
};

/** How the import of a pack ends whose check finds an error. */
const REFUSED: Partial<PackImport> = {
  status: 'failed',
  code: 'PACK_INVALID',
  message: 'The pack has an error; nothing was installed.',
  findings: [BROKEN_REFERENCE],
};

function summaryOf(scenario: Summary): Summary {
  const { id, pack_id, version, title, summary, skills, difficulty, duration_minutes, content_rating, npc } = scenario;
  return { id, pack_id, version, title, summary, skills, difficulty, duration_minutes, content_rating, npc };
}

/** What session-api passes on to pack-service: catalogue, detail, packs, pictures. */
export class StandInPacks {
  packs: Pack[] = [packOf('the_ask', 'The ask', true), packOf('my_pack', 'My pack', false)];
  /** The scenario that can be played. */
  detail = THE_ASK;
  /** How far the import is that a test begins; the query of each call that began one. */
  importState: Partial<PackImport> = REFUSED;
  readonly importQueries: string[] = [];
  /** Why no pack is made of a form; null while one is. */
  makingFails: ServiceError | null = null;
  /** Whether the pack that can be removed is played. */
  isInUse = false;
  readonly workbench = new StandInWorkbench();
  /** Operations that answer 503 while they are in here. */
  readonly away = new Set<string>();

  readonly forward: Forward = async (route, { raw }) => {
    if (this.away.has(route.operation))
      throw new ServiceError('SERVICE_UNAVAILABLE', 'The pack service cannot be reached. Try again in a moment.', {
        details: { service: 'pack_service' },
      });
    const [address = '', query = ''] = (raw.url ?? '').split('?');
    const parts = address.split('/').map(decodeURIComponent);
    switch (route.operation) {
      case 'listScenarios':
        return { body: { scenarios: [this.detail, KITCHEN_ROTA].map(summaryOf) } };
      case 'getScenario':
        if (parts[3] !== THE_ASK.id) throw new ServiceError('SCENARIO_NOT_FOUND', 'There is no such scenario.');
        return { body: this.detail };
      case 'listPacks':
        return { body: { packs: this.packs } };
      case 'deletePack':
        if (this.isInUse) throw new ServiceError('PACK_IN_USE', 'Talks with this pack are open: end them first.');
        this.packs = this.packs.filter((pack) => pack.pack_id !== parts[3]);
        return {};
      case 'importPack':
        raw.resume();
        this.importQueries.push(query);
        return { status: 202, body: { ...BEGUN, id: `import-${this.importQueries.length}` } };
      case 'getPackImport':
        return { body: { ...BEGUN, id: parts.at(-1), ...this.importState } };
      case 'cancelPackImport':
        this.importState = { status: 'cancelled' };
        return { status: 204 };
      case 'createPack':
        raw.resume();
        if (this.makingFails !== null) throw this.makingFails;
        return { status: 201, body: { pack: packOf('my.talk', 'A talk', false), scenario_id: THE_ASK.id } };
      case 'getPackAsset':
        return assetOf(parts[3] ?? '', parts.at(-1) ?? '');
      default:
        return this.workbench.answer(route.operation, parts, raw);
    }
  };
}

/** A portrait of a built-in pack. */
function assetOf(packId: string, name: string): Answer {
  const file = path.join(PACKS_FOLDER, packId, 'assets/portraits', path.basename(name));
  if (!existsSync(file)) throw new ServiceError('NOT_FOUND', 'There is no such file in the pack.');
  return { content: readFileSync(file), headers: { 'Content-Type': 'image/svg+xml' } };
}
