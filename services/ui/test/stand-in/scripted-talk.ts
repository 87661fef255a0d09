import type { ScenarioDetail, ScenarioSummary } from '@parley/shared/contracts';
import type { z } from 'zod';

type Detail = z.infer<typeof ScenarioDetail>;
export type Summary = z.infer<typeof ScenarioSummary>;

export interface ScriptedReply {
  readonly text: string;
  readonly emotion: string;
  readonly delta: Readonly<Record<string, number>>;
  readonly narration?: string;
}

const portraits = (pack: string) =>
  Object.fromEntries(
    ['neutral', 'warm', 'curious', 'hesitant', 'thoughtful', 'surprised', 'relieved'].map((emotion) => [
      emotion,
      `/api/packs/${pack}/assets/portraits/${emotion}.svg`,
    ]),
  );

export const THE_ASK: Detail = {
  id: 'the_ask',
  pack_id: 'the_ask',
  version: 1,
  title: 'The ask',
  summary:
    'You have done two jobs since March and are paid for one. Dana, your manager, has given you half an hour. She wants to keep you and has very little to give.',
  skills: ['asking for a raise', 'interest-based negotiation'],
  difficulty: 'standard',
  duration_minutes: 15,
  content_rating: 'G',
  npc: { id: 'dana', name: 'Dana', portrait_url: '/api/packs/the_ask/assets/portraits/neutral.svg' },
  briefing: {
    role: 'Operations analyst at Larkfield',
    brief:
      'You are in your fourth year at Larkfield, a maker of bicycle parts. You earn 46,500. When Piotr left in March his supplier claims landed on your desk and stayed there. You think 53,000 is right.',
    scene: 'Dana’s corner office. Samples of brake levers lie on the second chair.',
    max_turns: 14,
  },
  goals: [
    'Say what you want as a number, and what it rests on.',
    'Find out what limits Dana and what she would need to say yes.',
    'Leave with who does what by when, and with Dana still on your side.',
  ],
  difficulties: [
    { id: 'warm', label: 'A good week', description: 'Dana has slept, likes your work and says so.' },
    { id: 'standard', label: 'An ordinary Tuesday', description: 'Friendly and guarded. She opens with the freeze.' },
    { id: 'hard', label: 'A bad month', description: 'Numbers are down and she has been told no twice.' },
  ],
  language: 'en',
  languages: ['en'],
  variables: [
    { name: 'objective_progress', visibility: 'visible', default: 0, min: 0, max: 100, max_delta_per_turn: 14 },
    { name: 'trust', visibility: 'visible', default: 46, min: 0, max: 100, max_delta_per_turn: 12 },
    { name: 'patience', visibility: 'visible', default: 70, min: 0, max: 100, max_delta_per_turn: 20 },
    { name: 'openness', visibility: 'visible', default: 45, min: 0, max: 100, max_delta_per_turn: 20 },
    { name: 'pressure', visibility: 'hidden', default: 30, min: 0, max: 100, max_delta_per_turn: 20 },
  ],
  endings: [
    {
      id: 'a_case_she_can_carry',
      type: 'success',
      title: 'A case she can carry',
      description: 'Progress above 79 and trust above 44.',
    },
    { id: 'out_of_patience', type: 'failure', title: 'The half hour ends early', description: 'Patience below 10.' },
    { id: 'half_hour_gone', type: 'timeout', title: 'Half past', description: 'The turns are used up.' },
  ],
  rubric: {
    id: 'pay_talk',
    title: 'A pay talk',
    dimensions: [
      {
        id: 'clear_ask',
        name: 'A clear ask',
        description: 'You say what you want as a figure, with a reason, and let it stand.',
        weight: 0.4,
        scoring: {
          low: 'You name no figure, wrap it in an apology, or lower it before Dana has answered.',
          medium: 'You name a figure, but late, as a wide range, or without what it rests on.',
          high: 'You name one figure within your first five lines, give its reason in a sentence, then stop.',
        },
        framework: null,
        sources: [],
      },
      {
        id: 'interests',
        name: 'Finding her interests',
        description: 'You find out what limits Dana and what she needs, and show that it was heard.',
        weight: 0.4,
        scoring: {
          low: 'You ask Dana nothing, or meet a limit by repeating the demand.',
          medium: 'You ask about her limits once but move on without taking it up.',
          high: 'You ask an open question, wait, say the limit back, and use it in what comes next.',
        },
        framework: null,
        sources: [],
      },
      {
        id: 'options_and_close',
        name: 'Options and a close',
        description: 'You offer ways that serve both and end with a dated step.',
        weight: 0.2,
        scoring: {
          low: 'You stay with all or nothing, or leave with “let me know”.',
          medium: 'You offer one other way, or ask for a next step without who, what or when.',
          high: 'You offer at least two ways and fix who does what by which day.',
        },
        framework: null,
        sources: [],
      },
    ],
  },
  portraits: portraits('the_ask'),
  portrait_alt: { neutral: 'Dana, a woman in her forties in a teal blazer, looks at you evenly.' },
  warnings: [],
};

export const KITCHEN_ROTA: Summary = {
  id: 'kitchen_rota',
  pack_id: 'kitchen_rota',
  version: 1,
  title: 'The kitchen rota',
  summary: 'The pan has been in the sink since Sunday. Jules, your flatmate, thinks the rota was your idea anyway.',
  skills: ['softened start-up', 'living together'],
  difficulty: 'warm',
  duration_minutes: 12,
  content_rating: 'G',
  npc: { id: 'jules', name: 'Jules', portrait_url: '/api/packs/kitchen_rota/assets/portraits/neutral.svg' },
};

export const OPENING = {
  text: 'Come in, push the samples off the chair. I’ve got you down for half an hour, and honestly it’s the only half hour today that isn’t about the October switch. You said it was about your role. I’m listening.',
  emotion: 'warm',
};

/** What Dana answers, turn by turn; after the last one it starts again. The fifth reaches success. */
export const REPLIES: readonly ScriptedReply[] = [
  {
    text: 'Fifty-three. All right, you don’t creep up on a person. I’ll be straight with you: there’s a freeze on. What am I paying for that I wasn’t paying for in February?',
    emotion: 'surprised',
    delta: { objective_progress: 10, pressure: 4 },
  },
  {
    text: 'The freight figure I can use. Ines can look that one up herself. How much of it is the sheet, and how much is a mild winter?',
    emotion: 'curious',
    delta: { objective_progress: 10, trust: 5 },
  },
  {
    text: 'Three percent. That’s my signature, and I’ve got seven people looking at it. Above that it goes one floor up, and up there they’ve stopped saying yes to adjectives.',
    emotion: 'hesitant',
    delta: { objective_progress: 7, openness: 9, trust: 4, patience: -4 },
  },
  {
    text: 'That’s about the size of it, yes. Upstairs is Ines Halloran, and Ines reads one page. Not two. Results that she can check without asking me, because she knows that I like you all.',
    emotion: 'thoughtful',
    delta: { objective_progress: 8, trust: 6, openness: 9, pressure: 12 },
    narration: 'Dana’s laptop chimes. She reads two lines and turns the screen a little away from you.',
  },
  {
    text: 'Friday noon, one page, your ledger numbers. I’ll carry it up myself. That I can do.',
    emotion: 'relieved',
    delta: { objective_progress: 50, trust: 5 },
  },
];
