import { useMutation } from '@tanstack/react-query';
import { useState, type SyntheticEvent } from 'react';
import { ApiError } from '../client/api-error';
import { callApi } from '../client/call-api';
import { useMessages } from '../messages/use-messages';
import { Failure } from '../shell/failure';
import { Findings, findingsOf } from './findings';

interface Wanted {
  readonly source: File | string;
  /** Whether it may take the place of a lower version. */
  readonly replace: boolean;
}

/** The two versions of a pack that could take the place of an installed one; null where it cannot. */
function higherVersionIn(refusal: ApiError | null): { installed: string; version: string } | null {
  const { replaceable, installed_version: installed, version } = refusal?.details ?? {};
  return replaceable === true && typeof installed === 'string' && typeof version === 'string'
    ? { installed, version }
    : null;
}

/** Imports a zip that is chosen, or a folder or zip that is named by its path. Nothing is installed unless all of it is. */
export function ImportPack({ onImported }: { onImported: () => Promise<void> }) {
  const { packs: words } = useMessages();
  const [path, setPath] = useState('');
  const run = useMutation({
    mutationFn: ({ source, replace }: Wanted) => {
      const query: { replace?: 'true' } = replace ? { replace: 'true' } : {};
      if (typeof source === 'string') return callApi('importPack', { body: { path: source }, query });
      const form = new FormData();
      form.set('file', source);
      // A form is the other kind of body that this operation takes; the type of the table knows the JSON one only.
      return callApi('importPack', { body: form as unknown as { path: string }, query });
    },
    onSuccess: onImported,
  });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (path.trim() !== '') run.mutate({ source: path.trim(), replace: false });
  };
  // Nothing asks for the answer that comes before the pack is installed.
  const imported = run.data !== undefined && 'pack' in run.data ? run.data : undefined;
  const refusal = run.error === null ? null : ApiError.from(run.error);
  const higher = higherVersionIn(refusal);
  return (
    <section className="packs-import">
      <h2>{words.importTitle}</h2>
      <label className="field">
        <span>{words.chooseFile}</span>
        <input
          className="input"
          type="file"
          accept=".zip,application/zip"
          onChange={(event) => {
            const file = event.target.files?.[0];
            if (file !== undefined) run.mutate({ source: file, replace: false });
            event.target.value = '';
          }}
        />
      </label>
      <form onSubmit={submit}>
        <label className="field">
          <span>{words.orPath}</span>
          <input className="input" value={path} onChange={(event) => setPath(event.target.value)} />
        </label>
        <button type="submit" className="button" aria-disabled={path.trim() === '' || undefined}>
          {words.importPath}
        </button>
      </form>
      {run.isPending && <p role="status">{words.importing}</p>}
      {imported !== undefined && <p role="status">{words.imported(imported.pack.name)}</p>}
      {refusal !== null && <Failure title={words.refused} error={refusal} />}
      {refusal?.code === 'PACK_ALREADY_INSTALLED' && higher === null && <p className="reading">{words.already}</p>}
      {higher !== null && run.variables !== undefined && (
        <button
          type="button"
          className="button"
          onClick={() => run.mutate({ source: run.variables.source, replace: true })}
        >
          {words.replace(higher.installed, higher.version)}
        </button>
      )}
      <Findings findings={imported?.findings ?? findingsOf(refusal)} />
    </section>
  );
}
