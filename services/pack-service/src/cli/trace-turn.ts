import type { Difficulty, ScenarioContent } from '@parley/shared/contracts';
import {
  deltaBounds,
  flagVocabulary,
  type EngineState,
  type FailureReason,
  type ParsedReply,
  type Rejection,
  type TurnOutcome,
} from '@parley/shared/engine';

/** What did not come about as the output asked for. */
interface Dropped {
  /** The member and what it asked for. */
  readonly what: string;
  /** What became of it, and why. */
  readonly why: string;
}

/** One turn of a script as it was played: for the author who wonders why. */
export interface TurnTrace {
  /** The turn's number in the script. */
  readonly turn: number;
  readonly player_input: string;
  /** Whether something did not come out as expected in this turn. */
  readonly failed: boolean;
  /** Every variable, hidden ones too. */
  readonly variables: Readonly<Record<string, { readonly before: number; readonly after: number }>>;
  /** Flags and moves that the output raised. */
  readonly raised: readonly string[];
  /** Events that fired. */
  readonly fired: readonly string[];
  /** Id or type of the ending; null while the talk goes on. */
  readonly ending: string | null;
  readonly dropped: readonly Dropped[];
}

export interface PlayedTurn {
  readonly content: ScenarioContent;
  readonly difficulty: Difficulty;
  readonly before: EngineState;
  readonly reply: ParsedReply;
  readonly outcome: TurnOutcome;
}

const signed = (number: number): string => (number > 0 ? `+${number}` : String(number));

const FAILURES: Readonly<Record<FailureReason, string>> = {
  empty: 'it is empty',
  plain_text: 'it is plain text and no speech',
  repeated: 'it says again what was said',
  no_json: 'it holds no JSON',
  no_utterance: 'it has no utterance',
  runtime_error: 'there is none',
};

const REFUSALS: Readonly<Record<Rejection['reason'], (content: ScenarioContent, name: string) => string>> = {
  unknown_variable: () => 'dropped, there is no such variable',
  needs_move: (content, name) => {
    const moves = content.moves.filter((move) => Object.hasOwn(move.effect, name)).map((move) => move.id);
    return `dropped, only moves of the player earn it: ${moves.join(', ')}`;
  },
  needs_proof: () => "dropped, the player's words do not prove it",
};

/** What became of the changes of variables: refused, cut to the most in a turn, cut at a bound. */
function droppedChanges({ content, difficulty, before, reply, outcome }: PlayedTurn): Dropped[] {
  return Object.entries(reply.output?.state_delta ?? {}).flatMap(([name, asked]): Dropped[] => {
    const what = `state_delta ${name} ${signed(asked)}`;
    const definition = Object.hasOwn(content.variables, name) ? content.variables[name] : undefined;
    if (definition === undefined) return [{ what, why: REFUSALS.unknown_variable(content, name) }];
    const refusal = outcome.rejected.find((one) => one.name === name && one.reason !== 'needs_proof');
    if (refusal !== undefined) return [{ what, why: REFUSALS[refusal.reason](content, name) }];
    const most = deltaBounds(content, difficulty, name);
    const cut = Math.min(most.up, Math.max(-most.down, asked));
    const from = before.state_vars[name] ?? definition.default;
    const to = Math.min(definition.max, Math.max(definition.min, from + cut));
    if (to - from !== cut)
      return [{ what, why: `kept ${signed(to - from)}, ${name} ends at ${cut > 0 ? definition.max : definition.min}` }];
    return cut === asked ? [] : [{ what, why: `kept ${signed(cut)}, the most in a turn with ${difficulty}` }];
  });
}

function droppedObservations({ content, reply, outcome }: PlayedTurn): Dropped[] {
  return (reply.output?.rubric_observations ?? []).flatMap(({ dimension, delta }, index): Dropped[] => {
    const kept = outcome.observations[index]?.delta ?? 0;
    if (kept === delta) return [];
    const most = content.rubric.dimensions.find((one) => one.id === dimension)?.max_delta_per_turn ?? 0;
    return [
      {
        what: `rubric_observations ${dimension} ${signed(delta)}`,
        why: `kept ${signed(kept)}, the most in a turn is ${most}`,
      },
    ];
  });
}

/** Moves and flags that the output named and the player's words do not prove. */
const droppedNames = ({ content, outcome }: PlayedTurn): Dropped[] =>
  outcome.rejected
    .filter(({ reason }) => reason === 'needs_proof')
    .map(({ name, reason }) => ({ what: `event_flags ${name ?? ''}`, why: REFUSALS[reason](content, name ?? '') }));

/** What of an output was not kept, and why. Members that a script leaves out were not asked for. */
function droppedIn(played: PlayedTurn): Dropped[] {
  const { content, reply, outcome } = played;
  if (reply.output === null)
    return [
      {
        what: 'the whole output',
        why: `dropped, ${reply.reason === null ? 'it cannot be read' : FAILURES[reply.reason]}; the fixed line stood in`,
      },
    ];
  const vocabulary = flagVocabulary(content);
  const members = outcome.dropped.filter(({ reason }) => reason !== 'missing');
  return [
    ...members.map(({ member, reason }) => ({
      what: member,
      why: `dropped, ${reason}${member === 'event_flags' ? `: ${vocabulary.join(', ')}` : ''}`,
    })),
    ...droppedChanges(played),
    ...droppedNames(played),
    ...droppedObservations(played),
  ];
}

/** The trace of one turn. */
export function traceTurn(played: PlayedTurn, turn: Pick<TurnTrace, 'turn' | 'player_input' | 'failed'>): TurnTrace {
  const { before, outcome } = played;
  return {
    ...turn,
    variables: Object.fromEntries(
      Object.entries(outcome.state.state_vars).map(([name, after]) => [
        name,
        { before: before.state_vars[name] ?? after, after },
      ]),
    ),
    raised: outcome.event_flags,
    fired: outcome.fired.map((event) => event.id),
    ending: outcome.ending === null ? null : (outcome.ending.id ?? outcome.ending.type),
    dropped: droppedIn(played),
  };
}

const MAX_INPUT = 72;
const listOf = (names: readonly string[]): string => (names.length === 0 ? 'nothing' : names.join(', '));

/**
 * Traces for a person: whole where a turn failed, and of the turns before it what was dropped, since that is often why.
 * Empty when nothing failed.
 */
export function formatTrace(trace: readonly TurnTrace[]): string {
  return trace
    .filter((turn) => turn.failed || turn.dropped.length > 0)
    .map((turn) => {
      const words = turn.player_input.replace(/\s+/g, ' ').trim();
      const shown = words.length > MAX_INPUT ? `${words.slice(0, MAX_INPUT)}…` : words;
      const entries = Object.entries(turn.variables);
      const width = Math.max(...entries.map(([name]) => name.length));
      const values = entries.map(
        ([name, { before, after }]) => `    ${name.padEnd(width)} ${String(before).padStart(3)} -> ${after}\n`,
      );
      const happened = `    raised: ${listOf(turn.raised)}; fired: ${listOf(turn.fired)}${turn.ending === null ? '' : `; ending: ${turn.ending}`}\n`;
      const dropped = turn.dropped.map(({ what, why }) => `    ${what}: ${why}\n`);
      return [`  Turn ${turn.turn}: ${shown}\n`, ...(turn.failed ? [...values, happened] : []), ...dropped].join('');
    })
    .join('');
}
