import type { ScenarioContent } from '@parley/shared/contracts';
import { turnCitations } from './cited-turns';
import { ADVICE, CARE, DIAGNOSIS, GUARANTEE } from './guard-words';
import { QuotationMarks, quotationsIn } from './quotations';
import { joinedSentences, sentencesOf, UNSPACED } from './text-parts';

/** What the narrative is checked against. */
export interface NarrativeContext {
  content: ScenarioContent;
  /** Stored turns; a text is null when it was not kept, and then nothing can be quoted from it. */
  turns: readonly { index: number; role: 'player' | 'npc'; text: string | null }[];
}

export type GuardReason = 'quotation' | 'unknown_turn' | 'clinical' | 'guarantee';

const squashed = (text: string): string =>
  ` ${text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[’‘']/g, "'")
    .replace(/[^\p{L}\p{M}\p{N}']+/gu, ' ')
    .replace(/(?<![\p{L}\p{N}])'|'(?![\p{L}\p{N}])/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()} `;

/** Where words are written without spaces, a part of what was said may begin and end anywhere. */
const withoutSpaces = (text: string): string => text.replaceAll(' ', '');

/** Checks texts of one narrative; made once per debrief, since it prepares the transcript. */
export function createGuard(context: NarrativeContext): (text: string) => { text: string; removed: GuardReason[] } {
  const spoken = context.turns.map((turn) => squashed(turn.text ?? '')).join('\n');
  const spokenTight = withoutSpaces(spoken);
  const citations = turnCitations(context.content.language);
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

  const wasSaid = (quoted: string): boolean =>
    UNSPACED.test(quoted) ? spokenTight.includes(withoutSpaces(quoted)) : spoken.includes(quoted);
  const misquotes = (sentence: string): boolean =>
    quotationsIn(sentence).some((quotation) => {
      const quoted = squashed(quotation);
      return quoted.trim() !== '' && !wasSaid(quoted) && !terms.has(quoted);
    });
  const citesUnknownTurn = (sentence: string): boolean =>
    citations.citedIn(sentence).some((index) => !indexes.has(index));
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
    const referenced = citations.withoutReferences(text.normalize('NFC'), (reference) => {
      const isGone = citesUnknownTurn(reference);
      if (isGone) removed.push('unknown_turn');
      return isGone;
    });
    // A quotation may hold several sentences: one that is in no turn takes all of them with it.
    const kept = quotedTogether(sentencesOf(referenced)).filter((sentence) => {
      const reason = fault(sentence);
      if (reason) removed.push(reason);
      return reason === null;
    });
    return { text: joinedSentences(kept), removed };
  };
}

const CLOSING_MARKS = ['"', '”', '“', '»', '«', '」', '』'];

/** Joins sentences until the double quotation marks in them are closed. */
function quotedTogether(sentences: readonly string[]): string[] {
  const groups: { sentences: string[]; marks: QuotationMarks }[] = [];
  let previous = '';
  for (const sentence of sentences) {
    const group = groups.at(-1);
    // A small letter after a closing mark goes on with the sentence around the quotation.
    const goesOn = CLOSING_MARKS.includes(previous.slice(-1)) && /^\p{Ll}/u.test(sentence);
    if (group !== undefined && (group.marks.areOpen || goesOn)) {
      group.sentences.push(sentence);
      group.marks.add(sentence);
    } else groups.push({ sentences: [sentence], marks: new QuotationMarks().add(sentence) });
    previous = sentence;
  }
  return groups.map((group) => joinedSentences(group.sentences));
}
