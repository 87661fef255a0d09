import { useSelector } from '@xstate/react';
import { Link } from 'wouter';
import type { RuntimeHealth } from '@parley/shared/contracts';
import { PAGE_PATHS } from '../../page-paths';
import type { ApiError } from '../client/api-error';
import type { Messages } from '../messages/en';
import { errorText } from '../messages/error-text';
import { useMessages } from '../messages/use-messages';
import type { PlayActor } from '../play/play-actor';
import type { ResumePoint } from '../play/play-ports';

/** A step that failed: what happened to the player's words, and the ways on. */
export function StageTrouble({ actor }: { actor: PlayActor }) {
  const messages = useMessages();
  const { app, stage } = messages;
  const error = useSelector(actor, (state) => state.context.error);
  const resume = useSelector(actor, (state) => state.context.resume);
  const pending = useSelector(actor, (state) => state.context.pending);
  const runtime = useSelector(actor, (state) => state.context.runtime);
  if (error === null) return null;
  const words = troubleWords(messages, error, resume, runtime);
  return (
    <div className="notice" role="alert">
      {pending !== null && (
        <p className="reading trouble-words" dir="auto">
          {pending.text}
        </p>
      )}
      <p>{words}</p>
      <div className="actions">
        {error.code !== 'SESSION_NOT_FOUND' && (
          <button
            type="button"
            className="button button-primary"
            autoFocus
            onClick={() => actor.send({ type: 'RETRY' })}
          >
            {resume === 'turn' ? stage.sendAgain : app.tryAgain}
          </button>
        )}
        {resume === 'turn' && (
          <button type="button" className="button" onClick={() => actor.send({ type: 'EDIT' })}>
            {stage.editWords}
          </button>
        )}
        {resume === 'again' && (
          <button type="button" className="button" onClick={() => actor.send({ type: 'CONTINUE' })}>
            {stage.goOnWithAnswer}
          </button>
        )}
        {resume === 'end' && (
          <button type="button" className="button" onClick={() => actor.send({ type: 'CONTINUE' })}>
            {stage.goOnTalking}
          </button>
        )}
        {resume === 'model' && (
          <button type="button" className="button" onClick={() => actor.send({ type: 'CONTINUE' })}>
            {stage.goOnAnyway}
          </button>
        )}
        <Link href={PAGE_PATHS.library}>{app.toLibrary}</Link>
      </div>
    </div>
  );
}

function troubleWords(messages: Messages, error: ApiError, resume: ResumePoint, runtime: RuntimeHealth | null): string {
  const { stage, health } = messages;
  if (resume === 'model')
    return `${runtime?.status === 'ERROR' ? health.error : stage.modelAway} ${errorText(messages, error)}`;
  if (resume === 'again' && error.code !== 'UNREACHABLE') return `${stage.noOtherAnswer} ${errorText(messages, error)}`;
  if (resume === 'end') return `${stage.notEnded} ${errorText(messages, error)}`;
  if (resume !== 'turn') return errorText(messages, error);
  switch (error.code) {
    case 'UNREACHABLE':
      return stage.unknownWhetherSent;
    case 'NOT_RECORDED':
      return stage.notRecorded;
    default:
      return `${stage.notSent} ${errorText(messages, error)}`;
  }
}
