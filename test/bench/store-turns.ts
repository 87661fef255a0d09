import { randomBytes } from 'node:crypto';
import {
  appendEvents,
  appendTurns,
  findSession,
  indexTurns,
  insertSession,
  listTurns,
  newSessionId,
  saveSession,
  type Database,
  type NewSession,
  type SessionRow,
  type NewTurn,
} from '@parley/shared/store';
import type { NewStoredEvent } from '@parley/shared/contracts';
import type { BareTurns } from './bare-turns';

const WINDOW_TURNS = 12;
const VARIABLES = { trust: 50, patience: 75, pressure: 25, rapport: 50, openness: 50, objective_progress: 0 };
const ENGINE_STATE = {
  state_vars: VARIABLES,
  flags: [],
  fired_events: [],
  player_turns: 0,
  turn_index: 1,
  pending_instructions: [],
};

/** A session as the API stores it. */
export function newStoredSession(overrides: Partial<NewSession> = {}): NewSession {
  const at = new Date().toISOString();
  return {
    id: newSessionId(Date.now(), randomBytes),
    scenario_id: 'the_ask',
    scenario_version: 1,
    scenario_title: 'The ask',
    pack_id: 'the_ask',
    npc_id: 'dana',
    flow_state: 'PlayerTurnListening',
    state_vars: VARIABLES,
    flags: [],
    engine_state: ENGINE_STATE,
    ending_type: null,
    ending_id: null,
    turn_count: 1,
    player_turn_count: 0,
    transcript_saved: true,
    difficulty: 'standard',
    language: 'en',
    focus_dimension: null,
    forked_from_session: null,
    forked_from_turn: null,
    attempt: 'first',
    coaching: false,
    fence: randomBytes(12).toString('hex'),
    created_at: at,
    started_at: at,
    ended_at: null,
    ...overrides,
  };
}

export function turnRow(turn_index: number, text: string, created_at: string): NewTurn {
  const isNpc = turn_index % 2 === 1;
  return {
    turn_index,
    role: isNpc ? 'npc' : 'player',
    text,
    emotion: isNpc ? 'neutral' : null,
    used_fallback: false,
    raw_output: isNpc ? text : null,
    judgement: null,
    observations: isNpc ? [] : null,
    created_at,
  };
}

export const turnEvents = (turn_index: number): NewStoredEvent[] => [
  {
    turn_index,
    kind: 'npc_turn',
    payload: { emotion: 'neutral', state_delta: {}, event_flags: [], used_fallback: false },
  },
  { turn_index, kind: 'state_delta', payload: { delta: {}, state_vars: VARIABLES } },
];

/** The reads and the writes of a turn as session-api makes them, without anything around them. */
export function storeTurns(database: Database): BareTurns {
  return {
    async create() {
      const { id } = await database.write((transaction) => insertSession(transaction, newStoredSession()));
      return id;
    },
    async turn(id, text, reply) {
      const session = (await findSession(database, id)) as SessionRow;
      await listTurns(database, id, { last: WINDOW_TURNS });
      const at = new Date().toISOString();
      const turns = [turnRow(session.turn_count + 1, text, at), turnRow(session.turn_count + 2, reply, at)];
      const turn_count = session.turn_count + 2;
      await database.write(async (transaction) => {
        const next = { ...session, turn_count, player_turn_count: session.player_turn_count + 1 };
        if (!(await saveSession(transaction, next, session))) throw new Error('lost');
        await appendTurns(transaction, id, turns);
        await indexTurns(transaction, session, turns);
        await appendEvents(transaction, id, turnEvents(turn_count), at);
      });
      return { turn_count, reply };
    },
    close: () => database.close(),
  };
}
