import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../client/api-error';
import { callApi } from '../client/call-api';
import { failureOf, useScenario, useSession, useTranscript } from '../client/queries';
import { useMessages } from '../messages/use-messages';
import { Failure } from '../shell/failure';
import { Loading } from '../shell/loading';
import { PageHeading } from '../shell/page-heading';
import { DebriefLetter } from './debrief-letter';
import { NotOver } from './not-over';
import { ratingChoice, type Ratings } from './rating-choice';
import { SelfRating } from './self-rating';
import { useDebrief } from './use-debrief';
import './debrief.css';

/** Asks for the debrief at once, lets the player rate the talk meanwhile, then shows the letter. */
export function DebriefPage({ sessionId }: { sessionId: string }) {
  const { debrief: words } = useMessages();
  const session = useSession(sessionId);
  const isOver = session.data !== undefined && session.data.ending_type !== null;
  const written = useDebrief(sessionId, isOver);
  const debrief = written.data;
  const scenario = useScenario(session.data?.scenario_id);
  const transcript = useTranscript(sessionId);
  const cache = useQueryClient();
  // The debrief becomes ready while the player fills in the rating: that goes on, also after a reload.
  const [isBeingRated, setBeingRated] = useState(() => ratingChoice.readDraft(sessionId) !== null);
  const [decided, setDecided] = useState(() => ratingChoice.isDecided(sessionId));

  // Its pack was removed: the letter does without it.
  const isGone = scenario.error !== null && ApiError.from(scenario.error).code === 'SCENARIO_NOT_FOUND';
  const missing = failureOf(session, transcript, ...(isGone ? [] : [scenario]));
  if (missing !== null) return <Trouble error={missing.error} onRetry={missing.retry} />;
  if (session.data === undefined || (isOver && scenario.data === undefined && !isGone)) return <Loading />;
  if (!isOver) return <NotOver session={session.data} />;
  if (transcript.data === undefined) return <Loading />;

  const wasRated = debrief?.dimensions.some((dimension) => dimension.self_rating !== null) === true;
  // A debrief of an earlier visit was read already: rating it now would be hindsight.
  const wasReady = session.data.flow_state === 'DebriefReady' && !isBeingRated;
  if (!decided && !wasReady && !wasRated && scenario.data !== undefined) {
    if (!isBeingRated) setBeingRated(true);
    const rate = async (ratings: Ratings | null) => {
      if (ratings !== null) {
        await callApi('rateSelf', { params: { id: sessionId }, body: { ratings: { ...ratings } } });
        // Not waited for: a debrief that is still being written takes its time.
        void cache.invalidateQueries({ queryKey: ['debrief', sessionId] });
      }
      ratingChoice.decide(sessionId);
      setDecided(true);
    };
    return <SelfRating sessionId={sessionId} scenario={scenario.data} onDone={rate} />;
  }
  const failed = failureOf(written);
  if (failed !== null) return <Trouble error={failed.error} onRetry={failed.retry} />;
  if (debrief === undefined)
    return (
      <div className="page">
        <header>
          <PageHeading title={words.title} />
        </header>
        <p role="status">{words.making}</p>
        <p className="muted">{words.makingHint}</p>
        <div className="debrief-progress" />
      </div>
    );
  return (
    <DebriefLetter
      debrief={debrief}
      session={session.data}
      scenario={scenario.data ?? null}
      turns={transcript.data.turns}
    />
  );
}

function Trouble({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div className="page">
      <Failure title="" error={error} onRetry={onRetry} />
    </div>
  );
}
