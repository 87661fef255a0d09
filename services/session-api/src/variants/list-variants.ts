import { ServiceError, type TurnVariants } from '@parley/shared/contracts';
import { listAnswers, type GivenAnswer } from '@parley/shared/store';
import type { Needs } from '../context';
import { answerView, requireTalk } from '../sessions/session-view';

/** @throws ServiceError NOT_FOUND when the character has no turn with this index */
export async function requireAnswers(
  context: Needs<'database'>,
  sessionId: string,
  index: number,
): Promise<GivenAnswer[]> {
  const answers = await listAnswers(context.database, sessionId, index);
  if (answers.length === 0)
    throw new ServiceError('NOT_FOUND', 'There is no turn of the character with this number; look at the transcript.');
  return answers;
}

/** All answers of the character in one turn. @throws ServiceError SESSION_NOT_FOUND, NOT_FOUND. */
export async function listVariants(
  context: Needs<'database' | 'unsaved'>,
  sessionId: string,
  index: number,
): Promise<TurnVariants> {
  const session = await requireTalk(context, sessionId);
  const answers = await requireAnswers(context, sessionId, index);
  return { variants: answers.map(({ turn }) => answerView(context, session, turn)) };
}
