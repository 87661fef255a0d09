import type { Difficulty, LineJudgement, ScenarioContent } from '@parley/shared/contracts';
import { holds, type ConditionView } from '../conditions';
import type { EngineState } from '../engine-state';
import { applyMoves } from '../judging/apply-moves';
import { readingOf, type LineContext } from '../judging/judge-line';
import type { LineReading } from '../signs/line-reading';
import { matchSigns } from '../signs/match-signs';

/** A line that the author wrote for the demo voice. */
export interface DemoLine {
  /** Where it stands in the scenario's `demo`, from 0. */
  readonly index: number;
  readonly text: string;
  /** null: the demo voice chooses one. */
  readonly emotion: string | null;
}

/** The moment at which the demo voice is to answer: the line of the player and what stood in the talk before it. */
export interface DemoMoment extends LineContext {
  readonly difficulty: Difficulty;
  /** What the player said. */
  readonly text: string;
  /** As the last turn left it. */
  readonly state: EngineState;
  /** What the line that is to be answered showed by its words. */
  readonly judgement: LineJudgement;
  /** Answers that were put aside for another one: not said again to the same words. */
  readonly put_aside?: readonly string[];
}

type AuthoredLine = ScenarioContent['demo'][number];

/** The talk as the answer finds it: with what the line itself earned and raised, before any event of this turn. */
function viewOf({ content, difficulty, language, state, judgement }: DemoMoment): ConditionView {
  const values = new Map(Object.entries(state.state_vars));
  const { raised } = applyMoves(content, difficulty, language, values, state, judgement);
  const flags = new Set([...state.flags, ...raised]);
  return {
    value: (variable) => values.get(variable),
    hasFlag: (flag) => flags.has(flag),
    playerTurns: state.player_turns + 1,
  };
}

/**
 * The author's line for this moment: the first of the file that was not said in this talk and fits. A line with `after`
 * fits when the player's line just showed that move or flag, or when that event was the last thing that happened; one
 * with `signs`, when they hold in the player's line; one with `when`, while its conditions hold; one with none, always.
 * Lines marked `otherwise` wait until no other fits. null when none is left: the canned lines stand in.
 */
export function pickDemoLine(moment: DemoMoment): DemoLine | null {
  const { content, state, judgement } = moment;
  if (content.demo.length === 0) return null;
  const answered = new Set([
    ...judgement.moves.map(({ id }) => id),
    ...judgement.flags.map(({ id }) => id),
    ...state.pending_instructions,
  ]);
  const view = viewOf(moment);
  const said = new Set(state.demo_said);
  const aside = new Set(moment.put_aside);
  let reading: LineReading | null = null;
  const shows = (signs: AuthoredLine['signs']): boolean =>
    signs.length === 0 || matchSigns(signs, (reading ??= readingOf(moment, moment.text))).holds;
  const fits = ({ after, signs, when }: AuthoredLine): boolean =>
    (after === null || answered.has(after)) && when.every((condition) => holds(condition, view)) && shows(signs);
  const pick = (otherwise: boolean): number =>
    content.demo.findIndex(
      (line, index) => line.otherwise === otherwise && !said.has(index) && !aside.has(line.says) && fits(line),
    );
  const own = pick(false);
  const index = own === -1 ? pick(true) : own;
  const line = content.demo[index];
  return line === undefined ? null : { index, text: line.says, emotion: line.emotion };
}
