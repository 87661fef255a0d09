import { ServiceError, type Comparison } from '@parley/shared/contracts';
import type { StandInSession } from './stand-in-sessions';

const side = ({ session, debrief }: StandInSession): Comparison['fork'] => ({
  session_id: session.id,
  flow_state: session.flow_state,
  ending_type: session.ending_type,
  ending_id: session.ending_id,
  player_turn_count: session.player_turn_count,
  overall_score: debrief?.overall_score ?? null,
});

/** A retry beside its original, as session-api compares them. */
export function compare(fork: StandInSession, sessions: ReadonlyMap<string, StandInSession>): Comparison {
  const { forked_from: from } = fork.session;
  if (from === null) throw new ServiceError('INVALID_STATE', 'This session is no retry.');
  const parent = sessions.get(from.session_id);
  const scoreIn = (one: StandInSession | undefined, id: string): number | null => {
    const found = one?.debrief?.dimensions.find((dimension) => dimension.id === id);
    return found?.observed === true ? found.score : null;
  };
  const change = (before: number | null, after: number | null) =>
    before === null || after === null ? null : after - before;
  return {
    forked_at: from.turn,
    parent: parent === undefined ? null : side(parent),
    fork: side(fork),
    dimensions: (fork.debrief?.dimensions ?? []).map(({ id, name }) => {
      const [before, after] = [scoreIn(parent, id), scoreIn(fork, id)];
      return { id, name, parent_score: before, fork_score: after, change: change(before, after) };
    }),
    variables: Object.entries(fork.session.state_vars).map(([name, after]) => {
      const before = parent?.session.state_vars[name] ?? null;
      return { name, parent: before, fork: after, change: change(before, after) };
    }),
  };
}
