import { contentWords } from '@parley/shared/engine';
import type { FormLanguage } from '@parley/shared/contracts';
import type { FormTexts } from './form-words/english';
import type { FormTalk } from './form-words/form-talk';
import { FORM_WORDS } from './form-words/form-words';

const PEACEFUL = { not: { tone: ['insult', 'blame', 'shouting', 'threat'] } };

function moves(language: FormLanguage, talk: FormTalk) {
  const words = FORM_WORDS[language];
  const { moves: says } = words.texts(talk);
  /** Words by which it can be told that a text is spoken of; a sign needs at least one. */
  const wordsOf = (text: string, otherwise: readonly string[]): string[] => {
    const found = contentWords(text, language);
    return found.length > 0 ? found : [...otherwise];
  };
  return [
    {
      id: 'said_it',
      ...says.said_it,
      effect: { objective_progress: 22 },
      repeat: 'once',
      asks: true,
      signs: [
        { any: [{ says: words.asking }, { person: ['i'] }] },
        { says: wordsOf(talk.want, words.asking) },
        { words: { at_least: 4 } },
        PEACEFUL,
      ],
    },
    {
      id: 'asked_open',
      ...says.asked_open,
      effect: { objective_progress: 16, trust: 6 },
      repeat: 'halved',
      signs: [{ question: 'open' }, PEACEFUL],
    },
    {
      id: 'took_up',
      ...says.took_up,
      effect: { objective_progress: 16, trust: 8 },
      repeat: 'halved',
      signs: [
        { any: [{ echo: { of: 'last_npc', at_least: 2 } }, { says: [...wordsOf(talk.need, []), ...words.hearing] }] },
        { words: { at_least: 4 } },
        PEACEFUL,
      ],
    },
    {
      id: 'offered',
      ...says.offered,
      effect: { objective_progress: 16, trust: 4 },
      repeat: 'halved',
      signs: [{ says: words.offering }, { words: { at_least: 5 } }, PEACEFUL],
    },
    {
      id: 'fixed_step',
      ...says.fixed_step,
      effect: { objective_progress: 20 },
      repeat: 'once',
      signs: [{ day: true }, { any: [{ says: words.agreeing }, { question: 'any' }] }, PEACEFUL],
    },
  ];
}

type DemoTexts = FormTexts['demo'];
/** When the demo voice says which of its lines. Those without a condition fill the turns of somebody who says little. */
const DEMO: readonly (readonly [
  texts: keyof DemoTexts,
  at: number,
  emotion: string,
  when?: Record<string, unknown>,
])[] = [
  ['attacked', 0, 'hurt'],
  ['attacked', 1, 'angry'],
  // What ends the talk comes first: a question behind an agreement would be left open.
  ['fixed_step', 0, 'relieved'],
  ['sits_back', 0, 'curious'],
  ['said_it', 0, 'surprised'],
  ['asked_open', 0, 'thoughtful'],
  ['offered', 0, 'thoughtful'],
  ['took_up', 0, 'surprised'],
  ['asked_open', 1, 'thoughtful'],
  ['offered', 1, 'curious'],
  ['took_up', 1, 'warm'],
  ['asked_open', 2, 'hesitant'],
  ['offered', 2, 'warm'],
  ['took_up', 2, 'neutral'],
  ['impatient', 0, 'frustrated', { type: 'variable_below', variable: 'patience', threshold: 30 }],
  ['not_said_it', 0, 'curious', { type: 'no_flag', flag_id: 'said_it' }],
  ['not_said_it', 1, 'hesitant', { type: 'no_flag', flag_id: 'said_it' }],
  ['not_asked_open', 0, 'defensive', { type: 'no_flag', flag_id: 'asked_open' }],
  ['not_fixed_step', 0, 'curious', { type: 'no_flag', flag_id: 'fixed_step' }],
];
const OTHERWISE_EMOTIONS = [
  'neutral',
  'thoughtful',
  'neutral',
  'hesitant',
  'neutral',
  'neutral',
  'frustrated',
  'curious',
  'neutral',
  'hesitant',
];

const demo = (texts: DemoTexts) => [
  ...DEMO.map(([name, at, emotion, when]) => ({
    ...(when === undefined ? { after: name } : { when }),
    says: texts[name][at],
    emotion,
  })),
  ...texts.otherwise.map((says, at) => ({ otherwise: true, says, emotion: OTHERWISE_EMOTIONS[at] })),
];

/** A whole scenario out of three answers. It asks for nothing that only its author could know. */
export function formScenario(language: FormLanguage, talk: FormTalk): Record<string, unknown> {
  const { id, title } = talk;
  const texts = FORM_WORDS[language].texts(talk);
  return {
    schema_version: '0.2',
    scenario_id: id,
    title,
    summary: texts.summary,
    skills: texts.skills,
    player_role: texts.role,
    npc: { ref: '../npcs/person.yaml' },
    rubric: { ref: '../rubrics/plain_talk.yaml' },
    duration: { max_turns: 10, soft_time_limit_minutes: 8 },
    opening: { npc_says: texts.opening, emotion: 'curious' },
    goals: texts.goals,
    npc_knows: texts.npc_knows,
    state: {
      variables: {
        objective_progress: { min: 0, max: 100, default: 0, visibility: 'visible', max_delta_per_turn: 2 },
        trust: { min: 0, max: 100, default: 45, visibility: 'visible', max_delta_per_turn: 6 },
        patience: { min: 0, max: 100, default: 65, visibility: 'visible', max_delta_per_turn: 8 },
      },
    },
    moves: moves(language, talk),
    flags: {
      attacked: {
        ...texts.attacked,
        signs: [{ tone: ['insult', 'blame', 'shouting', 'threat'] }],
        proof: 'signs',
      },
    },
    secrets: [
      {
        id: 'what_they_need',
        when: { type: 'flag', flag_id: 'asked_open' },
        ...texts.secret,
      },
    ],
    events: [
      {
        id: 'sits_back',
        when: [
          { type: 'flag', flag_id: 'said_it' },
          { type: 'flag', flag_id: 'took_up' },
        ],
        ...texts.sits_back,
        effects: { trust: 6 },
      },
      {
        id: 'turns_away',
        when: { type: 'flag', flag_id: 'attacked' },
        ...texts.turns_away,
        effects: { patience: -35, trust: -15 },
        repeat: true,
      },
    ],
    hints: Object.entries(texts.hints).map(([id, text]) => ({ when: { type: 'no_flag', flag_id: id }, text })),
    demo: demo(texts.demo),
    outcome: [
      { when: { type: 'flag', flag_id: 'said_it' }, text: texts.outcome.said_it },
      { when: { type: 'no_flag', flag_id: 'said_it' }, text: texts.outcome.not_said_it },
      { when: { type: 'flag', flag_id: 'offered' }, text: texts.outcome.offered, quote: 'offered' },
      { when: { type: 'flag', flag_id: 'fixed_step' }, text: texts.outcome.fixed_step, quote: 'fixed_step' },
      { when: { type: 'no_flag', flag_id: 'fixed_step' }, text: texts.outcome.not_fixed_step },
    ],
    endings: [
      {
        id: 'a_next_step',
        type: 'success',
        ...texts.endings.a_next_step,
        when: [
          { type: 'flag', flag_id: 'said_it' },
          { type: 'flag', flag_id: 'fixed_step' },
          { type: 'variable_above', variable: 'objective_progress', threshold: 59 },
        ],
      },
      {
        id: 'turned_away',
        type: 'failure',
        ...texts.endings.turned_away,
        when: [{ type: 'variable_below', variable: 'patience', threshold: 15 }],
      },
      {
        id: 'out_of_time',
        type: 'timeout',
        ...texts.endings.out_of_time,
        when: [{ type: 'max_turns', value: 10 }],
      },
    ],
    difficulty: {
      default: 'standard',
      options: {
        warm: { patience: 85, volatility: 40, disclosure: 65, time_pressure: 10, ...texts.difficulty.warm },
        standard: { patience: 65, volatility: 50, disclosure: 45, time_pressure: 30, ...texts.difficulty.standard },
        hard: { patience: 50, volatility: 60, disclosure: 30, time_pressure: 55, ...texts.difficulty.hard },
        adversarial: {
          patience: 40,
          volatility: 75,
          disclosure: 15,
          time_pressure: 75,
          ...texts.difficulty.adversarial,
        },
      },
    },
    response_style: { max_words: 60, verbosity: 'moderate', formality: 'casual' },
    ladder_position: 'practice',
    taught_dimensions: ['saying_it', 'hearing_it'],
    tested_dimensions: ['saying_it', 'hearing_it', 'closing_it'],
  };
}
