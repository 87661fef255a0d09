import type { SafetyAction } from '@parley/shared/contracts';

/** A member of the answer that was not kept. `member` is a name of the output schema, never text of the model. */
export interface DroppedMember {
  member: string;
  reason: string;
}

export interface ReplyObservation {
  dimension: string;
  delta: number;
  note: string;
}

/** What is left of the model's answer after member-wise validation: every value is of its type and range. */
export interface CleanReply {
  /** 1 to 1200 characters (code points), trimmed, well-formed. */
  npc_utterance: string;
  /** One of the character's emotions. */
  npc_emotion: string;
  /** Whole numbers by name; names are checked against the scenario when they are applied. */
  state_delta: Record<string, number>;
  /** Only names of the scenario's vocabulary, each once. */
  event_flags: string[];
  rubric_observations: ReplyObservation[];
  safety: { action: SafetyAction; reason: string | null };
  session_control: { end_session: boolean; reason: string | null };
}

export type FailureReason = 'empty' | 'plain_text' | 'no_json' | 'no_utterance' | 'repeated' | 'runtime_error';

/**
 * What became of a model's answer: `parsed` as it stood (or out of a fence), `repaired` from damaged JSON, `plain` prose
 * that is what the character says and changes nothing, `failed`. The last has no output: the fallback utterance stands in.
 */
export type ParsedReply =
  | { kind: 'parsed' | 'repaired' | 'plain'; output: CleanReply; dropped: DroppedMember[]; reason: null }
  | { kind: 'failed'; output: null; dropped: DroppedMember[]; reason: FailureReason };

/**
 * The reply of a runtime that answered with an error: the fallback utterance stands in (docs/contract.md, When the
 * runtime fails).
 */
export function failedReply(reason: FailureReason): ParsedReply {
  return { kind: 'failed', output: null, dropped: [], reason };
}
