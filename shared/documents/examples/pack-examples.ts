import type { Finding, Pack, PackImport, ScenarioSummary } from '@parley/shared/contracts';
import type { OperationExamples } from './operation-example';

const PORTRAIT = '/api/packs/the_ask/assets/portraits/warm.svg?v=dacfef3218f3781e';

const SCENARIO: ScenarioSummary = {
  id: 'the_ask',
  pack_id: 'the_ask',
  version: 1,
  title: 'The ask',
  summary: 'You have done two jobs since March and are paid for one. Dana, your manager, has given you half an hour.',
  skills: ['asking for a raise', 'interest-based negotiation'],
  difficulty: 'standard',
  duration_minutes: 15,
  content_rating: 'G',
  npc: { id: 'dana', name: 'Dana', portrait_url: PORTRAIT },
};

const BUILT_IN: Pack = {
  pack_id: 'the_ask',
  name: 'The ask',
  version: '1.0.0',
  author: 'Parley contributors',
  license: 'CC-BY-4.0',
  description: 'A pay talk with a manager who is on your side and out of money.',
  content_rating: 'G',
  built_in: true,
  installed_at: '2026-01-31T09:00:00.000Z',
  scenario_count: 1,
};

const IMPORTED: Pack = {
  ...BUILT_IN,
  pack_id: 'late_train',
  name: 'The late train',
  author: 'Kim Doe',
  description: 'A passenger, a conductor, and a connection that is gone.',
  built_in: false,
};

const MADE: Pack = {
  ...IMPORTED,
  pack_id: 'my.a_talk_with_marta',
  name: 'A talk with Marta',
  author: 'me',
  description: 'A talk with Marta, made from a form.',
};

const WARNING: Finding = {
  severity: 'warning',
  rule: 'ref.missing-asset',
  file: 'npcs/kim.yaml',
  line: 12,
  column: 13,
  path: 'portrait',
  message: 'The picture assets/kim.png is not in the pack.',
  hint: 'Add the file, or leave out the member.',
};

const request = { path: '/home/kim/packs/late_train' };

/** Of the operations on scenarios and packs. */
const BEGUN_IMPORT: PackImport = {
  id: '4f0c1c2e-8a53-4a4e-9d0a-2f3f5f6a7b8c',
  status: 'checking',
  files_done: 12,
  files_total: 31,
  findings: [],
  pack_id: null,
  code: null,
  message: null,
  details: null,
};

export const PACK_EXAMPLES: OperationExamples = {
  listScenarios: { responses: { 200: { scenarios: [SCENARIO] } } },
  getScenario: {
    params: { id: 'the_ask' },
    responses: {
      200: {
        ...SCENARIO,
        briefing: {
          role: 'Operations analyst at Larkfield',
          brief: 'You earn 46,500 and think 53,000 is right. You would rather stay.',
          scene: "Dana's office, Tuesday, a quarter past two.",
          max_turns: 14,
        },
        goals: ['Say what you want as a number, and what it rests on.'],
        difficulties: [
          {
            id: 'standard',
            label: 'An ordinary Tuesday',
            description: 'Friendly and guarded; tells you more when you ask.',
          },
        ],
        language: 'en',
        languages: ['en'],
        variables: [
          { name: 'trust', visibility: 'visible', default: 46, min: 0, max: 100, max_delta_per_turn: 12 },
          { name: 'pressure', visibility: 'hidden', default: 25, min: 0, max: 100, max_delta_per_turn: 20 },
        ],
        endings: [
          {
            id: 'a_case_she_can_carry',
            type: 'success',
            title: 'A case she can carry',
            description: 'Objective progress is above 79 and trust is above 44.',
          },
        ],
        rubric: {
          id: 'pay_talk',
          title: 'A pay talk',
          dimensions: [
            {
              id: 'evidence',
              name: 'Evidence she can check',
              description: 'Whether results carry the number.',
              weight: 1,
              scoring: {
                low: 'Feelings and effort.',
                medium: 'A result, without figures.',
                high: 'A figure before and after.',
              },
              framework: null,
              sources: [],
            },
          ],
        },
        portraits: { warm: PORTRAIT },
        portrait_alt: { warm: 'Dana, smiling, a mug in her hand' },
        warnings: [],
      },
    },
  },
  listScenarioVersions: {
    params: { id: 'the_ask' },
    responses: {
      200: {
        versions: [
          {
            version: 1,
            content_hash: '854861cdd7c7ceb2d53ef1a19f88f3ec9c5772ab9cd294b0d30134fd5c234951',
            created_at: '2026-01-31T09:00:00.000Z',
            current: true,
          },
        ],
      },
    },
  },
  listPacks: { responses: { 200: { packs: [BUILT_IN] } } },
  getPack: {
    params: { pack_id: 'the_ask' },
    responses: {
      200: {
        ...BUILT_IN,
        scenarios: [{ id: 'the_ask', title: 'The ask' }],
        npcs: [{ id: 'dana', name: 'Dana' }],
        rubrics: [{ id: 'pay_talk', title: 'A pay talk' }],
        policies: [{ id: 'workplace', description: 'A workplace talk about pay, fit for everybody.' }],
        scenes: [{ id: 'corner_office', name: "Dana's office, Tuesday, a quarter past two" }],
        assets: [{ path: 'assets/portraits/warm.svg', media_type: 'image/svg+xml', size_bytes: 4680, url: PORTRAIT }],
        findings: [],
      },
    },
  },
  importPack: { request, responses: { 201: { pack: IMPORTED, findings: [WARNING] }, 202: BEGUN_IMPORT } },
  createPack: {
    request: {
      who: 'Marta, my team lead',
      want: 'work from home on Fridays',
      need: 'that somebody is there when a customer calls',
    },
    responses: { 201: { pack: MADE, scenario_id: 'my.a_talk_with_marta.a_talk_with_marta' } },
  },
  getPackImport: { params: { id: BEGUN_IMPORT.id }, responses: { 200: BEGUN_IMPORT } },
  cancelPackImport: { params: { id: BEGUN_IMPORT.id }, responses: {} },
  validatePack: { request, responses: { 200: { valid: true, findings: [WARNING] } } },
  deletePack: { params: { pack_id: 'late_train' }, responses: {} },
  getPackAsset: { params: { pack_id: 'the_ask', path: 'portraits/warm.svg' }, responses: {} },
};
