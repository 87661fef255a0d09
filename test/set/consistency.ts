import type { SessionExport, StoredEvent } from '@parley/shared/contracts';

/**
 * What must hold of every stored session whatever happened to the processes, as a list of what does not: turns in pairs
 * and without gaps, one npc_turn and one state_delta event a pair, the variables of the session those of its last event,
 * one ending event exactly when it ended, events in growing order. Events of answers that were put aside do not count.
 */
export function inconsistencies(stored: SessionExport): string[] {
  const { session, turns, events } = stored;
  const wrong: string[] = [];
  const check = (holds: boolean, what: string): void => {
    if (!holds) wrong.push(`${session.id}: ${what}`);
  };
  const ofKind = (kind: StoredEvent['kind']): StoredEvent[] =>
    events.filter((event) => event.kind === kind && event.superseded !== true);
  const npcIndexes = turns.filter((turn) => turn.role === 'npc').map((turn) => turn.index);

  check(
    turns.every((turn, at) => turn.index === at + 1),
    'turns are numbered from 1 without a gap',
  );
  check(
    turns.every((turn) => turn.role === (turn.index % 2 === 1 ? 'npc' : 'player')),
    'roles alternate',
  );
  check(turns.length === 0 || turns.length % 2 === 1, 'no turn is half stored');
  check(session.turn_count === turns.length, `turn_count ${session.turn_count} is the number of turns ${turns.length}`);
  check(session.player_turn_count === Math.max(0, (turns.length - 1) / 2), 'player_turn_count counts the pairs');
  check(ofKind('npc_opening').length === (turns.length > 0 ? 1 : 0), 'one opening');
  for (const kind of ['npc_turn', 'state_delta'] as const)
    check(
      JSON.stringify(ofKind(kind).map((event) => event.turn_index)) === JSON.stringify(npcIndexes.slice(1)),
      `one ${kind} event a turn`,
    );
  const last = ofKind('state_delta').at(-1)?.payload as { state_vars: object } | undefined;
  check(
    last === undefined || JSON.stringify(last.state_vars) === JSON.stringify(session.state_vars),
    'the variables are those of the last event',
  );
  const ended = session.flow_state !== 'NotStarted' && session.flow_state !== 'PlayerTurnListening';
  check(ofKind('ending').length === (ended ? 1 : 0), 'one ending event exactly when it ended');
  check((session.ending_type !== null) === ended, 'an ending type exactly when it ended');
  check((stored.debrief !== null) === (session.flow_state === 'DebriefReady'), 'a debrief exactly when it is ready');
  check(
    events.every((event, at) => at === 0 || event.id > (events[at - 1]?.id ?? 0)),
    'events grow',
  );
  return wrong;
}
