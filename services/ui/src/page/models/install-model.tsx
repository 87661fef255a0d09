import { useState, type SyntheticEvent } from 'react';
import type { InstallModelRequest } from '@parley/shared/contracts';
import { useMessages } from '../messages/use-messages';
import type { InstallKind } from './install-kinds';
import { InstallList } from './install-list';
import { useInstallModel } from './model-queries';
import { Refusal } from './refusal';
import { SuggestedModels } from './suggested-models';

/** Installs a model by whatever ways the runtime has, shows how far it is, and what there is to choose from. */
export function InstallModel({ kinds }: { kinds: readonly InstallKind[] }) {
  const { models: words } = useMessages();
  const install = useInstallModel();
  return (
    <>
      <section>
        <h2>{words.installTitle}</h2>
        <p className="reading">{kinds.length === 0 ? words.installDemo : words.installIntro}</p>
        {kinds.map((kind) => (
          <InstallForm key={kind} kind={kind} onInstall={(request) => install.mutate(request)} />
        ))}
        {install.data !== undefined && <p role="status">{words.begun(install.data.install.model_id)}</p>}
        {install.error !== null && <Refusal title={words.notBegun} error={install.error} />}
        <InstallList />
      </section>
      <SuggestedModels kinds={kinds} onInstall={(request) => install.mutate(request)} />
    </>
  );
}

interface InstallFormProps {
  readonly kind: InstallKind;
  readonly onInstall: (request: InstallModelRequest) => void;
}

function InstallForm({ kind, onInstall }: InstallFormProps) {
  const { models: words } = useMessages();
  const [source, setSource] = useState('');
  const [sha256, setSha256] = useState('');
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const [from, sum] = [source.trim(), sha256.trim()];
    if (from === '') return;
    if (kind === 'pull') onInstall({ pull: from });
    else if (kind === 'file') onInstall({ file: from });
    else onInstall(sum === '' ? { url: from } : { url: from, sha256: sum });
  };
  return (
    <form className="models-install" onSubmit={submit}>
      <label className="field">
        <span>{words[kind]}</span>
        <input
          className="input"
          value={source}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => setSource(event.target.value)}
        />
      </label>
      {kind === 'url' && (
        <label className="field">
          <span>{words.sha256}</span>
          <input
            className="input"
            value={sha256}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setSha256(event.target.value)}
          />
        </label>
      )}
      <button type="submit" className="button" aria-disabled={source.trim() === '' || undefined}>
        {words.install}
      </button>
    </form>
  );
}
