import type { Attempt, Difficulty, EndingType, FlowState, Session } from '@parley/shared/contracts';

/** A stored session, with its JSON parsed. */
export interface SessionRow {
  /** Order in which sessions were made. */
  readonly ordinal: number;
  readonly id: string;
  readonly scenario_id: string;
  readonly scenario_version: number;
  readonly scenario_title: string;
  readonly pack_id: string;
  readonly npc_id: string;
  readonly flow_state: FlowState;
  readonly state_vars: Readonly<Record<string, number>>;
  readonly flags: readonly string[];
  /** What the engine carries from turn to turn, as JSON; its shape is the engine's own. */
  readonly engine_state: unknown;
  readonly ending_type: EndingType | null;
  readonly ending_id: string | null;
  readonly turn_count: number;
  readonly player_turn_count: number;
  readonly transcript_saved: boolean;
  readonly difficulty: Difficulty;
  readonly language: string;
  readonly focus_dimension: string | null;
  readonly forked_from_session: string | null;
  readonly forked_from_turn: number | null;
  readonly attempt: Attempt;
  /** Whether lines can be coached before they are said. */
  readonly coaching: boolean;
  /** Random delimiter of the prompt's sections, the same on every turn. */
  readonly fence: string;
  /** Grows with every change; a writer names the version that it read. */
  readonly version: number;
  /** Numbers of WebSocket messages up to here may have been given out. */
  readonly seq_reserved: number;
  readonly overall_score: number | null;
  readonly self_ratings: Readonly<Record<string, number>> | null;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly ended_at: string | null;
}

/** What a new session is made of; the store gives the rest. */
export type NewSession = Omit<SessionRow, 'ordinal' | 'version' | 'seq_reserved' | 'overall_score' | 'self_ratings'>;

type Stored = { [Column in keyof SessionRow]: string | number | null };

/** A row as the database answers it. */
export type StoredSession = Stored & { state_vars: string; flags: string; engine_state: string };

export function parseSession(stored: StoredSession): SessionRow {
  return {
    ...(stored as unknown as SessionRow),
    state_vars: JSON.parse(stored.state_vars) as SessionRow['state_vars'],
    flags: JSON.parse(stored.flags) as string[],
    engine_state: JSON.parse(stored.engine_state) as unknown,
    transcript_saved: stored.transcript_saved === 1,
    coaching: stored.coaching === 1,
    self_ratings:
      stored.self_ratings === null ? null : (JSON.parse(String(stored.self_ratings)) as Record<string, number>),
  };
}

/** Whether the demo voice answered in the talk, as the engine's state says. */
export const isDemoTalk = (engineState: unknown): boolean =>
  typeof engineState === 'object' &&
  engineState !== null &&
  'demo_voice' in engineState &&
  engineState.demo_voice === true;

/** The session as answers hold it. @param hint what the scenario hints at now, or null */
export function toSession(row: SessionRow, hint: string | null): Session {
  return {
    id: row.id,
    scenario_id: row.scenario_id,
    scenario_version: row.scenario_version,
    pack_id: row.pack_id,
    npc_id: row.npc_id,
    flow_state: row.flow_state,
    state_vars: { ...row.state_vars },
    flags: [...row.flags],
    ending_type: row.ending_type,
    ending_id: row.ending_id,
    turn_count: row.turn_count,
    player_turn_count: row.player_turn_count,
    transcript_saved: row.transcript_saved,
    difficulty: row.difficulty,
    language: row.language,
    focus_dimension: row.focus_dimension,
    forked_from:
      row.forked_from_session === null || row.forked_from_turn === null
        ? null
        : { session_id: row.forked_from_session, turn: row.forked_from_turn },
    attempt: row.attempt,
    coaching: row.coaching,
    ...(isDemoTalk(row.engine_state) ? { demo: true as const } : {}),
    hint,
    created_at: row.created_at,
    started_at: row.started_at,
    ended_at: row.ended_at,
  };
}
