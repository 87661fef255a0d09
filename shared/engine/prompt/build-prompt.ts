import type { ChatMessage, Recap } from '@parley/shared/contracts';
import type { CompiledScenario, StaticChoices } from '../compiled-scenario';
import type { EngineState } from '../engine-state';
import { fenceOf, withoutFence } from './fence';
import { memorySummary, SUMMARY_STEP, summaryUpTo, WINDOW_TURNS, type TalkSummary } from './memory-summary';
import { neutralise } from './neutralise';
import { relationshipMemory } from './relationship-memory';
import type { PromptTurn } from './prompt-turn';
import { stateAndUtterance } from './state-section';
import type { RubricDetail } from './static-layers';
import type { StaticParts } from './static-parts';
import { estimateTokens, TOKENS_PER_MESSAGE } from './token-estimate';

export interface PromptInput extends StaticChoices {
  scenario: CompiledScenario;
  /** The session's random code that delimits untrusted text; the same on every turn. */
  fence: string;
  state: EngineState;
  /** Stored turns, oldest first; at least the last twelve. */
  turns: readonly PromptTurn[];
  /** Of the turns up to `summarisedUpTo(state.turn_index)`. */
  summary: TalkSummary;
  /** What the character remembers of the player; null without one or when the setting is off. */
  recap: Recap | null;
  player_text: string;
  /** Of the model, in tokens; null when unknown (4096 is taken). */
  context_length: number | null;
  /** How the static part of the session's earlier prompts was fitted; kept as long as it fits. */
  rubric_detail?: RubricDetail | undefined;
  /** Room for the answer, in tokens. Whitespace that schemas allow makes 512 too little. */
  max_tokens?: number;
}

export interface BuiltPrompt {
  messages: ChatMessage[];
  max_tokens: number;
  /** Of the whole prompt, on the safe side. */
  estimated_tokens: number;
  /** Turns of the window that the budget left no room for. */
  dropped_turns: number;
  /** Length of what is byte-identical on every turn of the session, at the start of the first message, in characters. */
  static_length: number;
  /** How the static part was fitted: to be handed over with the session's next prompt. */
  rubric_detail: RubricDetail;
}

export const DEFAULT_MAX_TOKENS = 700;
export const DEFAULT_CONTEXT_LENGTH = 4096;
const STAGE_DIRECTION = 'The scene begins. You speak first.';
const STAGE_DIRECTION_LATER = 'The scene goes on. You speak.';

/** Room that the changing part wants beside the static one: twelve average turns, the state, a long question. In tokens. */
const CHANGING_PART = 900;

/**
 * The static part for a budget: with the rubric's low and medium anchors where there is room for them beside an average
 * talk, without them where there is not, so that a small context is not spent on them instead of on what was said. A part
 * that was sent without them stays so.
 */
function partsFor(input: PromptInput, budget: number): StaticParts {
  const { scenario } = input;
  // Where checks judge, the anchors are words for people: the character plays without them.
  const isChecked = scenario.content.rubric.dimensions.every(({ checks }) => checks.length > 0);
  if (input.rubric_detail === 'brief' || isChecked) return scenario.staticParts(input, 'brief');
  const whole = scenario.staticParts(input, 'whole');
  return whole.headTokens + whole.tailTokens + CHANGING_PART <= budget ? whole : scenario.staticParts(input, 'brief');
}

/**
 * Step 3 of the turn pipeline: the prompt of one turn (docs/interface.md, The prompt). One system message with the
 * eleven layers, then the last twelve turns as strictly alternating messages that begin with the user, then STATE and
 * PLAYER_UTTERANCE. When the budget (context_length - max_tokens) is exceeded the oldest turns of the window go first,
 * six at a time and into the ledger, so that the model server's cache keeps what stands before the rest; only the last
 * five go one by one. Rules, persona and the player's words never do, even when they alone are too much.
 */
export function buildPrompt(input: PromptInput): BuiltPrompt {
  const { state } = input;
  const { content } = input.scenario;
  const fence = fenceOf(input.fence);
  const maxTokens = input.max_tokens ?? DEFAULT_MAX_TOKENS;
  const budget = (input.context_length ?? DEFAULT_CONTEXT_LENGTH) - maxTokens;
  const parts = partsFor(input, budget);
  const head = parts.head.map((piece) => withoutFence(piece, fence)).join(fence);
  const relationship = `## 9 RELATIONSHIP_MEMORY\n${relationshipMemory(input.recap, fence)}`;
  const last = stateAndUtterance(content, state, input.player_text, fence);
  const window = spokenWindow(input.turns, fence, input.language);
  const fixed =
    parts.headTokens +
    estimateTokens(relationship, input.language) +
    parts.tailTokens +
    estimateTokens(last, input.language) +
    2 * TOKENS_PER_MESSAGE;

  const memoryOf = (summary: TalkSummary): string =>
    `## 8 MEMORY_SUMMARY\n${memorySummary(content, input.difficulty, summary, fence)}`;
  const costFrom = (first: number, memory: string): number => {
    const shown = window.slice(first);
    const direction = shown[0]?.role === 'assistant' ? estimateTokens(STAGE_DIRECTION) + TOKENS_PER_MESSAGE : 0;
    return fixed + estimateTokens(memory, input.language) + direction + shown.reduce((sum, { cost }) => sum + cost, 0);
  };
  let dropped = 0;
  let memory = memoryOf(input.summary);
  while (dropped < window.length && costFrom(dropped, memory) > budget) {
    const step = nextStep(window, dropped);
    dropped = step ?? dropped + 1;
    if (step !== null) memory = memoryOf(summaryOfDropped(input, window[step - 1]?.index ?? 0));
  }
  const estimated = costFrom(dropped, memory);
  const system = `${head}\n\n${memory}\n\n${relationship}\n\n${parts.tail}`;

  const kept = window.slice(dropped);
  const direction = kept[0]?.index === 1 ? STAGE_DIRECTION : STAGE_DIRECTION_LATER;
  const messages: ChatMessage[] = [
    { role: 'system', content: system },
    ...alternating([
      ...(kept[0]?.role === 'assistant' ? [{ role: 'user' as const, content: direction }] : []),
      ...kept,
      { role: 'user', content: last },
    ]),
  ];
  return {
    messages,
    max_tokens: maxTokens,
    estimated_tokens: estimated,
    dropped_turns: dropped,
    static_length: head.length,
    rubric_detail: parts.detail,
  };
}

interface SpokenTurn extends ChatMessage {
  index: number;
  /** In tokens. */
  cost: number;
}

/** The last twelve turns whose text is there; what came before a lost text is out of reach and left out. */
function spokenWindow(turns: readonly PromptTurn[], fence: string, language: string): SpokenTurn[] {
  const recent = turns.slice(-WINDOW_TURNS);
  const lost = recent.findLastIndex((turn) => turn.text === null);
  return recent.slice(lost + 1).map(({ index, role, text }) => {
    const content = withoutFence(neutralise(text ?? ''), fence) || '…';
    return {
      index,
      role: role === 'npc' ? ('assistant' as const) : ('user' as const),
      content,
      cost: estimateTokens(content, language) + TOKENS_PER_MESSAGE,
    };
  });
}

/** Where the window begins when it is cut at the next step of six turns; null when less than five would be left. */
function nextStep(window: readonly SpokenTurn[], from: number): number | null {
  const at = window.findIndex(({ index }, place) => place > from && index % SUMMARY_STEP === 1);
  return at === -1 || window.length - at < SUMMARY_STEP - 1 ? null : at;
}

/** The summary with the ledger carried on over turns that there is no room for; their events stand in STATE. */
function summaryOfDropped(input: PromptInput, upTo: number): TalkSummary {
  const { sentences } = summaryUpTo(
    { content: input.scenario.content, language: input.language },
    upTo,
    { events: [], turns: input.turns },
    input.summary,
  );
  return { ...input.summary, up_to: upTo, sentences };
}

/** Chat templates refuse two messages of one role in a row: such become one. */
function alternating(messages: readonly ChatMessage[]): ChatMessage[] {
  const merged: ChatMessage[] = [];
  for (const { role, content } of messages) {
    const previous = merged.at(-1);
    if (previous?.role === role) previous.content += `\n\n${content}`;
    else merged.push({ role, content });
  }
  return merged;
}
