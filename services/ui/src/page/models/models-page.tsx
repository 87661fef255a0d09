import { Link } from 'wouter';
import { PAGE_PATHS } from '../../page-paths';
import { useHealth } from '../client/queries';
import { useMessages } from '../messages/use-messages';
import { Failure } from '../shell/failure';
import { describeRuntime } from '../shell/describe-health';
import { Loading } from '../shell/loading';
import { PageHeading } from '../shell/page-heading';
import { installKinds } from './install-kinds';
import { InstallModel } from './install-model';
import { OfferedModels } from './offered-models';
import { SidecarPanel } from './sidecar-panel';
import './models.css';

/** What plays now, what it offers, how to install more, the server that Parley runs itself, and how to connect another. */
export function ModelsPage() {
  const messages = useMessages();
  const { models: words } = messages;
  const health = useHealth();
  const runtime = health.data?.runtime;
  const kinds = runtime === undefined ? [] : installKinds(runtime.runtime_id);
  return (
    <div className="page sectioned models">
      <header>
        <PageHeading title={words.title} />
      </header>
      <section>
        <h2>{words.now}</h2>
        {health.error !== null && <Failure title="" error={health.error} onRetry={() => void health.refetch()} />}
        {health.error === null && runtime === undefined && <Loading />}
        {runtime !== undefined && (
          <>
            <p className="reading">
              <strong>{runtime.runtime_name}.</strong>{' '}
              {runtime.runtime_id === 'fake' && runtime.status === 'READY'
                ? words.demo
                : describeRuntime(runtime, messages).words}
            </p>
            {runtime.message !== null && <p className="reading">{runtime.message}</p>}
          </>
        )}
      </section>
      <OfferedModels canDelete={kinds.length > 0} />
      {runtime !== undefined && (
        <>
          <InstallModel kinds={kinds} />
          <SidecarPanel runtimeId={runtime.runtime_id} />
        </>
      )}
      <section>
        <h2>{words.connectTitle}</h2>
        <p className="reading">
          <Link href={PAGE_PATHS.connect}>{words.connectHere}</Link> {words.connectHereText}
        </p>
        <p className="reading">{words.connectServer}</p>
        <p>
          <code>SIM_RUNTIME_ID=local_server</code>
        </p>
        <p className="reading">{words.connectNative}</p>
        <p>
          <code>SIM_RUNTIME_ID=local_native</code>
        </p>
        <p className="reading muted">{words.connectRestart}</p>
      </section>
    </div>
  );
}
