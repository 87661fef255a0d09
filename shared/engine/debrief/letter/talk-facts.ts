import type { LineJudgement, ScenarioContent, TalkFacts } from '@parley/shared/contracts';
import type { LetterTurn } from './letter-input';

const countWords = (text: string): number => text.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu)?.length ?? 0;

/** Moves by which the player asks for what they want: those that say so, else those on which the first dimension rests. */
function askingMoves({ moves, rubric }: ScenarioContent): ReadonlySet<string> {
  const marked = moves.filter(({ asks }) => asks === true);
  if (marked.length > 0) return new Set(marked.map(({ id }) => id));
  const ofFirst = new Set(rubric.dimensions[0]?.checks.map(({ move }) => move));
  return new Set(moves.flatMap(({ id, asks }) => (asks !== false && ofFirst.has(id) ? [id] : [])));
}

/** The first line that asked for what the player wants. */
function firstAsk(content: ScenarioContent, judgements: readonly LineJudgement[]): number | null {
  const asks = askingMoves(content);
  const asked = judgements.find(({ moves }) => moves.some(({ id, by }) => by !== 'model' && asks.has(id)));
  return asked?.line ?? null;
}

/**
 * What can be counted in a talk; null when the words of the character are not kept, so that shares would be wrong.
 * Linear in the text.
 */
export function talkFacts(
  content: ScenarioContent,
  turns: readonly LetterTurn[],
  judgements: readonly LineJudgement[],
): TalkFacts | null {
  const npcTexts = turns.filter(({ role }) => role === 'npc').map(({ text }) => text);
  if (npcTexts.some((text) => text === null) || judgements.length === 0) return null;
  const sum = (pick: (judgement: LineJudgement) => number): number =>
    judgements.reduce((total, judgement) => total + pick(judgement), 0);
  const player_words = sum(({ facts }) => facts.words);
  const npc_words = npcTexts.reduce((total, text) => total + countWords(text ?? ''), 0);
  const all = player_words + npc_words;
  return {
    player_words,
    npc_words,
    word_share: all === 0 ? 0 : Math.round((player_words / all) * 100) / 100,
    words_per_line: Math.round((player_words / judgements.length) * 10) / 10,
    questions_open: sum(({ facts }) => facts.questions_open),
    questions_closed: sum(({ facts }) => facts.questions_closed),
    first_ask_line: firstAsk(content, judgements),
    echoes: judgements.filter(({ facts }) => facts.echoes).length,
    hedges: sum(({ facts }) => facts.hedges),
    apologies: sum(({ facts }) => facts.apologies),
    absolutes: sum(({ facts }) => facts.absolutes),
  };
}
