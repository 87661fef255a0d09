import { useHealth, useModels } from '../client/queries';
import { useMessages } from '../messages/use-messages';
import { Failure } from '../shell/failure';
import { describeRuntime } from '../shell/health-pill';
import { Loading } from '../shell/loading';
import { PageHeading } from '../shell/page-heading';
import './models.css';

const BYTES_PER_GIGABYTE = 1e9;

/** What plays now, what it offers, and how to connect something else. Read-only. */
export function ModelsPage() {
  const messages = useMessages();
  const { models: words, language } = messages;
  const health = useHealth();
  const models = useModels();
  const runtime = health.data?.runtime;
  return (
    <div className="page models">
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
              {runtime.runtime_id === 'fake' ? words.demo : describeRuntime(runtime, messages).words}
            </p>
            {runtime.message !== null && <p className="reading">{runtime.message}</p>}
          </>
        )}
      </section>
      <section>
        <h2>{words.listed}</h2>
        {models.error !== null && <Failure title={words.failed} error={models.error} />}
        {models.data?.models.length === 0 && <p>{words.none}</p>}
        <ul className="models-list">
          {models.data?.models.map((model) => (
            <li key={model.id}>
              <span className="reading">{model.name}</span>
              <span className="small muted">
                {[
                  model.context_length === null ? null : words.context(model.context_length),
                  model.size_bytes === null
                    ? null
                    : words.size(
                        (model.size_bytes / BYTES_PER_GIGABYTE).toLocaleString(language, { maximumFractionDigits: 1 }),
                      ),
                  model.loaded ? words.loaded : null,
                ]
                  .filter((fact) => fact !== null)
                  .join(' · ')}
              </span>
            </li>
          ))}
        </ul>
      </section>
      <section>
        <h2>{words.connectTitle}</h2>
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
