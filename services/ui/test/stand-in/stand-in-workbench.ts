import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  DraftTalkRequest,
  RecordDraftTalkRequest,
  SaveDraftFileRequest,
  ServiceError,
  type Draft,
  type DraftCheck,
  type DraftFile,
  type DraftTalk,
  type Finding,
  type PackFormat,
} from '@parley/shared/contracts';
import type { Answer } from '@parley/shared/service';

const DRAFT: Draft = {
  draft_id: 'my.talk',
  name: 'A talk',
  pack_id: 'my.talk',
  pack_version: '1.0.0',
  folder: '/home/kim/.local/share/parley/drafts/my.talk',
  changed_at: '2026-01-31T09:12:00.000Z',
};

const FINDING: Finding = {
  severity: 'error',
  rule: 'ref.unknown',
  file: 'npcs/ana.yaml',
  line: 3,
  column: 1,
  path: 'emotions',
  message: 'The emotion curios is not known here.',
  hint: 'Did you mean curious?',
};

const FORMAT: PackFormat = {
  kinds: {
    npc: [
      {
        path: 'display_name',
        description: 'What the character is called on the page.',
        type: 'text, at most 100',
        required: true,
        values: [],
        holds: 'value',
      },
      {
        path: 'emotions',
        description: 'Faces that the character can show.',
        type: 'list of text',
        required: false,
        values: [],
        holds: 'list',
      },
    ],
  },
};

const STORY: DraftCheck['stories'][number] = {
  scenario_id: 'talk',
  title: 'A talk',
  file: 'scenarios/talk.yaml',
  max_turns: 10,
  steps: [
    {
      kind: 'event',
      id: 'sits_back',
      title: 'Ana sits back.',
      ending_type: null,
      line: 12,
      waits_for: [],
      when: ['trust is above 60'],
      reach: [{ difficulty: 'standard', turns: 2, why: null }],
    },
    {
      kind: 'secret',
      id: 'her_plan',
      title: 'She leaves in May.',
      ending_type: null,
      line: 20,
      waits_for: ['sits_back'],
      when: ['the event sits_back has fired', 'it is line 40'],
      reach: [{ difficulty: 'standard', turns: null, why: 'it waits for line 40' }],
    },
    {
      kind: 'ending',
      id: 'agreed',
      title: 'Agreed',
      ending_type: 'success',
      line: 30,
      waits_for: ['sits_back'],
      when: ['the event sits_back has fired'],
      reach: [{ difficulty: 'standard', turns: 4, why: null }],
    },
  ],
};

/** The workbench of pack-service with one draft: its files are kept, and its check finds what a test has put there. */
export class StandInWorkbench {
  /** Texts by path. */
  readonly files = new Map([
    ['manifest.yaml', 'schema_version: "0.2"\npack_id: my.talk\n'],
    ['npcs/ana.yaml', 'schema_version: "0.2"\ndisplay_name: Ana\nemotions: [curios]\n'],
  ]);
  /** What the check answers about a text. */
  findingsOf = (texts: ReadonlyMap<string, string>): Finding[] =>
    texts.get('npcs/ana.yaml')?.includes('curios]') === true ? [FINDING] : [];
  /** What was asked of the talk, in order. */
  readonly talks: DraftTalkRequest[] = [];
  private readonly versions = new Map<string, number>();

  /** Somebody else saves a file. */
  saveElsewhere(path: string, saved: string): void {
    this.files.set(path, saved);
    this.versions.set(path, (this.versions.get(path) ?? 1) + 1);
  }

  async answer(operation: string, parts: readonly string[], raw: IncomingMessage): Promise<Answer> {
    const path = parts.slice(6).join('/');
    switch (operation) {
      case 'listDrafts':
        return { body: { drafts: [DRAFT] } };
      case 'createDraft':
        raw.resume();
        return { status: 201, body: DRAFT };
      case 'getDraft':
        return { body: { ...DRAFT, files: this.list() } };
      case 'deleteDraftFile':
        this.files.delete(path);
        return {};
      case 'getDraftFile':
        return { body: { path, text: this.files.get(path) ?? '', version: this.versionOf(path) } };
      case 'saveDraftFile':
        return this.save(path, SaveDraftFileRequest.parse(JSON.parse(await text(raw))));
      case 'checkDraft':
        raw.resume();
        return { body: this.check() };
      case 'talkInDraft':
        return { body: this.talk(DraftTalkRequest.parse(JSON.parse(await text(raw)))) };
      case 'recordDraftTalk': {
        const { fixture_id: id } = RecordDraftTalkRequest.parse(JSON.parse(await text(raw)));
        this.files.set(`tests/${id}.yaml`, 'schema_version: "0.2"\n');
        return { status: 201, body: { path: `tests/${id}.yaml`, version: 'v1' } };
      }
      case 'getPackFormat':
        return { body: FORMAT };
      default:
        throw new ServiceError('NOT_FOUND', 'The stand-in does not answer this.');
    }
  }

  /** Says the player's line back; the second line ends the talk. */
  private talk(request: DraftTalkRequest): DraftTalk {
    this.talks.push(request);
    const begun = { trust: request.start?.state_vars?.['trust'] ?? 50 };
    return {
      npc_name: 'Ana',
      difficulty: 'standard',
      opening: 'What is it?',
      state_vars: begun,
      turns: request.turns.map(({ player_input: said }, at) => ({
        player_input: said,
        npc: '{}',
        npc_says: `You say: ${said}`,
        emotion: 'curious',
        showed: [{ id: 'asked_open', words: said }],
        raised: ['asked_open'],
        fired: at === 0 ? ['sits_back'] : [],
        state_vars: { trust: begun.trust + 5 * (at + 1) },
        because: 'demo[3]',
      })),
      ending: request.turns.length > 1 ? 'agreed' : null,
      prompt: request.turns.length === 0 ? [] : [{ role: 'system', content: '## 1 ROLE\nYou are Ana.' }],
      prompt_tokens: request.turns.length === 0 ? 0 : 1840,
    };
  }

  private versionOf(path: string): string {
    return `v${this.versions.get(path) ?? 1}`;
  }

  private list(): DraftFile[] {
    const assets: DraftFile[] = [{ path: 'assets/ana.svg', kind: 'asset', size_bytes: 900, editable: false }];
    const texts = [...this.files].map(([path, { length }]): DraftFile => ({
      path,
      kind: path.startsWith('npcs/') ? 'npc' : 'manifest',
      size_bytes: length,
      editable: true,
    }));
    return [...assets, ...texts];
  }

  private save(path: string, { text: saved, base_version: base }: SaveDraftFileRequest): Answer {
    if (this.files.has(path) ? base !== this.versionOf(path) : base !== null)
      throw new ServiceError('INVALID_STATE', 'The file was changed in another tab or editor.');
    this.saveElsewhere(path, saved);
    return { body: { path, version: this.versionOf(path) } };
  }

  private check(): DraftCheck {
    const findings = this.findingsOf(this.files);
    return {
      valid: findings.length === 0,
      findings,
      names: {
        files: [...this.files.keys()],
        scenarios: ['talk'],
        variables: ['trust'],
        flags: [],
        moves: ['asked_open'],
        events: ['sits_back'],
        endings: ['agreed'],
        dimensions: [],
        emotions: ['curious', 'neutral'],
      },
      stories: [STORY],
      scripts: [{ fixture_id: 'talk_skilled', file: 'tests/skilled.yaml', result: 'passed', ending: 'agreed' }],
    };
  }
}
