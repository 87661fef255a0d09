import {
  FALLBACK_UTTERANCE,
  NPC_REQUESTS_END,
  RESOURCE_OFFER,
  type Difficulty,
  type EmittedMessage,
  type LineJudgement,
  type NewStoredEvent,
  type ScenarioContent,
} from '@parley/shared/contracts';
import { applyDeltas, changesBetween } from './deltas';
import { restingEmotion } from './emotions';
import { reachedEnding, type EndingReached } from './endings';
import type { EngineState } from './engine-state';
import { applyMoves } from './judging/apply-moves';
import { unjudged, withModelNames } from './judging/judge-line';
import { limitObservations } from './observations';
import { failedReply, type CleanReply, type ParsedReply } from './reply/parsed-reply';
import { isKnownLookalike } from './safety/classify-input';
import type { SafetyVerdict } from './safety/verdict';
import { storedEventMessage } from './stored-event-message';
import { fireTriggers, type FiredEvent } from './triggers';
import type { TurnOutcome } from './turn-outcome';

export interface TurnInput {
  content: ScenarioContent;
  difficulty: Difficulty;
  state: EngineState;
  /** null when the precheck answered and the model was not asked. */
  reply: ParsedReply | null;
  /** Language of the session; that of the scenario when left out. */
  language?: string;
  /** Index of the player's turn; the character's is the next one. */
  player_turn_index: number;
  /** What the classifier said about the player's text; left out when it is not connected. */
  precheck?: SafetyVerdict;
  /** What the player's words showed; left out where nobody reads them, and then only the model's word counts. */
  judgement?: LineJudgement;
  /** What the player said: a model's false alarm is told by it. */
  player_text?: string;
  /** When the demo voice answered: the place of its line in the scenario's `demo`, null for a canned one. */
  demo?: { readonly line: number | null };
}

/** The line that stands when the author's policy has none for a refusal or a stop. */
const DEFAULT_STOP_LINE = "Let's stop here.";

/** What the precheck puts in the place of the model's answer: in character, from the policy's text, changing nothing. */
export function precheckReply(content: ScenarioContent, verdict: SafetyVerdict): CleanReply {
  const line = verdict.action === 'stop_with_resource_message' ? verdict.resource_text : verdict.redirect_text;
  return {
    npc_utterance: line ?? DEFAULT_STOP_LINE,
    npc_emotion: restingEmotion(content),
    state_delta: {},
    event_flags: [],
    rubric_observations: [],
    safety: { action: verdict.action, reason: verdict.reason },
    session_control: { end_session: false, reason: null },
  };
}

function fallbackReply(content: ScenarioContent): CleanReply {
  return {
    npc_utterance: FALLBACK_UTTERANCE,
    npc_emotion: restingEmotion(content),
    state_delta: {},
    event_flags: [],
    rubric_observations: [],
    safety: { action: 'ok', reason: null },
    session_control: { end_session: false, reason: null },
  };
}

/** A model that stops for a text that only looks like a crisis ends no talk: help is offered, and the talk goes on. */
function withoutFalseAlarm(safety: CleanReply['safety'], playerText: string | undefined): CleanReply['safety'] {
  const isFalse =
    safety.action === 'stop_with_resource_message' && playerText !== undefined && isKnownLookalike(playerText);
  return isFalse ? { action: 'redirect', reason: RESOURCE_OFFER } : safety;
}

/**
 * Steps 5 to 7 of the turn pipeline (docs/interface.md, Resolving a turn): what a player's turn and the model's answer
 * lead to. Pure: the same input gives the same outcome, and the input is not changed.
 */
export function resolveTurn(input: TurnInput): TurnOutcome {
  const { content, difficulty, state } = input;
  const stopped = input.precheck && input.precheck.action !== 'ok' ? input.precheck : null;
  const parsed = input.reply ?? failedReply('runtime_error');
  const usedFallback = !stopped && parsed.output === null;
  const reply = stopped ? precheckReply(content, stopped) : (parsed.output ?? fallbackReply(content));

  // What the policy answered was no move of the talk.
  const line = stopped ? null : (input.judgement ?? unjudged(state.player_turns + 1, input.player_turn_index));
  const judgement = line && withModelNames(content, line, new Set(reply.event_flags));
  const { values, rejected } = applyDeltas(content, difficulty, state.state_vars, reply.state_delta);
  const made =
    judgement && applyMoves(content, difficulty, input.language ?? content.language, values, state, judgement);
  const raised = made?.raised ?? [];
  const flags = new Set([...state.flags, ...raised]);
  const turnFlags = new Set(reply.session_control.end_session ? [NPC_REQUESTS_END] : []);
  const playerTurns = state.player_turns + 1;
  const firedBefore = new Set(state.fired_events);
  const fired = fireTriggers({ content, values, flags, turnFlags, firedBefore, playerTurns });

  const { action, reason } = withoutFalseAlarm(reply.safety, input.player_text);
  const safety = action === 'ok' ? null : { action, reason };
  const ending = reachedEnding(
    content,
    {
      value: (variable) => values.get(variable),
      hasFlag: (flag) => flags.has(flag) || turnFlags.has(flag),
      playerTurns,
    },
    action === 'stop' || action === 'stop_with_resource_message',
  );

  const turnIndex = input.player_turn_index + 1;
  const demo = stopped ? null : (input.demo ?? null);
  const stateVars = Object.fromEntries(values);
  const settled = {
    utterance: reply.npc_utterance,
    emotion: reply.npc_emotion,
    used_fallback: usedFallback,
    demo,
    fallback_reason: usedFallback ? parsed.reason : null,
    delta: changesBetween(state.state_vars, values),
    event_flags: raised,
    half_moves: (made?.memory.half_moves ?? []).filter((id) => !state.half_moves.includes(id)),
    judgement,
    fired,
    safety,
    ending,
    observations: limitObservations(content, reply.rubric_observations),
    rejected: [...rejected, ...(made?.unproven ?? []).map((name) => ({ reason: 'needs_proof' as const, name }))],
    dropped: stopped ? [] : parsed.dropped,
    state: {
      state_vars: stateVars,
      flags: [...flags],
      fired_events: [...new Set([...state.fired_events, ...fired.map((event) => event.id)])],
      player_turns: playerTurns,
      turn_index: turnIndex,
      pending_instructions: fired.map((event) => event.id),
      move_counts: { ...(made?.memory.move_counts ?? state.move_counts) },
      half_moves: [...(made?.memory.half_moves ?? state.half_moves)],
      demo_said: demo === null || demo.line === null ? [...state.demo_said] : [...state.demo_said, demo.line],
      demo_voice: state.demo_voice || demo !== null,
    },
  };
  const events = turnEvents(settled, turnIndex);
  return { ...settled, events, messages: turnMessages(events, settled.utterance) };
}

type Settled = Omit<TurnOutcome, 'events' | 'messages'>;

const endedState = (ending: EndingReached, stateVars: Record<string, number>) => ({
  state: 'Ended' as const,
  state_vars: stateVars,
  ending_type: ending.type,
  ending_id: ending.id,
});

const narrated = (event: FiredEvent) => ({ flags: [event.id], narration: event.narration });

/** The order in which one turn writes its events (docs/contract.md, Stored events). */
function turnEvents(turn: Settled, turnIndex: number): NewStoredEvent[] {
  const at = { turn_index: turnIndex };
  const { emotion, delta, event_flags, used_fallback, half_moves, demo, safety, ending } = turn;
  const rare = {
    ...(half_moves.length === 0 ? {} : { half_moves }),
    ...(demo === null ? {} : { demo: { line: demo.line } }),
  };
  const events: NewStoredEvent[] = [
    { ...at, kind: 'npc_turn', payload: { emotion, state_delta: delta, event_flags, used_fallback, ...rare } },
    { ...at, kind: 'state_delta', payload: { delta, state_vars: turn.state.state_vars } },
    ...turn.fired.map((event) => ({ ...at, kind: 'scenario_event' as const, payload: narrated(event) })),
  ];
  if (safety?.action === 'redirect' || safety?.action === 'refuse') {
    events.push({ ...at, kind: 'safety_redirect', payload: { action: safety.action, reason: safety.reason } });
  } else if (safety) {
    events.push({ ...at, kind: 'safety_stop', payload: { action: safety.action, reason: safety.reason } });
  }
  if (ending) events.push({ ...at, kind: 'ending', payload: endedState(ending, turn.state.state_vars) });
  return events;
}

/** What one turn tells is what it stores, in the same order (docs/contract.md, Messages). */
const turnMessages = (events: readonly NewStoredEvent[], utterance: string): EmittedMessage[] =>
  events.map((event) => storedEventMessage(event, () => utterance)).filter((message) => message !== null);
