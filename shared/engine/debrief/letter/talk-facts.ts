import type { LineJudgement, ScenarioContent, TalkFacts } from '@parley/shared/contracts';
import type { LetterTurn } from './letter-input';

const countWords = (text: string): number => text.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu)?.length ?? 0;

/** The first line that asked for what the player wants; undefined where the scenario marks no move as the ask. */
function firstAsk(content: ScenarioContent, judgements: readonly LineJudgement[]): number | null | undefined {
  const asks = new Set(content.moves.flatMap((move) => (move.asks ? [move.id] : [])));
  if (asks.size === 0) return undefined;
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
  const first_ask_line = firstAsk(content, judgements);
  return {
    player_words,
    npc_words,
    word_share: all === 0 ? 0 : Math.round((player_words / all) * 100) / 100,
    words_per_line: Math.round((player_words / judgements.length) * 10) / 10,
    questions_open: sum(({ facts }) => facts.questions_open),
    questions_closed: sum(({ facts }) => facts.questions_closed),
    ...(first_ask_line === undefined ? {} : { first_ask_line }),
    echoes: judgements.filter(({ facts }) => facts.echoes).length,
    hedges: sum(({ facts }) => facts.hedges),
    apologies: sum(({ facts }) => facts.apologies),
    absolutes: sum(({ facts }) => facts.absolutes),
  };
}
