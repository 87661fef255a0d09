import type { EmittedMessage, LineJudgement, NewStoredEvent, SafetyAction } from '@parley/shared/contracts';
import type { Rejection } from './deltas';
import type { EndingReached } from './endings';
import type { EngineState } from './engine-state';
import type { DroppedMember, FailureReason, ReplyObservation } from './reply/parsed-reply';
import type { FiredEvent } from './triggers';

/** What an operation of a session leads to: the next state, what is stored and what is said about it, in order. */
interface SessionOutcome {
  state: EngineState;
  events: NewStoredEvent[];
  messages: EmittedMessage[];
}

/** The opening line. */
export interface OpeningOutcome extends SessionOutcome {
  utterance: string;
  emotion: string;
}

/** The player left. */
export interface ExitOutcome extends SessionOutcome {
  ending: EndingReached;
}

/** One player turn with the reply of the character. */
export interface TurnOutcome extends SessionOutcome {
  utterance: string;
  emotion: string;
  used_fallback: boolean;
  fallback_reason: FailureReason | null;
  /** Which of the author's lines the demo voice said; null when it did not answer. */
  demo: { readonly line: number | null } | null;
  /** Applied changes after clamping, effects of events included; zeros are left out. */
  delta: Record<string, number>;
  /** Flags and moves that this turn raised, each with the proof that it needs, as npc.final shows them. */
  event_flags: string[];
  /** Moves that only the model named for the first time: half of their effect counted. */
  half_moves: string[];
  /** What the player's line showed, with what the model named; null when the policy answered. */
  judgement: LineJudgement | null;
  fired: FiredEvent[];
  /** null when all is well. */
  safety: { action: Exclude<SafetyAction, 'ok'>; reason: string | null } | null;
  ending: EndingReached | null;
  /** Observations that count for the player's turn, after the limit of each dimension. */
  observations: ReplyObservation[];
  /** State changes that were not applied; an unknown variable is to be logged as a warning. */
  rejected: Rejection[];
  /** Members of the model's answer that were not kept. */
  dropped: DroppedMember[];
}
