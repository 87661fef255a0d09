import type { Debrief, EmittedMessage, Session, StoredEvent, Turn } from '@parley/shared/contracts';

/** One short talk, which all examples about sessions tell of. */

export const SESSION_ID = '01m7vq4s6n8w5hcpa4em8rz3r7y8fcfskmj34';
export const FORK_ID = '01m7vqa91znfv352xp9265b1979ra0gv5hyd8';

const AT = {
  created: '2026-01-31T09:30:00.000Z',
  started: '2026-01-31T09:30:02.140Z',
  said: '2026-01-31T09:31:10.512Z',
  ended: '2026-01-31T09:38:41.003Z',
  debriefed: '2026-01-31T09:38:52.774Z',
} as const;

const AT_FIRST = { trust: 46, patience: 70, pressure: 30, rapport: 50, openness: 45, objective_progress: 0 };
const DELTA = { trust: 5, openness: 6, objective_progress: 11 };
const AFTERWARDS = { trust: 51, patience: 70, pressure: 30, rapport: 50, openness: 51, objective_progress: 11 };

const SAID = 'I would like 53,000. The reorder sheet cut stock-outs from 31 to 9 a month. What limits you here?';
const ANSWERED = "Okay. I didn't expect you to put it that way. Go on, I'm listening.";
const ANSWERED_AGAIN = 'What limits me is finance. They read one page. What would be on it?';
const OPENING_LINE = 'Come in, push the samples off the chair. You said it was about your role. I am listening.';

export const NEW_SESSION: Session = {
  id: SESSION_ID,
  scenario_id: 'the_ask',
  scenario_version: 1,
  pack_id: 'the_ask',
  npc_id: 'dana',
  flow_state: 'NotStarted',
  state_vars: AT_FIRST,
  flags: [],
  ending_type: null,
  ending_id: null,
  turn_count: 0,
  player_turn_count: 0,
  transcript_saved: true,
  difficulty: 'standard',
  language: 'en',
  focus_dimension: null,
  forked_from: null,
  attempt: 'first',
  coaching: false,
  hint: null,
  created_at: AT.created,
  started_at: null,
  ended_at: null,
};

export const STARTED_SESSION: Session = {
  ...NEW_SESSION,
  flow_state: 'PlayerTurnListening',
  turn_count: 1,
  hint: 'Dana can carry a result upstairs, not a feeling. Which of your results would finance check first?',
  started_at: AT.started,
};

export const PLAYED_SESSION: Session = {
  ...STARTED_SESSION,
  state_vars: AFTERWARDS,
  flags: ['asked_interest'],
  turn_count: 3,
  player_turn_count: 1,
};

export const ENDED_SESSION: Session = {
  ...PLAYED_SESSION,
  flow_state: 'Ended',
  ending_type: 'player_exit',
  hint: null,
  ended_at: AT.ended,
};

export const GENERATING_SESSION: Session = { ...ENDED_SESSION, flow_state: 'DebriefGenerating' };
export const DEBRIEFED_SESSION: Session = { ...ENDED_SESSION, flow_state: 'DebriefReady' };

export const FORKED_SESSION: Session = {
  ...PLAYED_SESSION,
  id: FORK_ID,
  forked_from: { session_id: SESSION_ID, turn: 3 },
  attempt: 'retry',
  created_at: AT.debriefed,
  started_at: AT.debriefed,
};

export const OPENING: Turn = {
  index: 1,
  role: 'npc',
  text: OPENING_LINE,
  emotion: 'warm',
  used_fallback: false,
  variant: 1,
  variants: 1,
  created_at: AT.started,
};

export const PLAYER_TURN: Turn = {
  index: 2,
  role: 'player',
  text: SAID,
  emotion: null,
  used_fallback: false,
  created_at: AT.said,
};

export const NPC_TURN: Turn = {
  index: 3,
  role: 'npc',
  text: ANSWERED,
  emotion: 'thoughtful',
  used_fallback: false,
  variant: 1,
  variants: 1,
  created_at: AT.said,
};

/** The same turn, answered again. */
export const ANOTHER_TURN: Turn = { ...NPC_TURN, text: ANSWERED_AGAIN, emotion: 'curious', variant: 2, variants: 2 };

export const TURNS = [OPENING, PLAYER_TURN, NPC_TURN];

const stateOf = (session: Session): EmittedMessage => ({
  type: 'session.state',
  payload: {
    state: session.flow_state,
    state_vars: session.state_vars,
    ending_type: session.ending_type,
    ending_id: session.ending_id,
  },
});

export const START_EVENTS: EmittedMessage[] = [
  {
    type: 'npc.final',
    payload: { turn: 1, content: OPENING_LINE, emotion: 'warm', state_delta: {}, event_flags: [] },
  },
  stateOf(STARTED_SESSION),
];

export const TURN_EVENTS: EmittedMessage[] = [
  {
    type: 'npc.final',
    payload: {
      turn: 3,
      content: ANSWERED,
      emotion: 'thoughtful',
      state_delta: DELTA,
      event_flags: ['asked_interest'],
    },
  },
  { type: 'scenario.state_delta', payload: { delta: DELTA, state_vars: AFTERWARDS } },
];

export const ANOTHER_EVENTS: EmittedMessage[] = [
  {
    type: 'npc.final',
    payload: {
      turn: 3,
      content: ANSWERED_AGAIN,
      emotion: 'curious',
      state_delta: DELTA,
      event_flags: ['asked_interest'],
    },
  },
  { type: 'scenario.state_delta', payload: { delta: DELTA, state_vars: AFTERWARDS } },
];

export const END_EVENTS: EmittedMessage[] = [stateOf(ENDED_SESSION)];

/** The messages that the examples above do not have. */
export const OTHER_EVENTS: EmittedMessage[] = [
  { type: 'npc.token', payload: { text: "Okay. I didn't" } },
  { type: 'scenario.event', payload: { flags: ['phone_rings'], narration: 'The phone rings. Dana lets it ring.' } },
  { type: 'safety.redirect', payload: { reason: 'The text asks for something that this scenario leaves out.' } },
  {
    type: 'error',
    payload: {
      code: 'RUNTIME_UNAVAILABLE',
      message: 'The model runtime cannot be reached. Check the model server, then try again.',
    },
  },
];

export const STORED_EVENTS: StoredEvent[] = [
  {
    id: 1,
    session_id: SESSION_ID,
    turn_index: 1,
    kind: 'npc_opening',
    payload: { emotion: 'warm', state_delta: {}, event_flags: [] },
    created_at: AT.started,
  },
  {
    id: 2,
    session_id: SESSION_ID,
    turn_index: 3,
    kind: 'npc_turn',
    payload: { emotion: 'thoughtful', state_delta: DELTA, event_flags: ['asked_interest'], used_fallback: false },
    created_at: AT.said,
  },
  {
    id: 3,
    session_id: SESSION_ID,
    turn_index: 3,
    kind: 'state_delta',
    payload: { delta: DELTA, state_vars: AFTERWARDS },
    created_at: AT.said,
  },
];

export const DEBRIEF: Debrief = {
  schema_version: 1,
  session_id: SESSION_ID,
  scenario_id: 'the_ask',
  ending_type: 'player_exit',
  overall_score: 53,
  used_fallback: false,
  generated_at: AT.debriefed,
  model_id: 'Qwen3-4B-Q4_K_M.gguf',
  dimensions: [
    {
      id: 'evidence',
      name: 'Evidence she can check',
      weight: 0.5,
      score: 56,
      observed: true,
      self_rating: 60,
      observations: [{ turn: 2, delta: 6, note: 'Named a figure before and after.' }],
    },
    {
      id: 'options_and_close',
      name: 'Options and a close',
      weight: 0.5,
      score: 50,
      observed: false,
      self_rating: null,
      observations: [],
    },
  ],
  turning_points: [
    { turn: 3, kind: 'state_change', description: 'Dana began to listen for a way to do it.', deltas: DELTA },
  ],
  summary: 'You named a number and rested it on a result that can be checked. You left before there was a next step.',
  strengths: ['Your figure came with what it rests on.'],
  improvements: ['End with who does what by when.'],
  replay_suggestions: [{ turn: 2, suggestion: 'Ask first what Dana would need to see, then name the number.' }],
  state_series: [
    { turn: 1, state_vars: AT_FIRST },
    { turn: 3, state_vars: AFTERWARDS },
  ],
};

export const TIMES = AT;
export const SAID_TEXT = SAID;
export const MARKDOWN = `# The ask

- Scenario: the\\_ask
- Started: ${AT.started}
- Ended: ${AT.ended}, player_exit

## Transcript

**dana** *warm*

${OPENING_LINE}

**1. You**

${SAID}
`;
