import type { DebriefNarrative } from '@parley/shared/contracts';
import { MAX_IMPROVEMENTS, MAX_SENTENCES, MAX_STRENGTHS, MAX_SUGGESTIONS, MAX_SUMMARY } from './debrief-schema';
import { createGuard, type GuardReason, type NarrativeContext } from './guardrails';
import { cutText, joinedSentences, sentencesOf } from './text-parts';

export interface CheckedNarrative {
  /** null when nothing usable is left: the narrative is then written without the model. */
  narrative: DebriefNarrative | null;
  /** Why parts were removed, one entry a part; never the text itself. */
  removed: (GuardReason | 'shape' | 'too_many')[];
}

/** Of a text so many times as long as it may become, and of a list so many parts, is looked at: what follows is too much. */
const FAR_LONGER = 4;
const MAX_LISTED = 20;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const own = (object: Record<string, unknown>, member: string): unknown =>
  Object.hasOwn(object, member) ? object[member] : undefined;

/**
 * The guardrails of the debrief, checked on the model's answer (docs/interface.md, Debrief): sentences with a quotation
 * that is in no turn, a turn that does not exist, clinical advice or a guarantee are removed; lists are bounded (at
 * most two improvements); a replay suggestion is tied to a turn of the player. Never throws.
 */
export function checkNarrative(parsed: unknown, context: NarrativeContext): CheckedNarrative {
  const removed: CheckedNarrative['removed'] = [];
  if (!isObject(parsed)) return { narrative: null, removed: ['shape'] };
  const guard = createGuard(context);

  const checked = (value: unknown, limit: number): string => {
    if (typeof value !== 'string') {
      removed.push('shape');
      return '';
    }
    const result = guard(cutText(value, FAR_LONGER * limit).replace(/[\p{Cc}\p{Surrogate}]/gu, ' '));
    removed.push(...result.removed);
    return bounded(result.text, limit);
  };
  const texts = (member: string, limit: number): string[] => {
    const value = own(parsed, member);
    if (!Array.isArray(value)) {
      removed.push('shape');
      return [];
    }
    const kept = value
      .slice(0, MAX_LISTED)
      .map((item) => checked(item, MAX_SENTENCES))
      .filter((text) => text !== '');
    if (kept.length > limit) removed.push('too_many');
    return kept.slice(0, limit);
  };

  const summary = checked(own(parsed, 'summary'), MAX_SUMMARY);
  const strengths = texts('strengths', MAX_STRENGTHS);
  const improvements = texts('improvements', MAX_IMPROVEMENTS);
  const suggestions: DebriefNarrative['replay_suggestions'] = [];
  const listed = own(parsed, 'replay_suggestions');
  for (const item of Array.isArray(listed) ? (listed as unknown[]) : []) {
    const turn = isObject(item) ? playerTurnOf(own(item, 'turn'), context) : null;
    const suggestion = isObject(item) ? checked(own(item, 'suggestion'), MAX_SENTENCES) : '';
    if (turn === null) removed.push('unknown_turn');
    else if (suggestion !== '' && suggestions.length < MAX_SUGGESTIONS) suggestions.push({ turn, suggestion });
  }
  if (summary === '') return { narrative: null, removed };
  return { narrative: { summary, strengths, improvements, replay_suggestions: suggestions }, removed };
}

/** The player's turn that a suggestion means: a turn of the character stands for the player's answer to it. */
function playerTurnOf(value: unknown, { turns }: NarrativeContext): number | null {
  const at = (index: number) => turns.find((turn) => turn.index === index);
  if (typeof value !== 'number' || !at(value)) return null;
  return [value, value + 1, value - 1].find((index) => at(index)?.role === 'player') ?? null;
}

/** Whole sentences up to the limit; at least the first, cut. */
function bounded(text: string, limit: number): string {
  if (text.length <= limit) return text;
  let kept = '';
  for (const sentence of sentencesOf(text)) {
    if (kept.length + sentence.length + 1 > limit) break;
    kept = joinedSentences([kept, sentence]);
  }
  return kept === '' ? `${cutText(text, limit - 1).trimEnd()}…` : kept;
}
