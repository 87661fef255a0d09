import type { Difficulty, ScenarioContent } from '@parley/shared/contracts';
import { startState, type StoredEventLike } from '../engine-state';
import { fenced } from './fence';
import type { PromptTurn } from './prompt-turn';
import { ledgerLines, rememberedIn, type RememberedSentence } from './remembered';

/** The transcript window of a turn's prompt, in stored turns of both roles (docs/interface.md, The prompt). */
export const WINDOW_TURNS = 12;
/** The summary changes only this often, in stored turns, so that the model server's prompt cache keeps what is before it. */
export const SUMMARY_STEP = 6;

/**
 * Up to which turn the summary tells, when `turnIndex` turns are stored: 0 while all of them are in the window, then in
 * steps of six. Between it and the window lie at most five turns, which the state covers. A caller may keep a summary
 * for as long as this number stays the same.
 */
export function summarisedUpTo(turnIndex: number): number {
  return Math.max(0, Math.floor((turnIndex - WINDOW_TURNS) / SUMMARY_STEP) * SUMMARY_STEP);
}

/** What MEMORY_SUMMARY is made of. */
export interface TalkSummary {
  /** Index of the last turn that it tells of; 0 while all turns are shown. */
  readonly up_to: number;
  readonly events: readonly StoredEventLike[];
  /** Oldest first. */
  readonly sentences: readonly RememberedSentence[];
}

/** Of a talk whose turns are all shown. */
export const NO_SUMMARY: TalkSummary = { up_to: 0, events: [], sentences: [] };

/**
 * Carries a summary on to a later turn; what it is given of later turns or of those that it told of already is passed over,
 * so that a talk costs the same however it is cut.
 * @param upTo from {@link summarisedUpTo}.
 * @param later events and turns after `earlier.up_to`, oldest first.
 */
export function summaryUpTo(
  { content, language }: { content: ScenarioContent; language: string },
  upTo: number,
  later: { events: readonly StoredEventLike[]; turns: readonly PromptTurn[] },
  earlier: TalkSummary = NO_SUMMARY,
): TalkSummary {
  if (upTo <= 0) return NO_SUMMARY;
  const isNew = (index: number | null): boolean => index !== null && index > earlier.up_to && index <= upTo;
  return {
    up_to: upTo,
    events: rememberedEvents([...earlier.events, ...later.events.filter((event) => isNew(event.turn_index))]),
    sentences: [
      ...earlier.sentences,
      ...later.turns.filter(({ index }) => isNew(index)).flatMap((turn) => rememberedIn(turn, content, language)),
    ],
  };
}

/** Those of the events that a summary is made of: with them alone it is the same, however long the talk has been. */
function rememberedEvents(events: readonly StoredEventLike[]): StoredEventLike[] {
  const lastDelta = events.findLastIndex((event) => event.kind === 'state_delta');
  return events.filter((event, at) => {
    if (event.kind === 'state_delta') return at === lastDelta;
    if (event.kind === 'npc_turn') return event.payload.event_flags.length > 0;
    return event.kind === 'scenario_event' || event.kind === 'safety_redirect';
  });
}

/**
 * What happened before the window: changes of variables since the start, raised flags, fired events, and the
 * ledger of figures, days, names and promises. Deterministic, from what is stored alone.
 * @param fence of the session: the ledger is the words of others.
 */
export function memorySummary(
  content: ScenarioContent,
  difficulty: Difficulty,
  { up_to: upTo, events, sentences }: TalkSummary,
  fence: string,
): string {
  if (upTo <= 0) return 'All turns are shown below.';
  const before = startState(content, difficulty).state_vars;
  let after: Record<string, number> = before;
  const flags = new Map<string, number>();
  const fired: string[] = [];
  let redirected = 0;
  for (const event of events) {
    if (event.kind === 'state_delta') after = event.payload.state_vars;
    else if (event.kind === 'safety_redirect') redirected += 1;
    else if (event.kind === 'scenario_event')
      fired.push(`${event.payload.flags.join(', ')} (turn ${event.turn_index})`);
    else if (event.kind === 'npc_turn') {
      for (const flag of event.payload.event_flags) if (!flags.has(flag)) flags.set(flag, event.turn_index ?? 0);
    }
  }
  const changes = Object.entries(after).flatMap(([name, value]) =>
    before[name] === value ? [] : [`${name} ${before[name]} to ${value}`],
  );
  const raised = [...flags].map(([flag, turn]) => `${flag} (turn ${turn})`);
  const ledger = ledgerLines(sentences);
  return [
    `Turns 1 to ${upTo} are not shown any more. The talk went on without an ending.`,
    ...(changes.length > 0 ? [`Changed since the start: ${changes.join(', ')}.`] : []),
    ...(raised.length > 0 ? [`Raised: ${raised.join(', ')}.`] : []),
    ...(fired.length > 0 ? [`Events: ${fired.join(', ')}.`] : []),
    ...(redirected > 0 ? [`The talk was brought back to the matter ${redirected} times.`] : []),
    ...(ledger.length > 0 ? ['You remember of it, what is still open first:', fenced(ledger.join('\n'), fence)] : []),
  ].join('\n');
}
