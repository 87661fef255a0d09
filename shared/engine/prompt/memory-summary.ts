import type { Difficulty, ScenarioContent } from '@parley/shared/contracts';
import { startState, type StoredEventLike } from '../engine-state';

/** Interface, "Limits": the transcript window of a turn's prompt, in stored turns of both roles. */
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

/** Those of the events that a summary is made of: with them alone it is the same, however long the talk has been. */
export function toldEvents(events: readonly StoredEventLike[]): StoredEventLike[] {
  const lastDelta = events.findLastIndex((event) => event.kind === 'state_delta');
  return events.filter((event, at) => {
    if (event.kind === 'state_delta') return at === lastDelta;
    if (event.kind === 'npc_turn') return event.payload.event_flags.length > 0;
    return event.kind === 'scenario_event' || event.kind === 'safety_redirect';
  });
}

/**
 * What happened before the window: changes of variables since the start, raised flags, fired events. Deterministic, from
 * the stored events alone; events after `upTo` are passed over.
 *
 * @param upTo index of the last turn that it tells of (`summarisedUpTo`); 0 answers the line for a young talk.
 */
export function memorySummary(
  content: ScenarioContent,
  difficulty: Difficulty,
  events: readonly StoredEventLike[],
  upTo: number,
): string {
  if (upTo <= 0) return 'Nothing to add to the state and the turns below.';
  const before = startState(content, difficulty).state_vars;
  let after: Record<string, number> = before;
  const flags = new Map<string, number>();
  const fired: string[] = [];
  let redirected = 0;
  for (const event of events) {
    if (event.turn_index === null || event.turn_index > upTo) continue;
    if (event.kind === 'state_delta') after = event.payload.state_vars;
    else if (event.kind === 'safety_redirect') redirected += 1;
    else if (event.kind === 'scenario_event')
      fired.push(`${event.payload.flags.join(', ')} (turn ${event.turn_index})`);
    else if (event.kind === 'npc_turn') {
      for (const flag of event.payload.event_flags) if (!flags.has(flag)) flags.set(flag, event.turn_index);
    }
  }
  const changes = Object.entries(after).flatMap(([name, value]) =>
    before[name] === value ? [] : [`${name} ${before[name]} to ${value}`],
  );
  const raised = [...flags].map(([flag, turn]) => `${flag} (turn ${turn})`);
  return [
    `Turns 1 to ${upTo} are not shown any more. The talk went on without an ending.`,
    `Changed since the start: ${changes.join(', ') || 'nothing'}.`,
    `Raised: ${raised.join(', ') || 'nothing'}.`,
    `Events: ${fired.join(', ') || 'none'}.`,
    ...(redirected > 0 ? [`The talk was brought back to the matter ${redirected} times.`] : []),
  ].join('\n');
}
