import { useId } from 'react';
import type { InstallModelRequest, SuggestedModel } from '@parley/shared/contracts';
import { useModels } from '../client/queries';
import { useMessages } from '../messages/use-messages';
import { bytesText } from './install-state';
import type { InstallKind } from './install-kinds';
import { useSuggestedModels } from './model-queries';
import { suggestedInstall } from './suggested-install';

interface SuggestedModelsProps {
  /** The ways in which the runtime can get a model. */
  readonly kinds: readonly InstallKind[];
  readonly onInstall: (request: InstallModelRequest) => void;
}

/** A short list to choose from. A service that has none says nothing, and neither does the page. */
export function SuggestedModels({ kinds, onInstall }: SuggestedModelsProps) {
  const { models: words } = useMessages();
  const { data = [] } = useSuggestedModels();
  if (data.length === 0) return null;
  return (
    <section>
      <h2>{words.suggestedTitle}</h2>
      <p className="reading">{words.suggestedText}</p>
      <ul className="models-list models-suggested">
        {data.map((model) => (
          <li key={model.pull}>
            <Suggestion model={model} kinds={kinds} onInstall={onInstall} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Suggestion({ model, kinds, onInstall }: SuggestedModelsProps & { model: SuggestedModel }) {
  const { models: words, language } = useMessages();
  const listed = useModels().data?.models ?? [];
  const sourceId = useId();
  const install = suggestedInstall(model, kinds);
  return (
    <>
      <div>
        <h3>{model.name}</h3>
        <p className="small muted">
          {[
            words.suggestedFor(model.memory_gb),
            words.suggestedSize(model.size_gb.toLocaleString(language)),
            model.license,
          ].join(' · ')}
        </p>
        <p>{model.note}</p>
        <div id={sourceId}>
          {install === null ? <Names model={model} /> : <Source model={model} kind={install.kind} />}
        </div>
      </div>
      {install !== null &&
        (listed.some(({ id }) => id === install.modelId) ? (
          <p className="small muted">{words.suggestedHere}</p>
        ) : (
          <button
            type="button"
            className="button"
            aria-label={words.installOne(model.name)}
            aria-describedby={sourceId}
            onClick={() => onInstall(install.request)}
          >
            {words.install}
          </button>
        ))}
    </>
  );
}

/** What a press would fetch from where: it is said before it is pressed. One who pulls asks their own server, which says it itself. */
function Source({ model: { gguf }, kind }: { model: SuggestedModel; kind: InstallKind }) {
  const { models: words, language } = useMessages();
  if (kind !== 'url' || gguf === null) return null;
  return (
    <>
      <p className="small">
        {words.suggestedSource(gguf.file, bytesText(gguf.size_bytes, language), new URL(gguf.url).host)}
      </p>
      <p className="small muted">{gguf.sha256 === null ? words.suggestedUnchecked : words.suggestedChecked}</p>
    </>
  );
}

/** Where nothing can be installed by a press: the names to type elsewhere. */
function Names({ model }: { model: SuggestedModel }) {
  const { models: words } = useMessages();
  return (
    <p className="small">
      {words.suggestedPull} <code>{model.pull}</code>{' '}
      {model.gguf === null ? (
        words.suggestedNoFile
      ) : (
        <>
          {words.suggestedFile} <code>{`${model.gguf.repository}/${model.gguf.file}`}</code>
        </>
      )}
    </p>
  );
}
