import type { Draft, DraftTalk, DraftTalkRequest, Finding, Story } from '@parley/shared/contracts';
import type { OperationExamples } from './operation-example';

const DRAFT: Draft = {
  draft_id: 'my.a_talk_with_marta',
  name: 'A talk with Marta',
  pack_id: 'my.a_talk_with_marta',
  pack_version: '1.0.0',
  folder: '/home/kim/.local/share/parley/drafts/my.a_talk_with_marta',
  changed_at: '2026-01-31T09:12:00.000Z',
};

const PATH = 'npcs/person.yaml';
const params = { draft_id: DRAFT.draft_id };
const file = { ...params, path: PATH };
const VERSION = 'q3JH1cXb0m5b8k0N1hXh4w';

const WARNING: Finding = {
  severity: 'warning',
  rule: 'lint.dead-event',
  file: 'scenarios/a_talk_with_marta.yaml',
  line: 210,
  column: 5,
  path: 'events[1]',
  message: 'The event turns_away can never fire: it waits for line 20.',
  hint: 'Look at what its conditions ask for.',
};

const STORY: Story = {
  scenario_id: 'a_talk_with_marta',
  title: 'A talk with Marta',
  file: 'scenarios/a_talk_with_marta.yaml',
  max_turns: 10,
  steps: [
    {
      kind: 'ending',
      id: 'a_next_step',
      title: 'A next step',
      ending_type: 'success',
      line: 240,
      waits_for: ['said_it', 'fixed_step'],
      when: ['the move said_it was made', 'the move fixed_step was made', 'objective_progress is above 59'],
      reach: [{ difficulty: 'standard', turns: 2, why: null }],
    },
  ],
};

const LINE = 'What would worry you about it?';
const OUTPUT = '{"npc_utterance":"Good question.","npc_emotion":"thoughtful","state_delta":{"trust":4}}';
const TALK: DraftTalkRequest = {
  scenario_id: 'a_talk_with_marta',
  voice: 'demo',
  start: { state_vars: { patience: 30 }, flags: ['said_it'], line: 6 },
  turns: [{ player_input: LINE, npc: null }],
};
const TALKED: DraftTalk = {
  npc_name: 'Marta',
  difficulty: 'standard',
  opening: 'You wanted to talk to me.',
  state_vars: { trust: 45, patience: 30 },
  turns: [
    {
      player_input: LINE,
      npc: OUTPUT,
      npc_says: 'Good question.',
      emotion: 'thoughtful',
      showed: [{ id: 'asked_open', words: 'What' }],
      raised: ['asked_open'],
      fired: [],
      state_vars: { trust: 55, patience: 30 },
      because: 'demo[5], after asked_open',
    },
  ],
  ending: null,
  prompt: [{ role: 'system', content: '## 1 ROLE' }],
  prompt_tokens: 1840,
};

/** Of the operations of the workbench. */
export const WORKBENCH_EXAMPLES: OperationExamples = {
  listDrafts: { responses: { 200: { drafts: [DRAFT] } } },
  createDraft: { request: { copy_of: 'my.a_talk_with_marta' }, responses: { 201: DRAFT } },
  getDraft: {
    params,
    responses: { 200: { ...DRAFT, files: [{ path: PATH, kind: 'npc', size_bytes: 1204, editable: true }] } },
  },
  deleteDraft: { params, responses: {} },
  getDraftFile: {
    params: file,
    responses: { 200: { path: PATH, text: 'schema_version: "0.2"\nnpc_id: person\n', version: VERSION } },
  },
  saveDraftFile: {
    params: file,
    request: { text: 'schema_version: "0.2"\nnpc_id: person\n', base_version: VERSION },
    responses: { 200: { path: PATH, version: 'bO1m0Yw0xXoUeSxhjT9n2g' } },
  },
  deleteDraftFile: { params: file, responses: {} },
  checkDraft: {
    params,
    responses: {
      200: {
        valid: true,
        findings: [WARNING],
        names: {
          files: ['manifest.yaml', PATH],
          scenarios: ['a_talk_with_marta'],
          variables: ['trust', 'patience'],
          flags: ['attacked'],
          moves: ['said_it', 'fixed_step'],
          events: ['turns_away'],
          endings: ['a_next_step'],
          dimensions: ['saying_it'],
          emotions: ['neutral', 'warm'],
        },
        stories: [STORY],
        scripts: [
          {
            fixture_id: 'a_talk_with_marta_skilled',
            file: 'tests/skilled.yaml',
            result: 'passed',
            ending: 'a_next_step',
          },
        ],
      },
    },
  },
  installDraft: {
    params,
    responses: {
      201: {
        pack: {
          pack_id: DRAFT.draft_id,
          name: DRAFT.name,
          version: '1.0.0',
          author: 'me',
          license: 'CC-BY-4.0',
          description: 'A talk with Marta, made from a form.',
          content_rating: 'PG',
          built_in: false,
          installed_at: '2026-01-31T09:13:00.000Z',
          scenario_count: 1,
        },
        findings: [WARNING],
      },
    },
  },
  exportDraft: { params, responses: {} },
  talkInDraft: { params, request: TALK, responses: { 200: TALKED } },
  recordDraftTalk: {
    params,
    request: {
      ...TALK,
      turns: [{ player_input: LINE, npc: OUTPUT }],
      fixture_id: 'late_ask',
      description: 'Somebody who asks after six lines, when patience is nearly gone.',
    },
    responses: { 201: { path: 'tests/late_ask.yaml', version: VERSION } },
  },
  getPackFormat: {
    responses: {
      200: {
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
          ],
        },
      },
    },
  },
};
