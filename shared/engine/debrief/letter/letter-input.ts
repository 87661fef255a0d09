import type { DebriefDimension, EndingType, LineJudgement, ScenarioContent } from '@parley/shared/contracts';
import type { StoredEventLike } from '../../engine-state';

/** A stored turn as far as the letter reads it. */
export interface LetterTurn {
  readonly index: number;
  readonly role: 'player' | 'npc';
  /** null when it is not kept. */
  readonly text: string | null;
}

/** What the letter is written from: everything but the model. */
export interface LetterInput {
  readonly content: ScenarioContent;
  /** Oldest first. */
  readonly turns: readonly LetterTurn[];
  readonly events: readonly StoredEventLike[];
  /** Dimensions with their verdicts. */
  readonly dimensions: readonly DebriefDimension[];
  readonly judged: boolean;
  readonly not_judged_reason: string | null;
  readonly judgements: readonly LineJudgement[];
  readonly ending: { readonly type: EndingType; readonly id: string | null };
  readonly focus_dimension: string | null;
}

/** The player's lines with their number, from 1, and their text. */
export const playerLines = (
  turns: readonly LetterTurn[],
): { readonly line: number; readonly turn: number; readonly text: string | null }[] =>
  turns
    .filter((turn) => turn.role === 'player')
    .map(({ index, text }, place) => ({ line: place + 1, turn: index, text }));
