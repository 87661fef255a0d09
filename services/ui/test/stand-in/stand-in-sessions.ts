import { randomBytes } from 'node:crypto';
import {
  ServiceError,
  type Debrief,
  type EmittedMessage,
  type NewStoredEvent,
  type Session,
  type StoredEvent,
  type Turn,
} from '@parley/shared/contracts';
import { OPENING, REPLIES, THE_ASK, type ScriptedReply } from './scripted-talk';

export interface StandInSession {
  session: Session;
  turns: Turn[];
  events: StoredEvent[];
  /** Answers of the last turn by their number, once there are several. */
  answers: Turn[];
  selfRatings: Record<string, number>;
  debrief: Debrief | null;
  /** Text and answer by Idempotency-Key. */
  answered: Map<string, { text: string; answer: unknown }>;
  seq: number;
}

const now = (): string => new Date().toISOString();

export function newSession(overrides: Partial<Session>): StandInSession {
  const session: Session = {
    id: randomBytes(18).toString('base64url'),
    scenario_id: 'the_ask',
    scenario_version: 1,
    pack_id: 'the_ask',
    npc_id: 'dana',
    flow_state: 'NotStarted',
    state_vars: Object.fromEntries(THE_ASK.variables.map((variable) => [variable.name, variable.default])),
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
    created_at: now(),
    started_at: null,
    ended_at: null,
    ...overrides,
  };
  return { session, turns: [], events: [], answers: [], selfRatings: {}, debrief: null, answered: new Map(), seq: 0 };
}

export function requireState(one: StandInSession, operation: string, ...allowed: Session['flow_state'][]): void {
  if (!allowed.includes(one.session.flow_state))
    throw new ServiceError('INVALID_STATE', `This session is in ${one.session.flow_state}.`, {
      details: { flow_state: one.session.flow_state, operation, allowed_in: allowed },
    });
}

const turnOf = (index: number, role: Turn['role'], text: string, emotion: string | null): Turn => ({
  index,
  role,
  text,
  emotion,
  used_fallback: false,
  created_at: now(),
});

function store(one: StandInSession, event: NewStoredEvent): void {
  one.events.push({
    ...event,
    id: one.events.length + 1,
    session_id: one.session.id,
    created_at: now(),
  } as StoredEvent);
}

export function stateMessage({ session }: StandInSession): EmittedMessage {
  return {
    type: 'session.state',
    payload: {
      state: session.flow_state,
      state_vars: session.state_vars,
      ending_type: session.ending_type,
      ending_id: session.ending_id,
    },
  };
}

/** Delivers the opening. */
export function open(one: StandInSession): { turn: Turn; events: EmittedMessage[] } {
  const turn = turnOf(1, 'npc', OPENING.text, OPENING.emotion);
  one.turns.push(turn);
  store(one, {
    kind: 'npc_opening',
    turn_index: 1,
    payload: { emotion: OPENING.emotion, state_delta: {}, event_flags: [] },
  });
  one.session = { ...one.session, flow_state: 'PlayerTurnListening', turn_count: 1, started_at: now() };
  return {
    turn,
    events: [
      {
        type: 'npc.final',
        payload: { turn: 1, content: turn.text, emotion: turn.emotion, state_delta: {}, event_flags: [] },
      },
      stateMessage(one),
    ],
  };
}

export const replyFor = (one: StandInSession): ScriptedReply =>
  REPLIES[one.session.player_turn_count % REPLIES.length] as ScriptedReply;

/** Stores a turn and its reply, and ends the talk when the goal is reached. */
export function commit(one: StandInSession, text: string, reply: ScriptedReply) {
  const { session } = one;
  const player = turnOf(session.turn_count + 1, 'player', text, null);
  const npc = turnOf(session.turn_count + 2, 'npc', reply.text, reply.emotion);
  one.turns.push(player, npc);
  one.answers = [];
  const stateVars = { ...session.state_vars };
  const delta: Record<string, number> = {};
  for (const [name, change] of Object.entries(reply.delta)) {
    const before = stateVars[name] ?? 0;
    stateVars[name] = Math.max(0, Math.min(100, before + change));
    delta[name] = stateVars[name] - before;
  }
  const flags = reply.narration === undefined ? [] : ['freeze_mail'];
  const succeeded = (stateVars['objective_progress'] ?? 0) > 79;
  one.session = {
    ...session,
    state_vars: stateVars,
    flags: [...session.flags, ...flags],
    turn_count: session.turn_count + 2,
    player_turn_count: session.player_turn_count + 1,
    hint: session.player_turn_count >= 1 ? 'Ask what she would have to show, and to whom.' : null,
    ...(succeeded
      ? { flow_state: 'Ended', ending_type: 'success', ending_id: 'a_case_she_can_carry', ended_at: now() }
      : {}),
  };
  const emotion = reply.emotion;
  store(one, {
    kind: 'npc_turn',
    turn_index: npc.index,
    payload: { emotion, state_delta: delta, event_flags: flags, used_fallback: false },
  });
  store(one, { kind: 'state_delta', turn_index: npc.index, payload: { delta, state_vars: stateVars } });
  const events: EmittedMessage[] = [
    {
      type: 'npc.final',
      payload: { turn: npc.index, content: reply.text, emotion, state_delta: delta, event_flags: flags },
    },
    { type: 'scenario.state_delta', payload: { delta, state_vars: stateVars } },
  ];
  if (reply.narration !== undefined) {
    store(one, { kind: 'scenario_event', turn_index: npc.index, payload: { flags, narration: reply.narration } });
    events.push({ type: 'scenario.event', payload: { flags, narration: reply.narration } });
  }
  if (succeeded) events.push(stateMessage(one));
  return { session: one.session, player_turn: player, npc_turn: npc, events, used_fallback: false };
}

/** A debrief as the worker would write it for a scripted talk. */
export function writeDebrief(one: StandInSession): Debrief {
  const deltas = one.events.filter((event) => event.kind === 'state_delta');
  const scores = [72, 62, 50];
  return {
    schema_version: 1,
    session_id: one.session.id,
    scenario_id: one.session.scenario_id,
    ending_type: one.session.ending_type ?? 'player_exit',
    overall_score: 64,
    used_fallback: false,
    generated_at: now(),
    model_id: 'fake-small',
    dimensions: THE_ASK.rubric.dimensions.map((dimension, at) => ({
      id: dimension.id,
      name: dimension.name,
      weight: dimension.weight,
      score: scores[at] ?? 50,
      observed: at < 2,
      self_rating: one.selfRatings[dimension.id] ?? null,
      observations:
        at === 0
          ? [{ turn: 2, delta: 8, note: 'One figure in the first turn, with its reason.' }]
          : at === 1
            ? [{ turn: 4, delta: 7, note: 'An open question about what Dana can decide.' }]
            : [],
    })),
    turning_points: [
      {
        turn: Math.min(7, one.session.turn_count),
        kind: 'state_change',
        description: 'Dana named her limit after you asked what she can decide herself.',
        deltas: { openness: 9, trust: 4 },
      },
    ],
    summary:
      'You named a figure at once and let it stand, and you asked Dana what she can decide before you argued further. That question opened the talk.',
    strengths: ['In turn 2 you said one figure, gave its reason in a sentence, and stopped.'],
    improvements: [
      'After turn 4, offer a second way that fits inside her three percent, such as a grade in January.',
      'Close with a day: who sends what to whom, by when.',
    ],
    replay_suggestions: [{ turn: 4, suggestion: 'Offer two ways before you argue about the winter.' }],
    state_series: [
      { turn: 1, state_vars: Object.fromEntries(THE_ASK.variables.map(({ name, default: value }) => [name, value])) },
      ...deltas.map((event) => ({ turn: event.turn_index ?? 1, state_vars: event.payload.state_vars })),
    ],
  };
}

const SAID = [
  'Thanks for making the time, Dana. It is about my pay. I’d like to go from 46,500 to 53,000. Since March I have done Piotr’s supplier claims beside the planning.',
  'Two things. Stock-outs are down from 31 a month to 9, and express freight fell by 118,000 over the year. Both are in the Monday report.',
  'Fair question. But before I argue further: what can you decide yourself here, and who decides the rest?',
  'So you can sign for three percent, and you have to be fair to seven people with it. What would they have to see upstairs to say yes?',
  'Then I’ll write the page, with the ledger numbers, and you have it by Friday noon.',
];

/** A session in which so many turns were played already. */
export function playedSession(turns: number): StandInSession {
  const one = newSession({});
  open(one);
  for (let at = 0; at < turns; at += 1) commit(one, SAID[at % SAID.length] as string, replyFor(one));
  return one;
}

/** A retry of a session from the given turn of its character, played to its end and debriefed. */
export function retriedSession(from: StandInSession, turn: number): StandInSession {
  const one = newSession({
    flow_state: 'PlayerTurnListening',
    attempt: 'retry',
    forked_from: { session_id: from.session.id, turn },
    turn_count: turn,
    player_turn_count: (turn - 1) / 2,
  });
  one.turns = from.turns.filter((known) => known.index <= turn);
  commit(one, 'What would you need from me to carry this upstairs?', {
    ...(REPLIES[4] as ScriptedReply),
    delta: { objective_progress: 90, trust: 9 },
  });
  one.debrief = writeDebrief(one);
  one.session = { ...one.session, flow_state: 'DebriefReady' };
  return one;
}
