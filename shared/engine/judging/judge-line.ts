import type { LineJudgement, Proven, ScenarioContent, Sign, TextSpan } from '@parley/shared/contracts';
import { lineFacts } from '../signs/line-facts';
import type { SignContext } from '../signs/line-parts';
import { readLine, type LineReading } from '../signs/line-reading';
import { matchSigns } from '../signs/match-signs';
import { prepareSigns } from '../signs/prepare-signs';
import { evidenceIn } from './evidence';

/** How many lines back a repetition is noticed: as many as a prompt's window holds. */
export const EARLIER_LINES = 6;

/** What stood in the talk when a line was said. */
export interface LineContext {
  readonly content: ScenarioContent;
  /** Language of the session. */
  readonly language: string;
  /** Counts the player's lines from 1. */
  readonly line: number;
  /** Index of the player's turn. */
  readonly turn: number;
  /** What the character said last; null when it is not kept. */
  readonly lastNpcLine: string | null;
  /** What the player said before, oldest first, as far as it is kept. */
  readonly earlierLines: readonly string[];
}

/** What signs look at beside the line itself. */
function signContext(context: LineContext): SignContext {
  const { content } = context;
  const narrated = content.events.flatMap((event) => (event.narration === null ? [] : [[event.id, event.narration]]));
  return {
    language: context.language,
    lastNpcLine: context.lastNpcLine,
    events: Object.fromEntries(narrated) as Record<string, string>,
    names: [content.npc.display_name],
    line: context.line,
    earlierLines: context.earlierLines,
  };
}

/** A line taken apart, in which any number of signs can be looked for. */
export const readingOf = (context: LineContext, text: string): LineReading => readLine(text, signContext(context));

/** The words in which the signs hold; null when they do not. */
function found(signs: readonly Sign[], reading: LineReading): TextSpan[] | null {
  const match = matchSigns(signs, reading);
  return match.holds ? [evidenceIn(signs, reading, match)] : null;
}

/**
 * What a line shows by its words alone: moves and flags whose signs hold in it, and checks of the rubric with signs of
 * their own. Pure, and linear in the text. A line that was said before, or that is everything at once without a sentence,
 * makes no move and meets no check; what hurts hurts all the same.
 */
export function judgeLine(context: LineContext, text: string): LineJudgement {
  const { content } = context;
  const reading = readingOf(context, text);
  const earns = !reading.stuffed && !reading.repeated;
  const proven = (id: string, signs: readonly Sign[]): Proven[] => {
    const spans = found(signs, reading);
    return spans === null ? [] : [{ id, by: 'signs', spans }];
  };
  const own = (kind: 'checks' | 'faults'): LineJudgement['checks'] =>
    content.rubric.dimensions.flatMap((dimension) =>
      dimension[kind].flatMap((check) => {
        const spans = check.signs === null ? null : found(check.signs, reading);
        return spans === null ? [] : [{ dimension: dimension.id, check: check.id, spans }];
      }),
    );
  return {
    line: context.line,
    turn: context.turn,
    moves: earns ? content.moves.flatMap((move) => proven(move.id, move.signs)) : [],
    flags: Object.entries(content.flags).flatMap(([id, flag]) => proven(id, flag.signs)),
    checks: [...(earns ? own('checks') : []), ...own('faults')],
    stuffed: reading.stuffed,
    repeated: reading.repeated,
    facts: lineFacts(reading),
  };
}

/** A line that nobody reads: nothing is known of it. */
export const unjudged = (line: number, turn: number): LineJudgement => ({
  line,
  turn,
  moves: [],
  flags: [],
  checks: [],
  stuffed: false,
  repeated: false,
  facts: { words: 0, questions_open: 0, questions_closed: 0, hedges: 0, apologies: 0, absolutes: 0, echoes: false },
});

/** Adds what the model named in its answer to the line: the rest stays as the words proved it. */
export function withModelNames(
  content: ScenarioContent,
  judgement: LineJudgement,
  named: ReadonlySet<string>,
): LineJudgement {
  const merged = (signed: readonly Proven[], ids: readonly string[]): Proven[] =>
    ids.flatMap((id): Proven[] => {
      const bySigns = signed.find((one) => one.id === id);
      if (bySigns !== undefined) return [{ ...bySigns, by: named.has(id) ? 'both' : 'signs' }];
      return named.has(id) ? [{ id, by: 'model', spans: [] }] : [];
    });
  return {
    ...judgement,
    moves: merged(
      judgement.moves,
      content.moves.map((move) => move.id),
    ),
    // A flag that only a condition names has no entry of its own: the model's word raises it.
    flags: merged(judgement.flags, [
      ...new Set([
        ...Object.keys(content.flags),
        ...[...named].filter((id) => !content.moves.some((move) => move.id === id)),
      ]),
    ]),
  };
}

/** The same without where the words stood: what is stored when the transcript is not saved. */
export function withoutSpans(judgement: LineJudgement): LineJudgement {
  const bare = <One extends { spans: TextSpan[] }>(ones: readonly One[]): One[] =>
    ones.map((one) => ({ ...one, spans: [] }));
  return { ...judgement, moves: bare(judgement.moves), flags: bare(judgement.flags), checks: bare(judgement.checks) };
}

/** Loads and compiles what the signs of a scenario need, so that the first line is judged as quickly as the later ones. */
export function prepareJudging(content: ScenarioContent, language: string): void {
  const checks = content.rubric.dimensions.flatMap((dimension) => [...dimension.checks, ...dimension.faults]);
  const signs = [
    ...content.moves.flatMap((move) => move.signs),
    ...Object.values(content.flags).flatMap((flag) => flag.signs),
    ...checks.flatMap((check) => check.signs ?? []),
    ...content.demo.flatMap((line) => line.signs),
  ];
  if (signs.length > 0) prepareSigns(signs, language);
}
