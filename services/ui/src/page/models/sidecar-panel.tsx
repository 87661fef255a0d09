import { useState } from 'react';
import { Link } from 'wouter';
import { PAGE_PATHS } from '../../page-paths';
import { ApiError } from '../client/api-error';
import { useModels } from '../client/queries';
import { useMessages } from '../messages/use-messages';
import { Failure } from '../shell/failure';
import { useInstalls, useSidecar, useSidecarLog, useSidecarSwitch } from './model-queries';
import { Refusal } from './refusal';

/** The model server that Parley runs itself: whether it runs, start, stop, and what it writes. */
export function SidecarPanel({ runtimeId }: { runtimeId: string }) {
  const { models: words } = useMessages();
  const { data: sidecar, error } = useSidecar();
  const run = useSidecarSwitch();
  const [wanted, setWanted] = useState('');
  // Another gateway may have none: then there is nothing to show.
  if (error !== null && ApiError.from(error).code === 'NOT_SUPPORTED_BY_RUNTIME') return null;
  const isUp = sidecar?.status === 'starting' || sidecar?.status === 'running';
  const isUsed = runtimeId === 'local_server';
  return (
    <section>
      <h2>{words.sidecarTitle}</h2>
      <p className="reading">{words.sidecarText}</p>
      {error !== null && <Failure title={words.sidecarFailed} error={error} />}
      {sidecar !== undefined && (
        <>
          <p className="sidecar-status" data-status={sidecar.status}>
            <strong>{words.sidecarStatus[sidecar.status]}</strong>{' '}
            {isUp && <span className="muted">{words.sidecarFacts(sidecar.port, sidecar.model_id)}</span>}
          </p>
          {sidecar.last_exit?.message != null && <p className="reading">{sidecar.last_exit.message}</p>}
          {run.error !== null && <Refusal title={words.sidecarNot} error={run.error} />}
          {!isUsed && (
            <p className="reading">
              {words.sidecarUnused} <Link href={PAGE_PATHS.connect}>{words.connectHere}</Link>
            </p>
          )}
          {isUsed && !isUp && <ModelChoice value={wanted} onChange={setWanted} />}
          <div className="actions">
            {/* One button: what has the focus stays there when it does the opposite. */}
            {(isUsed || isUp) && (
              <button
                type="button"
                className="button"
                aria-disabled={run.isPending || undefined}
                onClick={() => !run.isPending && run.mutate(isUp ? 'stop' : { start: wanted === '' ? null : wanted })}
              >
                {isUp ? words.sidecarStop : words.sidecarStart}
              </button>
            )}
          </div>
          <SidecarLog />
        </>
      )}
    </section>
  );
}

function ModelChoice({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const { models: words } = useMessages();
  const models = useModels();
  const installs = useInstalls();
  // A server that is down lists nothing: what was installed here is known all the same.
  const ids = new Set([
    ...(models.data?.models ?? []).map((model) => model.id),
    ...(installs.data ?? []).filter(({ status }) => status === 'installed').map((install) => install.model_id),
  ]);
  if (ids.size === 0) return null;
  return (
    <label className="field models-choice">
      <span>{words.sidecarModel}</span>
      <select className="input" value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">{words.sidecarAnyModel}</option>
        {[...ids].map((id) => (
          <option key={id} value={id}>
            {id}
          </option>
        ))}
      </select>
    </label>
  );
}

function SidecarLog() {
  const { models: words } = useMessages();
  const [shown, setShown] = useState(false);
  const { data, error } = useSidecarLog(shown);
  return (
    <details onToggle={(event) => setShown(event.currentTarget.open)}>
      <summary>{words.log}</summary>
      {error !== null && <Failure title="" error={error} />}
      {data?.length === 0 && <p className="muted">{words.logEmpty}</p>}
      {data !== undefined && data.length > 0 && (
        <pre className="models-log" tabIndex={0} role="region" aria-label={words.logLabel}>
          {data.join('\n')}
        </pre>
      )}
    </details>
  );
}
