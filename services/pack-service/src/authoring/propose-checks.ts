import type { Sign } from '@parley/shared/contracts';

/** A check or a fault that a rubric could be scored by, made from the words of its anchors. */
export interface ProposedCheck {
  readonly id: string;
  /** The author's own sentence. */
  readonly text: string;
  readonly signs: readonly Sign[];
  readonly points: number;
}

export interface Proposal {
  readonly checks: readonly ProposedCheck[];
  readonly faults: readonly ProposedCheck[];
  /** Sentences of the high anchor that no sign fits: only a model can tell. */
  readonly unproven: readonly string[];
}

interface Hint {
  readonly name: string;
  readonly words: RegExp;
  readonly sign: Sign;
}

/** What a skilled line shows, by the words with which authors describe it. The first that fits is taken. */
const SKILLS: readonly Hint[] = [
  { name: 'owns_it', words: /\b(?:own (?:part|share|mistake)|responsib|ownership)/i, sign: { tone: ['own_part'] } },
  { name: 'apologises', words: /\b(?:apolog|sorry)/i, sign: { tone: ['apology'] } },
  { name: 'thanks', words: /\b(?:thank|appreciat|grateful)/i, sign: { tone: ['thanks'] } },
  {
    name: 'takes_up',
    words: /\b(?:summari[sz]|paraphras|reflect|restat|repeats? back|acknowledg|takes? up|mirror|hears?\b)/i,
    sign: { echo: { of: 'last_npc' } },
  },
  {
    name: 'asks',
    words: /\b(?:asks?|asked|asking|questions?|explor|curious|invit|finds? out)/i,
    sign: { question: 'open' },
  },
  {
    name: 'names_a_figure',
    words: /\b(?:figures?|numbers?|amounts?|sums?|prices?|salary|percent|budget)\b/i,
    sign: { figure: { count: 1 } },
  },
  {
    name: 'names_a_day',
    words: /\b(?:dates?|deadlines?|days?|by when|timelines?|schedul|follow[- ]ups?|next steps?)\b/i,
    sign: { day: true },
  },
  { name: 'speaks_of_self', words: /\b(?:I[- ]statements?|own (?:feelings?|needs?|views?))/i, sign: { person: ['i'] } },
];

/** What hurts, by the words of the low anchor. */
const SLIPS: readonly Hint[] = [
  { name: 'insults', words: /\b(?:insult|name[- ]call|demean|belittl)/i, sign: { tone: ['insult'] } },
  { name: 'blames', words: /\b(?:blam|accus)/i, sign: { tone: ['blame'] } },
  { name: 'threatens', words: /\b(?:threat|ultimatum)/i, sign: { tone: ['threat'] } },
  { name: 'shouts', words: /\b(?:shout|yell)/i, sign: { tone: ['shouting'] } },
  { name: 'generalises', words: /\b(?:generali[sz]|exaggerat)/i, sign: { tone: ['absolute'] } },
  { name: 'hedges', words: /\b(?:hedg|vague|hints?\b|beats? around)/i, sign: { tone: ['hedge'] } },
];

/** Points of the checks of one dimension; the rules of packs ask for it. */
const POINTS = 50;
const POINTS_OF_A_FAULT = 20;

const sentencesOf = (text: string): string[] =>
  text
    .split(/(?<=[.!?;])\s+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');

/** The hints that fit, each with the first sentence that it fits. */
function fitting(hints: readonly Hint[], sentences: readonly string[]): { hint: Hint; text: string }[] {
  const found = new Map<Hint, string>();
  for (const text of sentences) {
    const hint = hints.find((one) => one.words.test(text) && !found.has(one));
    if (hint !== undefined) found.set(hint, text);
  }
  return [...found].map(([hint, text]) => ({ hint, text }));
}

/**
 * Proposes checks and faults from the anchors of a dimension. They are guesses for the author to mend: the words of an anchor
 * say what a good line does, not how it sounds. English only.
 */
export function proposeChecks(scoring: { readonly high: string; readonly low: string }): Proposal {
  const sentences = sentencesOf(scoring.high);
  const skills = fitting(SKILLS, sentences);
  const checks = skills.map(({ hint, text }, at) => ({
    id: hint.name,
    text,
    signs: [hint.sign],
    points: Math.floor(POINTS / skills.length) + (at < POINTS % skills.length ? 1 : 0),
  }));
  const faults = fitting(SLIPS, sentencesOf(scoring.low)).map(({ hint, text }) => ({
    id: hint.name,
    text,
    signs: [hint.sign],
    points: POINTS_OF_A_FAULT,
  }));
  const proven = new Set(skills.map(({ text }) => text));
  return { checks, faults, unproven: sentences.filter((text) => !proven.has(text)) };
}
