import type { Difficulty, LineJudgement, Proven, ScenarioContent, ScenarioMove } from '@parley/shared/contracts';
import { scaledForDifficulty } from '../difficulty';
import { applyEffects } from '../deltas';
import { favourOf } from '../vocabulary';
import { isProven, proofIn, type Provable } from './proof';

/** What a session remembers of the moves that were made in it. */
export interface MoveMemory {
  /** How often each move was proven. */
  readonly move_counts: Readonly<Record<string, number>>;
  /** Moves that only the model named, which had half of their effect for it. */
  readonly half_moves: readonly string[];
}

export interface MadeMoves {
  memory: MoveMemory;
  /** Ids of moves and flags that this line raised, in the order of the scenario. */
  raised: string[];
  /** Ids that only the model named, without the proof that they need. */
  unproven: string[];
}

const times = (counts: Readonly<Record<string, number>>, id: string): number =>
  Object.hasOwn(counts, id) ? (counts[id] ?? 0) : 0;

/** Half of a number of points, away from zero, so that an effect of one point is not lost. */
const halfOf = (points: number): number => Math.sign(points) * Math.ceil(Math.abs(points) / 2);

/** What is left of an effect when the move is made for the nth time, counted from 1. */
function worth(move: ScenarioMove, nth: number, points: number): number {
  if (nth === 1 || move.repeat === 'always') return points;
  if (move.repeat === 'once') return 0;
  return Math.trunc(points / 2 ** (nth - 1));
}

const provenBy = (entries: readonly Proven[], id: string): Proven['by'] | null =>
  entries.find((entry) => entry.id === id)?.by ?? null;

/**
 * Applies what the player's line proved: the effects of its moves, scaled by the difficulty, into `values`; and tells
 * which moves and flags it raised. A move with signs that only the model named has half of its effect, once a talk, so
 * that the character answers to wordings that the signs miss; it raises nothing.
 *
 * @param judgement the line with the model's names in it.
 */
export function applyMoves(
  content: ScenarioContent,
  difficulty: Difficulty,
  language: string,
  values: Map<string, number>,
  memory: MoveMemory,
  judgement: LineJudgement,
): MadeMoves {
  const counts: Record<string, number> = { ...memory.move_counts };
  const halves = new Set(memory.half_moves);
  const raised: string[] = [];
  const unproven: string[] = [];
  const earned = new Map<string, number>();
  const earn = (move: ScenarioMove, share: (points: number) => number): void => {
    for (const [variable, points] of Object.entries(move.effect)) {
      const scaled = scaledForDifficulty(content, difficulty, points, favourOf(content, variable));
      earned.set(variable, (earned.get(variable) ?? 0) + share(scaled));
    }
  };
  const proofOf = (provable: Provable): ReturnType<typeof proofIn> => proofIn(provable, language);

  for (const move of content.moves) {
    const by = provenBy(judgement.moves, move.id);
    if (by === null) continue;
    const proof = proofOf(move);
    if (isProven(by, proof)) {
      const nth = times(counts, move.id) + 1;
      counts[move.id] = nth;
      raised.push(move.id);
      // What the model's word already gave is not given again.
      const given = nth === 1 && halves.has(move.id);
      earn(move, (points) => worth(move, nth, points) - (given ? halfOf(points) : 0));
    } else if (by === 'model') {
      unproven.push(move.id);
      if (proof === 'signs' && times(counts, move.id) === 0 && !halves.has(move.id)) {
        halves.add(move.id);
        earn(move, halfOf);
      }
    }
  }
  applyEffects(content, values, Object.fromEntries(earned));

  for (const { id, by } of judgement.flags) {
    const flag = Object.hasOwn(content.flags, id) ? content.flags[id] : undefined;
    if (flag === undefined || isProven(by, proofOf(flag))) raised.push(id);
    else if (by === 'model') unproven.push(id);
  }
  return { memory: { move_counts: counts, half_moves: [...halves] }, raised, unproven };
}
