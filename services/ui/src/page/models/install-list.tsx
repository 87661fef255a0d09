import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { ModelInstall } from '@parley/shared/contracts';
import { useMessages } from '../messages/use-messages';
import { Failure } from '../shell/failure';
import { useSay } from '../shell/status';
import { TAKES_FOCUS, useFocusAfterRemoval } from '../shell/use-focus-after-removal';
import { bytesText, endedSince, isUnderWay } from './install-state';
import { useCancelInstall, useInstalls } from './model-queries';

/** What is being installed and what was: the service keeps it, so that a reload shows it again. */
export function InstallList() {
  const { models: words } = useMessages();
  const cache = useQueryClient();
  const say = useSay();
  const { data, error } = useInstalls();
  const cancel = useCancelInstall();
  const seen = useRef<readonly ModelInstall[]>([]);
  useEffect(() => {
    if (data === undefined) return;
    const ended = endedSince(seen.current, data).filter((install) => install.status !== 'cancelled');
    seen.current = data;
    const last = ended[0];
    if (last === undefined) return;
    say(last.status === 'installed' ? words.isInstalled(last.model_id) : words.isNotInstalled(last.model_id));
    void cache.invalidateQueries({ queryKey: ['models'] });
  }, [data, cache, say, words]);
  const { list, expectRemoval } = useFocusAfterRemoval<HTMLUListElement>(data?.map((install) => install.id));
  if (error !== null) return <Failure title={words.installsFailed} error={error} />;
  if (data === undefined || data.length === 0) return null;
  return (
    <>
      <h3>{words.installs}</h3>
      {cancel.error !== null && <Failure title="" error={cancel.error} />}
      <ul className="models-list" ref={list}>
        {data.map((install) => (
          <li key={install.id}>
            <InstallRow
              install={install}
              onCancel={() => {
                expectRemoval(install.id);
                cancel.mutate(install.id);
              }}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

function InstallRow({ install, onCancel }: { install: ModelInstall; onCancel: () => void }) {
  const { models: words, language } = useMessages();
  const { model_id: name, status, bytes_done: done, bytes_total: total, message } = install;
  const underWay = isUnderWay(install);
  const amount =
    total === null ? bytesText(done, language) : words.done(bytesText(done, language), bytesText(total, language));
  return (
    <div className="install" data-status={status}>
      <span className="reading" {...TAKES_FOCUS}>
        {name}
      </span>
      <span className="models-facts">
        <span className="small muted">
          {words.status[status]}
          {underWay && done > 0 && ` · ${amount}`}
        </span>
        <button
          type="button"
          className="button button-quiet"
          aria-label={underWay ? words.cancelOne(name) : words.dismissOne(name)}
          onClick={onCancel}
        >
          {underWay ? words.cancel : words.dismiss}
        </button>
      </span>
      {/* Without a value the browser shows that it goes on, and claims nothing. */}
      {underWay && (
        <progress
          aria-label={words.progressOf(name)}
          {...(total === null || total === 0 ? {} : { max: total, value: Math.min(done, total) })}
        />
      )}
      {message !== null && <p className="reading">{message}</p>}
    </div>
  );
}
