import type { Debrief, Recap, ScenarioContent } from '@parley/shared/contracts';
import { cutText, UNSPACED } from './text-parts';

export interface RecapInput {
  content: ScenarioContent;
  /** The recap of this character and pack so far; null before the first session. */
  previous: Recap | null;
  debrief: Debrief;
  /** Texts of the talk; null where they were not kept, and then only names of the rubric are used. */
  texts: readonly (string | null)[];
  /** ISO 8601 in UTC with milliseconds. */
  at: string;
}

const MAX_OBSERVATIONS = 5;
const MAX_OBSERVATION_LENGTH = 150;
const MAX_TAGS = 3;
const MAX_TAG_LENGTH = 30;
/** A recap shares no run of this many words with the talk (docs/interface.md, Relationship memory). */
const SHARED_WORDS = 3;

/** Made by the first text that needs it: it brings the dictionaries of several languages. */
let segmenter: Intl.Segmenter | undefined;

/** A sentence, or 500 characters of one: the dictionaries take a time that grows with the square of what they are given. */
const SEGMENTED_AT_ONCE = /[^.!?。！？\n]{1,500}[.!?。！？\n]*/gu;

/** Where words stand without spaces between them, dictionaries tell them apart. */
function spaced(text: string): string {
  if (!UNSPACED.test(text)) return text;
  const words = (segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' }));
  return (text.match(SEGMENTED_AT_ONCE) ?? [])
    .flatMap((piece) => [...words.segment(piece)].map(({ segment }) => segment))
    .join(' ');
}

const wordsOf = (text: string): string[] =>
  spaced(text.normalize('NFKC').toLowerCase())
    .replace(/[’‘]/g, "'")
    .match(/[\p{L}\p{M}\p{N}]+(?:'[\p{L}\p{M}\p{N}]+)*/gu) ?? [];

function runsOf(text: string): string[] {
  const words = wordsOf(text);
  return words.slice(SHARED_WORDS - 1).map((_, index) => words.slice(index, index + SHARED_WORDS).join(' '));
}

/**
 * What a character remembers after a debrief: made without a model call, from the debrief's improvements and scores. No
 * observation shares three words in a row with the talk; one that would is said shorter, or not at all.
 */
export function relationshipRecap(input: RecapInput): Recap {
  const { content, previous, debrief, at } = input;
  const spoken = new Set(input.texts.flatMap((text) => runsOf(text ?? '')));
  const free = (text: string): boolean => runsOf(text).every((run) => !spoken.has(run));
  const textsKept = input.texts.length > 0 && input.texts.every((text) => text !== null);

  const low = [...debrief.dimensions]
    .filter((dimension) => dimension.observed && dimension.score < 60)
    .sort((one, other) => one.score - other.score);
  const fresh = [
    ...(textsKept ? debrief.improvements.map((text) => withoutTurns(text)) : []),
    ...low.map((dimension) => `Practises: ${dimension.name}`),
  ];
  const observations = [...fresh, ...(previous?.key_observations ?? [])]
    .map((text) => cutAtWord(text, MAX_OBSERVATION_LENGTH))
    .filter((text) => text !== '' && free(text));

  return {
    npc_id: content.npc.npc_id,
    pack_id: content.pack_id,
    schema_version: '1',
    session_count: (previous?.session_count ?? 0) + 1,
    last_session_at: at,
    key_observations: [...new Set(observations)].slice(0, MAX_OBSERVATIONS),
    player_style_tags: styleTags(debrief).filter(free),
    last_outcome: debrief.ending_type,
  };
}

/** Turn numbers mean nothing in the next talk. */
function withoutTurns(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[,;]? ?[([]?\b(?:in |at )?turns? #?\d+(?: ?(?:,|and|to|-|–) ?\d+)*[)\]]?/gi, '')
    .replace(/ ([.,:;])/g, '$1')
    .trim();
}

function cutAtWord(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = cutText(text, limit - 1);
  const space = cut.lastIndexOf(' ');
  // Some languages put no spaces between words.
  return `${(space > limit / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}

/** The dimensions that stand out most, as short tags: "strong: clarity", "practises: listening". */
function styleTags(debrief: Debrief): string[] {
  return [...debrief.dimensions]
    .filter((dimension) => dimension.observed && Math.abs(dimension.score - 50) >= 5)
    .sort((one, other) => Math.abs(other.score - 50) - Math.abs(one.score - 50))
    .slice(0, MAX_TAGS)
    .map((dimension) =>
      cutText(
        `${dimension.score > 50 ? 'strong' : 'practises'}: ${dimension.name.toLowerCase()}`,
        MAX_TAG_LENGTH,
      ).trim(),
    );
}
