import { useCallback, useLayoutEffect, useRef, useState, type SyntheticEvent } from 'react';
import type { Pack } from '@parley/shared/contracts';
import type { ApiError } from '../client/api-error';
import { useMessages } from '../messages/use-messages';
import { Failure } from '../shell/failure';
import { Findings } from './findings';
import { usePackImport, type PackImportRun } from './use-pack-import';

/** The two versions of a pack that could take the place of an installed one; null where it cannot. */
function higherVersionIn(refusal: ApiError | null): { installed: string; version: string } | null {
  const { replaceable, installed_version: installed, version } = refusal?.details ?? {};
  return replaceable === true && typeof installed === 'string' && typeof version === 'string'
    ? { installed, version }
    : null;
}

/** Imports a zip that is chosen, or a folder or zip that is named by its path. Nothing is installed unless all of it is. */
export function ImportPack({ packs, onImported }: { packs: readonly Pack[]; onImported: () => Promise<void> }) {
  const { packs: words } = useMessages();
  const [path, setPath] = useState('');
  const heading = useRef<HTMLHeadingElement>(null);
  const focusHeading = useCallback(() => heading.current?.focus(), []);
  const run = usePackImport(onImported);
  const { refusal, wanted } = run;
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (path.trim() !== '' && run.stage === null) run.begin({ source: path.trim(), replace: false });
  };
  const installed = packs.find(({ pack_id: id }) => id === run.installed);
  const higher = higherVersionIn(refusal);
  return (
    <section className="packs-import">
      <h2 ref={heading} tabIndex={-1}>
        {words.importTitle}
      </h2>
      <label className="field">
        <span>{words.chooseFile}</span>
        <input
          className="input"
          type="file"
          accept=".zip,application/zip"
          aria-disabled={run.stage !== null || undefined}
          onClick={(event) => {
            if (run.stage !== null) event.preventDefault();
          }}
          onChange={(event) => {
            const file = event.target.files?.[0];
            if (file !== undefined) run.begin({ source: file, replace: false });
            event.target.value = '';
          }}
        />
      </label>
      <form onSubmit={submit}>
        <label className="field">
          <span>{words.orPath}</span>
          <input className="input" value={path} onChange={(event) => setPath(event.target.value)} />
        </label>
        <button type="submit" className="button" aria-disabled={path.trim() === '' || run.stage !== null || undefined}>
          {words.importPath}
        </button>
      </form>
      {run.stage !== null && <ImportUnderWay run={run} stage={run.stage} onFocusLost={focusHeading} />}
      {installed !== undefined && <p role="status">{words.imported(installed.name)}</p>}
      {run.wasCancelled && <p role="status">{words.cancelled}</p>}
      {refusal !== null && <Failure title={words.refused} error={refusal} />}
      {refusal?.code === 'PACK_ALREADY_INSTALLED' && higher === null && <p className="reading">{words.already}</p>}
      {higher !== null && wanted !== null && (
        <button
          type="button"
          className="button"
          onClick={() => {
            focusHeading();
            run.begin({ source: wanted.source, replace: true });
          }}
        >
          {words.replace(higher.installed, higher.version)}
        </button>
      )}
      <Findings findings={run.findings} />
    </section>
  );
}

interface UnderWayProps {
  readonly run: PackImportRun;
  readonly stage: NonNullable<PackImportRun['stage']>;
  /** Called when it goes while the focus is on its button. */
  readonly onFocusLost: () => void;
}

/** How far the import is, and the way to end it: a pack that is being put in its place cannot be taken back any more. */
function ImportUnderWay({ run, stage, onFocusLost }: UnderWayProps) {
  const { packs: words } = useMessages();
  const { filesDone: done, filesTotal: total } = run;
  const isCounted = total !== null && total > 0;
  const canCancel = stage !== 'installing';
  const cancel = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const button = cancel.current;
    return () => {
      if (document.activeElement === button) onFocusLost();
    };
  }, [onFocusLost]);
  return (
    <div className="import-under-way">
      <span className="packs-import-stage">
        <span role="status">{words.stage[stage]}</span>
        {isCounted && <span className="small muted">{words.filesDone(done, total)}</span>}
        <button
          type="button"
          className="button button-quiet"
          ref={cancel}
          aria-disabled={!canCancel || undefined}
          onClick={() => {
            if (canCancel) run.cancel();
          }}
        >
          {words.cancelImport}
        </button>
      </span>
      {/* Without a value the browser shows that it goes on, and claims nothing. */}
      <progress
        aria-label={words.importProgress}
        {...(isCounted ? { max: total, value: Math.min(done, total) } : {})}
      />
    </div>
  );
}
