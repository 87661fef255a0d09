import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, Redirect, useSearchParams } from 'wouter';
import { pagePath } from '../../page-paths';
import { callApi } from '../client/call-api';
import { failureOf, useScenario, useSession, useTranscript } from '../client/queries';
import { NotOver } from '../debrief/not-over';
import { ratingChoice } from '../debrief/rating-choice';
import { useDebrief } from '../debrief/use-debrief';
import { useMessages } from '../messages/use-messages';
import { Failure } from '../shell/failure';
import { Loading } from '../shell/loading';
import { PageHeading } from '../shell/page-heading';
import { MomentView } from './moment-view';
import { placeOf } from './place';

/** The line that decided a talk, or one that the letter names, to be said again. Without one there is only the letter. */
export function MomentPage({ sessionId }: { sessionId: string }) {
  const { moment: words } = useMessages();
  const [search] = useSearchParams();
  const turn = search.get('turn');
  const session = useSession(sessionId);
  const isOver = session.data !== undefined && session.data.ending_type !== null;
  const debrief = useDebrief(sessionId, isOver);
  const scenario = useScenario(session.data?.scenario_id);
  const transcript = useTranscript(sessionId);
  const isFresh = isOver && session.data?.flow_state !== 'DebriefReady';
  useEffect(() => {
    // The debrief is ready when its page is reached from here, and still nobody has read it: they may rate the talk first.
    if (isFresh && ratingChoice.readDraft(sessionId) === null && !ratingChoice.isDecided(sessionId))
      ratingChoice.writeDraft(sessionId, {});
  }, [isFresh, sessionId]);
  const drills = useQuery({
    queryKey: ['drills', sessionId],
    queryFn: async () => (await callApi('exportSession', { params: { id: sessionId } })).drills,
    enabled: isOver,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });

  const toLetter = pagePath('debrief', sessionId);
  const failed = failureOf(session, debrief, scenario, transcript);
  if (failed !== null)
    return (
      <div className="page">
        <Failure title="" error={failed.error} onRetry={failed.retry}>
          <Link href={toLetter}>{words.toLetter}</Link>
        </Failure>
      </div>
    );
  if (session.data === undefined) return <Loading />;
  if (!isOver) return <NotOver session={session.data} />;
  if (debrief.data === undefined)
    return (
      <div className="page">
        <header>
          <PageHeading title={words.title} />
        </header>
        <p role="status">{words.making}</p>
        <p className="muted">
          {words.makingHint} <Link href={toLetter}>{words.toLetter}</Link>
        </p>
      </div>
    );
  if (scenario.data === undefined || transcript.data === undefined || drills.isPending) return <Loading />;
  const place = placeOf(debrief.data, turn === null ? null : Number(turn), session.data.turn_count);
  if (place === null) return <Redirect to={toLetter} replace />;
  return (
    <MomentView
      key={place.turn}
      place={place}
      session={session.data}
      scenario={scenario.data}
      turns={transcript.data.turns}
      drills={(drills.data ?? []).filter((drill) => drill.turn === place.turn)}
    />
  );
}
