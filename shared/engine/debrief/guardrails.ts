import type { ScenarioContent } from '@parley/shared/contracts';
import { ADVICE, CARE, DIAGNOSIS, GUARANTEE } from './guard-words';

/** What the narrative is checked against. */
export interface NarrativeContext {
  content: ScenarioContent;
  /** Stored turns; a text is null when it was not kept, and then nothing can be quoted from it. */
  turns: readonly { index: number; role: 'player' | 'npc'; text: string | null }[];
}

export type GuardReason = 'quotation' | 'unknown_turn' | 'clinical' | 'guarantee';

const TURN_CITATION = /\bturns?\s+#?(\d+(?:\s*(?:,|and|or|to|-|–|&)\s*\d+)*)/gi;
const PARENTHESIS = /\s*[([][^()[\]]*\bturns?\s+#?\d[^()[\]]*[)\]]/gi;
const QUOTATIONS = [
  /[“„]([^“”„]{1,400})[”“]/gu,
  /"([^"]{1,400})"/g,
  /«([^«»]{1,400})»/gu,
  /(?<!\p{L})[‘']([^‘’']{3,400}(?:[’'](?=\p{L})[^‘’']{1,400})*)[’'](?!\p{L})/gu,
];

const squashed = (text: string): string =>
  ` ${text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[’‘']/g, "'")
    .replace(/[^\p{L}\p{N}']+/gu, ' ')
    .replace(/(?<![\p{L}\p{N}])'|'(?![\p{L}\p{N}])/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()} `;

/** Sentences of a text with their marks; a line break ends one too. */
export function sentencesOf(text: string): string[] {
  return (text.match(/[^.!?\n]+(?:[.!?]+["”’')\]]*|\n|$)(?:\s+|$)?|[.!?]+/gu) ?? [])
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

/** Checks texts of one narrative; made once per debrief, since it prepares the transcript. */
export function createGuard(context: NarrativeContext): (text: string) => { text: string; removed: GuardReason[] } {
  const spoken = context.turns.map((turn) => squashed(turn.text ?? '')).join('\n');
  const indexes = new Set(context.turns.map((turn) => turn.index));
  // Names that the rubric itself uses may stand in quotation marks: nobody is said to have said them.
  const terms = new Set(
    [
      ...context.content.rubric.dimensions.flatMap((dimension) => [dimension.name, dimension.id, ...dimension.moves]),
      ...context.content.moves.flatMap((move) => [move.id, move.description]),
      ...context.content.endings.map((ending) => ending.title ?? ''),
      context.content.title,
    ].map(squashed),
  );

  const misquotes = (sentence: string): boolean =>
    QUOTATIONS.some((pattern) =>
      [...sentence.matchAll(pattern)].some((match) => {
        const quoted = squashed(match[1] ?? '');
        return quoted.trim() !== '' && !spoken.includes(quoted) && !terms.has(quoted);
      }),
    );
  const citesUnknownTurn = (sentence: string): boolean =>
    [...sentence.matchAll(TURN_CITATION)].some((match) =>
      (match[1] ?? '').split(/\D+/).some((number) => number !== '' && !indexes.has(Number(number))),
    );
  const fault = (sentence: string): GuardReason | null => {
    if (misquotes(sentence)) return 'quotation';
    if (citesUnknownTurn(sentence)) return 'unknown_turn';
    if (DIAGNOSIS.test(sentence) || (CARE.test(sentence) && ADVICE.test(sentence))) return 'clinical';
    if (GUARANTEE.test(sentence)) return 'guarantee';
    return null;
  };

  return (text) => {
    const removed: GuardReason[] = [];
    // A reference in brackets can go without its sentence.
    const referenced = text.normalize('NFC').replace(PARENTHESIS, (parenthesis) => {
      if (!citesUnknownTurn(parenthesis)) return parenthesis;
      removed.push('unknown_turn');
      return '';
    });
    // A quotation may hold several sentences: one that is in no turn takes all of them with it.
    const kept = quotedTogether(sentencesOf(referenced)).filter((sentence) => {
      const reason = fault(sentence);
      if (reason) removed.push(reason);
      return reason === null;
    });
    return { text: kept.join(' '), removed };
  };
}

/** Joins sentences until the double quotation marks in them are closed. */
function quotedTogether(sentences: readonly string[]): string[] {
  const joined: string[] = [];
  let open = false;
  for (const sentence of sentences) {
    const previous = joined.length - 1;
    // A small letter after a closing mark goes on with the sentence around the quotation.
    const goesOn = /^\p{Ll}/u.test(sentence) && /["”»]$/.test(joined[previous] ?? '');
    if ((open || goesOn) && previous >= 0) joined[previous] = `${joined[previous] ?? ''} ${sentence}`;
    else joined.push(sentence);
    const whole = joined.at(-1) ?? '';
    open = hasOpenQuotation(whole);
  }
  return joined;
}

function hasOpenQuotation(text: string): boolean {
  const count = (marks: RegExp): number => text.match(marks)?.length ?? 0;
  // After a low mark the raised one that opens elsewhere closes.
  const curly = text.includes('„') ? count(/„/g) > count(/[“”]/g) : count(/“/g) > count(/”/g);
  return curly || count(/"/g) % 2 === 1 || count(/«/g) > count(/»/g);
}
