import { useActorRef, useSelector } from '@xstate/react';
import { useEffect } from 'react';
import { Link, useLocation } from 'wouter';
import { PAGE_PATHS, pagePath } from '../../page-paths';
import { queryClient } from '../client/queries';
import { BriefingView } from '../briefing/briefing-view';
import { Failure } from '../shell/failure';
import { Loading } from '../shell/loading';
import { useMessages } from '../messages/use-messages';
import { StageView } from '../stage/stage-view';
import { apiPorts } from './api-ports';
import { playMachine } from './play-machine';

type What =
  { readonly kind: 'scenario'; readonly scenarioId: string } | { readonly kind: 'session'; readonly sessionId: string };

/** A scenario before it is played, or a session that is: one machine, two ways in. */
export function PlayPage({ what }: { what: What }) {
  const { app, stage } = useMessages();
  const actor = useActorRef(playMachine, { input: { ...what, ports: apiPorts } });
  const [, navigate] = useLocation();
  const created = useSelector(actor, (state) => state.context.created);
  const isReady = useSelector(
    actor,
    ({ context }) => context.scenario !== null && (what.kind === 'scenario' || context.play !== null),
  );
  const error = useSelector(actor, (state) => (state.matches({ scene: 'Error' }) ? state.context.error : null));

  useEffect(() => {
    if (created === null) return;
    void queryClient.invalidateQueries({ queryKey: ['sessions'] });
    navigate(pagePath('stage', created.id));
  }, [created, navigate]);

  if (!isReady)
    return error === null ? (
      <Loading text={stage.loadingScenario} />
    ) : (
      <div className="page">
        <Failure title="" error={error} onRetry={() => actor.send({ type: 'RETRY' })}>
          <Link href={PAGE_PATHS.library}>{app.toLibrary}</Link>
        </Failure>
      </div>
    );
  return what.kind === 'scenario' ? <BriefingView actor={actor} /> : <StageView actor={actor} />;
}
