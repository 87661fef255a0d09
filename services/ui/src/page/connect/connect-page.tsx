import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import type { RuntimeChoiceState } from '@parley/shared/contracts';
import { PAGE_PATHS } from '../../page-paths';
import { useHealth } from '../client/queries';
import { useMessages } from '../messages/use-messages';
import { isUnderWay } from '../models/install-state';
import { useInstalls, useSidecar } from '../models/model-queries';
import { Failure } from '../shell/failure';
import { Loading } from '../shell/loading';
import { PageHeading } from '../shell/page-heading';
import { useChooseRuntime, useFittingModels, useFoundPrograms, useRuntimeChoice } from './connect-queries';
import { FoundPrograms } from './found-programs';
import { GetModel } from './get-model';
import { setupOfStart, setupUnderWay, type Setup } from './setup';
import { SetupRun } from './setup-run';
import { useSetup } from './use-setup';
import './connect.css';

/** From the demo voice to a model: what is there already, and what can be fetched. */
export function ConnectPage() {
  const { connect: words } = useMessages();
  const choice = useRuntimeChoice();
  const { run, begin, cancel, close } = useSetup();
  useResumed(run === null, choice.data, begin);
  return (
    <div className="page sectioned connect">
      <header>
        <PageHeading title={words.title} />
        <p className="reading">{words.intro}</p>
      </header>
      {choice.error !== null && (
        <Failure title={words.choiceFailed} error={choice.error} onRetry={() => void choice.refetch()} />
      )}
      {choice.error === null && choice.data === undefined && <Loading />}
      {choice.data !== undefined && <PlaysNow choice={choice.data} onBegin={begin} isIdle={run === null} />}
      {run !== null && (
        <SetupRun
          run={run}
          onCancel={cancel}
          onRetry={() => begin(run.setup)}
          onClose={() => {
            close();
            document.querySelector<HTMLElement>('main h1')?.focus();
          }}
        />
      )}
      {choice.data !== undefined && run === null && <Ways choice={choice.data} onBegin={begin} />}
      <p>
        <Link href={PAGE_PATHS.models}>{words.more}</Link>
      </p>
    </div>
  );
}

/** A setup that was begun before the page was loaded anew goes on: what is being fetched or started tells which it was. */
function useResumed(isIdle: boolean, choice: RuntimeChoiceState | undefined, begin: (setup: Setup) => void): void {
  const { data: installs } = useInstalls();
  const { data: fitting } = useFittingModels();
  const { data: sidecar } = useSidecar();
  const hasLooked = useRef(false);
  useEffect(() => {
    if (!isIdle || choice?.can_change !== true || hasLooked.current) return;
    if (installs === undefined || fitting === undefined || sidecar === undefined) return;
    hasLooked.current = true;
    const setup = setupUnderWay(fitting.models, {
      fetching: installs.filter(isUnderWay).map((install) => install.model_id),
      starting: sidecar.status === 'starting' ? sidecar.model_id : null,
      ollama: choice.runtime_id === 'local_native' ? choice.base_url : null,
    });
    if (setup !== null) begin(setup);
  }, [isIdle, choice, installs, fitting, sidecar, begin]);
}

interface PlaysNowProps {
  readonly choice: RuntimeChoiceState;
  readonly isIdle: boolean;
  readonly onBegin: (setup: Setup) => void;
}

function PlaysNow({ choice, isIdle, onBegin }: PlaysNowProps) {
  const { connect: words } = useMessages();
  const { data: health } = useHealth();
  const { data: sidecar } = useSidecar();
  const change = useChooseRuntime();
  const isDemo = choice.runtime_id === 'fake';
  const runtime = health?.runtime;
  const [variable] = choice.variables;
  const isOwnServer =
    choice.runtime_id === 'local_server' &&
    choice.base_url !== null &&
    sidecar !== undefined &&
    new URL(choice.base_url).port === String(sidecar.port);
  // It is also started without a press: after a restart, and when it had ended by itself.
  const isStarting = isOwnServer && (sidecar.status === 'starting' || runtime?.status === 'STARTING');
  const canStart = isIdle && isOwnServer && !isStarting && runtime?.status === 'UNAVAILABLE';
  return (
    <section>
      <h2>{words.now}</h2>
      <p className="reading">
        {isDemo ? words.demo : words.playing(runtime?.runtime_name ?? choice.runtime_id, choice.base_url)}
      </p>
      {isStarting && isIdle && (
        <p className="reading" role="status">
          {words.ownServerStarts}
        </p>
      )}
      {!isDemo && !isStarting && runtime?.message != null && <p className="reading">{runtime.message}</p>}
      {choice.decided_by === 'gateway' && <p className="reading">{words.decidedByGateway}</p>}
      {choice.decided_by === 'environment' && variable !== undefined && (
        <p className="reading">{words.decidedByEnvironment(variable)}</p>
      )}
      {choice.can_change && variable !== undefined && (
        <p className="reading">{words.decidedPartly(choice.variables.join(', '))}</p>
      )}
      {change.error !== null && <Failure title="" error={change.error} />}
      {!isDemo && choice.can_change && (
        <div className="actions">
          {canStart && (
            <button
              type="button"
              className="button button-primary"
              onClick={() => onBegin(setupOfStart(words.ownServer))}
            >
              {words.startAgain}
            </button>
          )}
          <button type="button" className="button" onClick={() => change.mutate({ runtime_id: 'fake' })}>
            {words.useDemo}
          </button>
        </div>
      )}
    </section>
  );
}

function Ways({ choice, onBegin }: { choice: RuntimeChoiceState; onBegin: (setup: Setup) => void }) {
  const { data: found } = useFoundPrograms();
  const emptyOllama = found?.find(({ product, models }) => product === 'ollama' && models.length === 0) ?? null;
  return (
    <>
      {choice.decided_by !== 'gateway' && <FoundPrograms choice={choice} onBegin={onBegin} />}
      {choice.can_change && <GetModel emptyOllama={emptyOllama} onBegin={onBegin} />}
    </>
  );
}
