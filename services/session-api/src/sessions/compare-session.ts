import { ServiceError, type Comparison, type Debrief } from '@parley/shared/contracts';
import { findDebrief, findSession, type SessionRow } from '@parley/shared/store';
import type { Needs } from '../context';
import { requireSession } from './session-view';

const side = (row: SessionRow): Comparison['fork'] => ({
  session_id: row.id,
  flow_state: row.flow_state,
  ending_type: row.ending_type,
  ending_id: row.ending_id,
  player_turn_count: row.player_turn_count,
  overall_score: row.overall_score,
});

const difference = (before: number | null, after: number | null): number | null =>
  before === null || after === null ? null : after - before;

/** Dimensions in the order of the newer debrief; a score that was not observed says nothing and is null. */
function compareDimensions(parent: Debrief | null, fork: Debrief | null): Comparison['dimensions'] {
  const observed = (debrief: Debrief | null, id: string): number | null => {
    const dimension = debrief?.dimensions.find((one) => one.id === id);
    return dimension?.observed === true ? dimension.score : null;
  };
  const known = (fork ?? parent)?.dimensions ?? [];
  return known.map(({ id, name }) => {
    const before = observed(parent, id);
    const after = observed(fork, id);
    return { id, name, parent_score: before, fork_score: after, change: difference(before, after) };
  });
}

/**
 * A fork beside the session that it left.
 * @throws ServiceError SESSION_NOT_FOUND; INVALID_STATE when the session is no fork.
 */
export async function compareSession(context: Needs<'database'>, sessionId: string): Promise<Comparison> {
  const { database } = context;
  const fork = await requireSession(database, sessionId);
  if (fork.forked_from_session === null || fork.forked_from_turn === null)
    throw new ServiceError(
      'INVALID_STATE',
      'This session is no retry of a turn, so there is nothing to compare it with.',
      {
        details: { flow_state: fork.flow_state, operation: 'compare', allowed_in: [] },
      },
    );
  const parent = await findSession(database, fork.forked_from_session);
  const parentDebrief = parent === null ? null : await findDebrief(database, parent.id);
  const forkDebrief = await findDebrief(database, fork.id);
  return {
    forked_at: fork.forked_from_turn,
    parent: parent === null ? null : side(parent),
    fork: side(fork),
    dimensions: compareDimensions(parentDebrief, forkDebrief),
    variables: Object.entries(fork.state_vars).map(([name, value]) => {
      const before = parent?.state_vars[name] ?? null;
      return { name, parent: before, fork: value, change: difference(before, value) };
    }),
  };
}
