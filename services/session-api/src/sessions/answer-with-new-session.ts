import type { Session } from '@parley/shared/contracts';
import type { Answer, RepeatableCall } from '@parley/shared/service';
import { insertKeptAnswer } from '@parley/shared/store';
import type { SessionApiContext } from '../context';
import type { AlsoStore } from './create-session';
import { sessionView } from './session-view';

const created = (session: Session): Answer => ({
  status: 201,
  body: session,
  headers: { Location: `/api/sessions/${session.id}` },
});

/**
 * Answers 201 with the session that `make` makes. What a repeat under the same Idempotency-Key is answered with is stored
 * in the session's own transaction: whatever becomes of the process, there is one session and one answer, or neither.
 * @throws ServiceError IDEMPOTENCY_KEY_REUSED; what `make` throws.
 */
export function answerWithNewSession(
  context: SessionApiContext,
  call: RepeatableCall,
  make: (also: AlsoStore) => Promise<Session>,
): Promise<Answer> {
  return context.answers.once(call, async (toKeep) => {
    const keep: AlsoStore = async (transaction, row) => {
      const kept = toKeep(created(sessionView(context, row)));
      if (kept !== null) await insertKeptAnswer(transaction, kept, row.id);
    };
    return created(await make(keep));
  });
}
