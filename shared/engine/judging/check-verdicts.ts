import type {
  CheckOpinion,
  CheckVerdict,
  EndingType,
  LineJudgement,
  Proven,
  ScenarioCheck,
  ScenarioContent,
  TextSpan,
} from '@parley/shared/contracts';
import { proofOfCheck } from './proof';

/** A talk as far as its verdicts need it. */
export interface JudgedTalk {
  readonly content: ScenarioContent;
  readonly language: string;
  /** One for each line of the player, oldest first; a line of before judgements were stored is missing. */
  readonly judgements: readonly LineJudgement[];
  readonly ending_type: EndingType | null;
  /** Stored lines of the player. */
  readonly player_lines: number;
  /** What the second reader said; null when nobody was asked or nobody answered. */
  readonly opinions: readonly CheckOpinion[] | null;
}

/** Where a check was found. */
interface Found {
  readonly line: number;
  readonly turn: number;
  readonly span: TextSpan | null;
}

/** Leaving before this line of one's own counts as nothing said. */
const FIRST_JUDGED_EXIT = 3;

/** One piece that holds all that was found; null when no text is kept. */
const hull = (spans: readonly TextSpan[]): TextSpan | null =>
  spans.length === 0
    ? null
    : { start: Math.min(...spans.map((span) => span.start)), end: Math.max(...spans.map((span) => span.end)) };

const bySigns = (entries: readonly Proven[], id: string): Proven | undefined =>
  entries.find((entry) => entry.id === id && entry.by !== 'model');

/** Where the signs found it first, from line `from` on; undefined when nowhere. */
function firstBySigns(
  talk: JudgedTalk,
  from: number,
  pick: (judgement: LineJudgement) => readonly TextSpan[] | undefined,
): Found | undefined {
  for (const judgement of talk.judgements) {
    if (judgement.line < from) continue;
    const spans = pick(judgement);
    if (spans !== undefined) return { line: judgement.line, turn: judgement.turn, span: hull(spans) };
  }
  return undefined;
}

const moveAt = (id: string) => (judgement: LineJudgement) => bySigns(judgement.moves, id)?.spans;
const flagAt = (id: string) => (judgement: LineJudgement) => bySigns(judgement.flags, id)?.spans;
const checkAt = (dimension: string, check: string) => (judgement: LineJudgement) =>
  judgement.checks.find((one) => one.dimension === dimension && one.check === check)?.spans;

/** Whether the talk gave a chance to show it: it lasted that long, or came to an ending that is not an early leaving. */
function hadChance(talk: JudgedTalk, check: ScenarioCheck): boolean {
  if (talk.ending_type === null && talk.player_lines === 0) return false;
  if (check.by_line !== null && talk.player_lines >= check.by_line) return true;
  return talk.ending_type !== null && !(talk.ending_type === 'player_exit' && talk.player_lines < FIRST_JUDGED_EXIT);
}

/** What the signs say of a check: where it was met first, or that it was not. */
function signsFind(talk: JudgedTalk, dimension: string, check: ScenarioCheck): Found | undefined {
  const after = check.after_move === null ? null : firstBySigns(talk, 1, moveAt(check.after_move));
  if (after === undefined) return undefined;
  const from = after?.line ?? 1;
  if (check.without_flag !== null) {
    if (firstBySigns(talk, from, flagAt(check.without_flag)) !== undefined) return undefined;
    // What did not happen has no words: the move after which it did not happen stands for it, else the last line.
    const last = talk.judgements.at(-1);
    return after ?? (last === undefined ? undefined : { line: last.line, turn: last.turn, span: null });
  }
  const pick =
    check.move !== null ? moveAt(check.move) : check.flag !== null ? flagAt(check.flag) : checkAt(dimension, check.id);
  const at = firstBySigns(talk, from, pick);
  return at !== undefined && (check.by_line === null || at.line <= check.by_line) ? at : undefined;
}

const blank = (check: ScenarioCheck): CheckVerdict => ({
  id: check.id,
  text: check.text,
  points: check.points,
  verdict: 'not_judged',
  turn: null,
  line: null,
  evidence: null,
  by: null,
  quote: null,
});

const lineOfTurn = (turn: number): number => Math.floor(turn / 2);

function verdictOf(talk: JudgedTalk, dimension: string, check: ScenarioCheck): CheckVerdict {
  const proof = proofOfCheck(talk.content, check, talk.language);
  const verdict = blank(check);
  const missed = (by: CheckVerdict['by']): CheckVerdict =>
    hadChance(talk, check) ? { ...verdict, verdict: 'missed', by } : verdict;

  const found = proof === 'model' ? undefined : signsFind(talk, dimension, check);
  if (proof === 'signs')
    return found === undefined
      ? missed('signs')
      : { ...verdict, verdict: 'met', turn: found.turn, line: found.line, evidence: found.span, by: 'signs' };
  if (proof === 'both' && found === undefined) return missed('signs');

  const opinion = talk.opinions?.find((one) => one.dimension === dimension && one.check === check.id);
  if (opinion === undefined) return verdict;
  const inTime = opinion.turn === null || check.by_line === null || lineOfTurn(opinion.turn) <= check.by_line;
  if (!opinion.met || opinion.turn === null || !inTime) return missed('model');
  return {
    ...verdict,
    verdict: 'met',
    turn: opinion.turn,
    line: lineOfTurn(opinion.turn),
    evidence: opinion.span,
    by: 'model',
    quote: opinion.quote,
  };
}

export interface DimensionVerdicts {
  readonly id: string;
  readonly checks: CheckVerdict[];
  /** A fault that did not happen is missed, whatever the talk gave a chance to. */
  readonly faults: CheckVerdict[];
}

/**
 * The verdict on every check and fault of the rubric, from what was stored when the words were said. The same talk gives
 * the same verdicts, whichever model played.
 */
export function checkVerdicts(talk: JudgedTalk): DimensionVerdicts[] {
  return talk.content.rubric.dimensions.map((dimension) => ({
    id: dimension.id,
    checks: dimension.checks.map((check) => verdictOf(talk, dimension.id, check)),
    faults: dimension.faults.map((fault) => verdictOf(talk, dimension.id, fault)),
  }));
}

/** Whether the rubric is scored by checks. */
export const hasChecks = (content: ScenarioContent): boolean =>
  content.rubric.dimensions.some((dimension) => dimension.checks.length > 0);
