import type { ScenarioContent, ScenarioFlag, ScenarioMove, VariableDefinition } from '@parley/shared/contracts';
import { BASELINE_VARIABLES, DEFAULT_EMOTIONS, DEFAULT_MAX_DELTA } from '@parley/shared/contracts';

const baseline = (): Record<string, VariableDefinition> =>
  Object.fromEntries(
    Object.entries(BASELINE_VARIABLES).map(([name, variable]) => [
      name,
      {
        min: 0,
        max: 100,
        default: variable.default,
        visibility: variable.visibility,
        max_delta_per_turn: DEFAULT_MAX_DELTA,
        authored: false,
      },
    ]),
  );

/** A flag that the model alone may raise. */
export const flagFixture = (meaning: string, changes: Partial<ScenarioFlag> = {}): ScenarioFlag => ({
  meaning,
  shown: null,
  signs: [],
  proof: 'model',
  ...changes,
});

/** A move that the model proves by naming it, and that counts half each time again. */
export const moveFixture = (
  id: string,
  effect: Record<string, number>,
  changes: Partial<ScenarioMove> = {},
): ScenarioMove => ({
  id,
  description: id,
  effect,
  repeat: 'halved',
  signs: [],
  proof: 'model',
  exemplars: [],
  asks: null,
  ...changes,
});

/**
 * A whole scenario for tests, with something in every member: a talk about a late delivery, with presets, moves, two
 * events, endings of each type, hints, flags and a policy. Top-level members can be replaced; each call answers a new
 * object, so that a test may change what it was given.
 */
export function scenarioFixture(overrides: Partial<ScenarioContent> = {}): ScenarioContent {
  return {
    id: 'late_delivery',
    pack_id: 'late_delivery',
    scenario_id: 'late_delivery',
    version: 1,
    content_hash: 'fixture-hash',
    format_version: '0.2',
    title: 'The late delivery',
    summary: 'A workshop owner waits for a machine part that will not come this week.',
    skills: ['bad news', 'negotiation'],
    content_rating: 'G',
    language: 'en',
    languages: ['en'],
    player_role: { label: 'Account manager', brief: 'You must tell Ines that her part comes two weeks late.' },
    npc: {
      npc_id: 'ines',
      display_name: 'Ines Duarte',
      archetype: 'stretched_owner',
      occupation: 'Owner of a small joinery',
      speaking_style: 'Short sentences, dry humour',
      demeanor: 'Tired but fair',
      hidden_agenda: ['She has promised her own customer a date already.'],
      biases_to_simulate: ['Expects sellers to hide bad news.'],
      boundaries: ['Will not discuss her staff.'],
      emotions: [...DEFAULT_EMOTIONS],
      sample_lines: ['So which week is it, really?'],
      emotional_triggers: [{ when_player: 'names a firm date', reaction: 'calms down and asks for details' }],
      portraits: { neutral: 'assets/ines-neutral.svg' },
      portrait: 'assets/ines.svg',
      alt: { portrait: 'A woman in a workshop apron' },
    },
    scene: {
      scene_id: 'workshop',
      display_name: 'The workshop',
      description: 'A saw stands still in the middle of the room.',
      background: null,
      ambient: 'quiet_workshop',
      alt: null,
    },
    rubric: {
      rubric_id: 'bad_news',
      title: 'Giving bad news',
      dimensions: [
        {
          id: 'clarity',
          name: 'Clarity',
          description: 'Says the news plainly.',
          scoring: { low: 'Hides the delay.', medium: 'Says it late.', high: 'Says it in the first two sentences.' },
          weight: 1,
          moves: ['plain_news'],
          framework: 'SPIKES, adapted',
          sources: ['Baile et al. 2000'],
          max_delta_per_turn: 10,
          skill: null,
          checks: [],
          faults: [],
        },
        {
          id: 'listening',
          name: 'Listening',
          description: 'Takes up what was said.',
          scoring: { low: 'Talks over.', medium: 'Nods along.', high: 'Says back what matters to her.' },
          weight: 0.5,
          moves: [],
          framework: null,
          sources: [],
          max_delta_per_turn: 6,
          skill: null,
          checks: [],
          faults: [],
        },
      ],
    },
    policy: {
      policy_id: 'standard',
      description: 'Workplace talk.',
      content_categories: { harassment_extreme: 'redirect', legal_claim: 'refuse', criminal_instruction: 'stop' },
      redirect_message: 'Let us stay with the delivery.',
      allow_profanity: false,
      content_rating_cap: 'G',
    },
    duration: { max_turns: 10, soft_time_limit_minutes: 12 },
    opening: { npc_says: 'You said you had news about my part.', emotion: 'curious' },
    goals: {
      player_visible: ['Agree on a new date.'],
      hidden: ['She accepts a loan machine if asked what she needs.'],
    },
    variables: {
      ...baseline(),
      patience: { min: 0, max: 100, default: 60, visibility: 'visible', max_delta_per_turn: 15, authored: true },
      alarm: { min: -10, max: 50, default: 10, visibility: 'hidden', max_delta_per_turn: 8, authored: true },
    },
    difficulty: {
      declared: true,
      default: 'standard',
      options: {
        standard: {
          patience: 70,
          volatility: 50,
          disclosure: 45,
          time_pressure: 30,
          label: 'Usual',
          description: 'A normal Monday.',
        },
        hard: {
          patience: 40,
          volatility: 90,
          disclosure: 20,
          time_pressure: 60,
          label: 'Hard',
          description: 'Her customer has just called.',
        },
      },
    },
    events: [
      {
        id: 'customer_calls',
        when: [{ type: 'variable_above', variable: 'alarm', threshold: 20 }],
        npc_instruction: 'Your own customer calls; mention the pressure once.',
        repeat: false,
        effects: { pressure: 10, patience: -5 },
        narration: 'The phone on the bench rings.',
      },
      {
        id: 'coffee_offered',
        when: [
          { type: 'variable_above', variable: 'trust', threshold: 60 },
          { type: 'flag', flag_id: 'plain_news' },
        ],
        npc_instruction: 'Offer coffee.',
        repeat: true,
        effects: {},
        narration: null,
      },
    ],
    endings: [
      {
        id: 'date_agreed',
        type: 'success',
        title: 'A date both can keep',
        when: [
          { type: 'variable_above', variable: 'objective_progress', threshold: 79 },
          { type: 'variable_above', variable: 'trust', threshold: 44 },
        ],
        debrief_note: 'The date was agreed because the need came first.',
      },
      {
        id: 'shown_out',
        type: 'failure',
        title: 'Shown the door',
        when: [{ type: 'variable_below', variable: 'patience', threshold: 10 }],
        debrief_note: null,
      },
      {
        id: 'false_promise_made',
        type: 'failure',
        title: 'A promise nobody can keep',
        when: [{ type: 'flag', flag_id: 'false_promise' }],
        debrief_note: null,
      },
      {
        id: 'she_leaves',
        type: 'timeout',
        title: 'She has to go',
        when: [
          { type: 'flag', flag_id: 'npc_requests_end' },
          { type: 'max_turns', value: 3 },
        ],
        debrief_note: null,
      },
    ],
    flags: { false_promise: flagFixture('The player promises a date that cannot hold.') },
    moves: [
      moveFixture('plain_news', { trust: 8, alarm: -4 }, { description: 'Says the bad news plainly.' }),
      moveFixture('asks_need', { objective_progress: 10 }, { description: 'Asks what she needs most.' }),
    ],
    secrets: [],
    outcome: [],
    npc_knows: null,
    bands: {},
    demo: [],
    hints: [
      {
        when: [{ type: 'variable_below', variable: 'patience', threshold: 40 }],
        text: 'Say the news in one sentence.',
      },
      { when: [{ type: 'max_turns', value: 2 }], text: 'Ask what the delay costs her.' },
    ],
    response_style: { max_words: 60, verbosity: 'moderate', formality: 'professional' },
    ladder_position: 'practice',
    taught_dimensions: ['clarity'],
    tested_dimensions: ['listening'],
    replay_seed: 7,
    ...overrides,
  };
}
