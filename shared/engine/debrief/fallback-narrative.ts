import type {
  DebriefDimension,
  DebriefNarrative,
  EndingType,
  ScenarioContent,
  TurningPoint,
} from '@parley/shared/contracts';
import type { StoredEventLike } from '../engine-state';
import { createGuard, type NarrativeContext } from './guardrails';
import type { SessionScores } from './scoring';
import { changeInWords } from './turning-points';

export interface FallbackInput {
  content: ScenarioContent;
  turns: NarrativeContext['turns'];
  events: readonly StoredEventLike[];
  scores: SessionScores;
  turning_points: readonly TurningPoint[];
  ending: { type: EndingType; id: string | null };
}

/** A text of an author as the end of a sentence. */
const ended = (text: string): string => (/[.!?…]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`);
/** A name inside a sentence; abbreviations and names of their own keep their capitals. */
const lowerFirst = (text: string): string =>
  /^\p{Lu}\p{Ll}/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;

/**
 * A debrief that needs no model: from scores, turning points and the rubric alone, the same for the same session. What
 * to do next comes first, then the evidence by turn, then where the scores stand; the person is never judged. At most
 * two improvements, and each replay suggestion is tied to a turn of the player.
 */
export function fallbackNarrative(input: FallbackInput): DebriefNarrative {
  const guard = createGuard(input);
  const noteOf = (note: string | null): string | null => {
    const text = note === null ? '' : guard(note).text.replace(/(?<![.!?…])[.!?…]+$/, '');
    return text === '' ? null : text;
  };
  const weak = weakest(input.scores.dimensions);
  return {
    summary: summary(input, weak[0] ?? null),
    strengths: strengths(input.scores.dimensions, noteOf),
    improvements: weak.map((dimension) => improvement(input.content, dimension, noteOf)),
    replay_suggestions: replaySuggestions(input, weak),
  };
}

/** The two dimensions to work on: observed ones below the top first, lowest first, then what was never seen. */
function weakest(dimensions: readonly DebriefDimension[]): DebriefDimension[] {
  const open = dimensions.filter((dimension) => !dimension.observed || dimension.score < 80);
  return [...open]
    .sort((one, other) => Number(other.observed) - Number(one.observed) || one.score - other.score)
    .slice(0, 2);
}

function anchorOf(content: ScenarioContent, id: string): string {
  const dimension = content.rubric.dimensions.find((candidate) => candidate.id === id);
  return ended(dimension?.scoring.high ?? dimension?.description ?? id.replaceAll('_', ' '));
}

/** A move of a skilled player that was never named in the whole talk. */
function unusedMove(input: FallbackInput): string | null {
  const made = new Set(input.events.flatMap((event) => (event.kind === 'npc_turn' ? event.payload.event_flags : [])));
  return input.content.moves.find((move) => !made.has(move.id))?.description ?? null;
}

function summary(input: FallbackInput, next: DebriefDimension | null): string {
  const { content, ending, scores } = input;
  const move = unusedMove(input);
  const parts: string[] = [];
  if (next) parts.push(`Next time, work on ${lowerFirst(next.name)}. At its best: ${anchorOf(content, next.id)}`);
  if (move) parts.push(`A move that was not tried yet: ${ended(move)}`);
  const turns = input.turns.filter((turn) => turn.role === 'player').length;
  parts.push(`The talk ${howItEnded(content, ending)} after ${turns} ${turns === 1 ? 'turn' : 'turns'} of yours.`);
  const decisive = input.turning_points
    .filter((point) => point.kind === 'state_change')
    .sort((one, other) => size(other) - size(one))[0];
  if (decisive) {
    const values = valuesAt(input.events, decisive.turn);
    parts.push(
      `The largest change came with turn ${decisive.turn}: ${changeInWords(decisive.deltas, values, content.language)}.`,
    );
  }
  const unseen = scores.dimensions.filter((dimension) => !dimension.observed).length;
  const part =
    unseen > 0 ? ` (${unseen} of ${scores.dimensions.length} dimensions were not observed and count 50)` : '';
  parts.push(`The overall score is ${scores.overall_score} of 100${part}.`);
  return parts.join(' ');
}

function howItEnded(content: ScenarioContent, ending: FallbackInput['ending']): string {
  const title = ending.id === null ? null : content.endings.find((candidate) => candidate.id === ending.id)?.title;
  const named = title ? ` (${title})` : '';
  const words: Record<EndingType, string> = {
    success: `reached its goal${named}`,
    failure: `broke off${named}`,
    timeout: `ran out of turns${named}`,
    player_exit: 'was ended by you',
    safety_stop: 'was stopped for safety',
  };
  return words[ending.type];
}

const size = (point: TurningPoint): number =>
  Object.values(point.deltas).reduce((sum, delta) => sum + Math.abs(delta), 0);

function valuesAt(events: readonly StoredEventLike[], turn: number): Record<string, number> {
  const found = events.find((event) => event.kind === 'state_delta' && event.turn_index === turn);
  return found?.kind === 'state_delta' ? found.payload.state_vars : {};
}

function strengths(dimensions: readonly DebriefDimension[], noteOf: (note: string | null) => string | null): string[] {
  return dimensions
    .flatMap((dimension) => {
      const best = [...dimension.observations].sort((one, other) => other.delta - one.delta)[0];
      return best && best.delta > 0 ? [{ dimension, best }] : [];
    })
    .sort((one, other) => other.best.delta - one.best.delta)
    .slice(0, 3)
    .map(({ dimension, best }) => {
      const note = noteOf(best.note);
      return `${dimension.name}, turn ${best.turn}: ${note ? `${note}. ` : ''}That moved it up by ${best.delta}. Do the same again where it fits.`;
    });
}

function improvement(
  content: ScenarioContent,
  dimension: DebriefDimension,
  noteOf: (note: string | null) => string | null,
): string {
  const aim = anchorOf(content, dimension.id);
  if (!dimension.observed)
    return `${dimension.name} was not observed in this talk. Make room for it. At its best: ${aim}`;
  const worst = [...dimension.observations].sort((one, other) => one.delta - other.delta)[0];
  if (!worst || worst.delta >= 0) return `${dimension.name} can go further. Aim for this: ${aim}`;
  const note = noteOf(worst.note);
  return `${dimension.name}, turn ${worst.turn}: ${note ? `${note}. ` : ''}That moved it down by ${-worst.delta}. Aim for this: ${aim}`;
}

/** Turns worth playing again: those that cost a weak dimension most, then those after which the state fell most. */
function replaySuggestions(
  input: FallbackInput,
  weak: readonly DebriefDimension[],
): DebriefNarrative['replay_suggestions'] {
  const players = input.turns.filter((turn) => turn.role === 'player').map((turn) => turn.index);
  const chosen = new Map<number, string>();
  for (const dimension of weak) {
    const worst = [...dimension.observations].sort((one, other) => one.delta - other.delta)[0];
    if (worst && worst.delta <= 0 && players.includes(worst.turn) && !chosen.has(worst.turn)) {
      chosen.set(
        worst.turn,
        `Play turn ${worst.turn} again with ${lowerFirst(dimension.name)} in mind. Aim for this: ${anchorOf(input.content, dimension.id)}`,
      );
    }
  }
  const move = unusedMove(input);
  const low = [...input.turning_points]
    .filter((point) => point.kind === 'state_change')
    .sort((one, other) => size(other) - size(one));
  // A turning point is shown by the character's turn; what led to it is the player's turn before.
  for (const turn of [...low.map((point) => point.turn - 1), ...players.slice(0, 1)]) {
    if (chosen.size >= 2) break;
    if (!players.includes(turn) || chosen.has(turn)) continue;
    const aim = move ? `try this move there: ${ended(move)}` : 'say it another way and watch what changes.';
    chosen.set(turn, `Play turn ${turn} again and ${aim}`);
  }
  return [...chosen].sort(([one], [other]) => one - other).map(([turn, suggestion]) => ({ turn, suggestion }));
}
