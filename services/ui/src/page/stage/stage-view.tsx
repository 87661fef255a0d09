import { useSelector } from '@xstate/react';
import { useState } from 'react';
import { useMessages } from '../messages/use-messages';
import { errorText } from '../messages/error-text';
import { lineOf } from '../messages/line-names';
import type { PlayActor } from '../play/play-actor';
import { retryPoint } from '../play/play-state';
import { useFork } from '../play/use-fork';
import { ConfirmDialog } from '../shell/confirm-dialog';
import { PageHeading } from '../shell/page-heading';
import { useStatus } from '../shell/status';
import { Composer } from './composer';
import { EndingMoment } from './ending-moment';
import { Person } from './person';
import { PinnedNote } from './pinned-note';
import { StageTrouble } from './stage-trouble';
import { TranscriptLog } from './transcript-log';
import { useWhatHappens } from './use-what-happens';
import './stage.css';
import './person.css';
import './composer.css';

type Question = { readonly kind: 'end' } | { readonly kind: 'retry'; readonly turn: number; readonly from: number };

/** The rehearsal room: the person on the left, the talk on the right, the composer at its foot. */
export function StageView({ actor }: { actor: PlayActor }) {
  const messages = useMessages();
  const { stage } = messages;
  const [question, setQuestion] = useState<Question | null>(null);
  const scenario = useSelector(actor, (state) => state.context.scenario);
  const play = useSelector(actor, (state) => state.context.play);
  const draft = useSelector(actor, (state) => state.context.draft);
  const isFinished = useSelector(actor, (state) => state.matches({ scene: 'Finished' }));
  const isFailed = useSelector(actor, (state) => state.matches({ scene: 'Error' }));
  useStatus(useWhatHappens(actor));
  const fork = useFork(play?.session.id ?? '');
  if (scenario === null || play === null) return null;

  const { session, turns } = play;
  const askRetry = (turn: number) => {
    const from = retryPoint(turns, turn, session.ending_type !== null);
    if (from !== null) setQuestion({ kind: 'retry', turn, from });
  };
  return (
    <div className="stage">
      <PageHeading title={scenario.title} hidden />
      <Person actor={actor} onEnd={() => setQuestion({ kind: 'end' })} />
      <div className="talk">
        <TranscriptLog actor={actor} onRetry={session.transcript_saved ? askRetry : null} />
        <div className="talk-foot">
          {fork.error !== null && (
            <p role="alert" className="small">
              {errorText(messages, fork.error)}
            </p>
          )}
          {isFinished ? (
            <EndingMoment scenario={scenario} session={session} unsaid={draft} />
          ) : isFailed ? (
            <StageTrouble actor={actor} />
          ) : (
            <>
              <PinnedNote actor={actor} sessionId={session.id} />
              <Composer actor={actor} session={session} />
            </>
          )}
        </div>
      </div>
      {question?.kind === 'end' && (
        <ConfirmDialog
          title={stage.endTitle}
          text={stage.endText}
          confirm={stage.endConfirm}
          onConfirm={() => actor.send({ type: 'END' })}
          onClose={() => setQuestion(null)}
        />
      )}
      {question?.kind === 'retry' && (
        <ConfirmDialog
          title={stage.retryTitle(lineOf(question.turn))}
          text={stage.retryText}
          confirm={stage.retryConfirm}
          onConfirm={() => fork.begin({ turn: question.from })}
          onClose={() => setQuestion(null)}
        />
      )}
    </div>
  );
}
