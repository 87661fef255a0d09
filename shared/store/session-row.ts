import { Attempt, Difficulty, EndingType, FlowState, type Session } from '@parley/shared/contracts';
import { z } from 'zod';
import { storedJson } from './stored-json';
import { Flag, type RowContract } from './stored-row';

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

const Numbers = z.record(z.string(), z.number());

const Row = z.object({
  ordinal: z.int(),
  id: z.string(),
  scenario_id: z.string(),
  scenario_version: z.int(),
  scenario_title: z.string(),
  pack_id: z.string(),
  npc_id: z.string(),
  flow_state: FlowState,
  state_vars: storedJson(Numbers),
  flags: storedJson(z.array(z.string())),
  engine_state: storedJson(z.unknown()),
  ending_type: EndingType.nullable(),
  ending_id: z.string().nullable(),
  turn_count: z.int(),
  player_turn_count: z.int(),
  transcript_saved: Flag,
  difficulty: Difficulty,
  language: z.string(),
  focus_dimension: z.string().nullable(),
  forked_from_session: z.string().nullable(),
  forked_from_turn: z.int().nullable(),
  attempt: Attempt,
  coaching: Flag,
  fence: z.string(),
  version: z.int(),
  seq_reserved: z.int(),
  overall_score: z.int().nullable(),
  self_ratings: storedJson(Numbers).nullable(),
  created_at: z.string(),
  started_at: z.string().nullable(),
  ended_at: z.string().nullable(),
});

/** Rows of `sessions`. */
export const SESSIONS = { table: 'sessions', id: ['id'], shape: Row } satisfies RowContract<z.ZodType<SessionRow>>;

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
