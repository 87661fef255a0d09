import type { Sentence } from './sentences';
import type { TokenText } from './token-text';
import type { Token } from './tokens';

/** What a line is read against. */
export interface SignContext {
  /** The session's language, as a tag such as `en`; the part behind a hyphen is not looked at. */
  readonly language: string;
  /** What the character said just before; null in the first line of a talk that the player opens. */
  readonly lastNpcLine: string | null;
  /** Narrations that the player has read so far, by the event's id. */
  readonly events: Readonly<Record<string, string>>;
  /** The character's name and those that the scenario declares. */
  readonly names: readonly string[];
  /** Which of the player's lines this is, from 1. */
  readonly line: number;
  /** What the player said before, oldest first. */
  readonly earlierLines: readonly string[];
}

/** By token: whether it is reported, and whether by words that stand before it. */
export interface Reported {
  readonly all: readonly boolean[];
  readonly behind: readonly boolean[];
}

/** What every sign needs of a line. */
export interface LineParts {
  readonly text: string;
  readonly context: SignContext;
  /** The first part of the context's language tag, in lower case. */
  readonly language: string;
  readonly tokens: readonly Token[];
  readonly tokenText: TokenText;
  readonly sentences: readonly Sentence[];
  /** By token: the number of its sentence. */
  readonly sentenceOf: readonly number[];
  /** The words of the context's names, in lower case. */
  readonly nameWords: ReadonlySet<string>;
  /** By token: whether it belongs to a sentence that is copied from the character's last line. */
  readonly copied: readonly boolean[];
  /** By token: whether it stands in quotation marks as the words of another; found when first asked for. */
  readonly quoted: readonly boolean[];
  /** What says back what another said, wants or offers; found when first asked for. */
  readonly reported: Reported;
  /** The stems of words and numbers; found when first asked for. */
  readonly stems: Stems;
}

export interface StemAt {
  readonly stem: string;
  /** The number of its token. */
  readonly at: number;
  /** Whether it may stand inside of an author's phrase: I would (really) like. */
  readonly mayBeInserted: boolean;
}

export interface Stems {
  readonly list: readonly StemAt[];
  /** Where in `list` a stem stands. */
  readonly places: ReadonlyMap<string, readonly number[]>;
}

/** The sentence that a token stands in. */
export const sentenceAt = ({ sentences, sentenceOf }: LineParts, index: number): Sentence | undefined =>
  sentences[sentenceOf[index] ?? -1];
