import { useId } from 'react';
import type { FittingModel, FoundProgram } from '@parley/shared/contracts';
import { useMessages } from '../messages/use-messages';
import { bytesText } from '../models/install-state';
import { Failure } from '../shell/failure';
import { useFittingModels, useModelServer } from './connect-queries';
import { setupOfFile, setupOfPull, type Setup } from './setup';

interface GetModelProps {
  /** An Ollama without a model, which can fetch one; null without it. */
  readonly emptyOllama: FoundProgram | null;
  readonly onBegin: (setup: Setup) => void;
}

/** How many models are suggested where all fit. */
const ALL = 3;

/** Models that fit this machine, each with the one button that fetches it, has it started and tried. */
export function GetModel({ emptyOllama, onBegin }: GetModelProps) {
  const { connect: words, language } = useMessages();
  const { data, error, refetch } = useFittingModels();
  return (
    <section>
      <h2>{words.get}</h2>
      {error !== null && <Failure title={words.fitsFailed} error={error} onRetry={() => void refetch()} />}
      {data?.models.length === 0 && (
        <p className="reading">
          {data.memory_available_bytes >= data.least_memory_bytes
            ? words.fitsSlow
            : words.fitsNone(
                bytesText(data.least_memory_bytes, language),
                bytesText(data.memory_available_bytes, language),
              )}
        </p>
      )}
      {data !== undefined && data.models.length > 0 && (
        <>
          <p className="reading">
            {words.getText} {data.models.length < ALL && words.fitsFewer(data.models.length)}
          </p>
          {emptyOllama === null ? <ServerNote /> : <p className="reading">{words.forOllama}</p>}
          <ul className="connect-list">
            {data.models.map((model) => (
              <li key={model.pull}>
                <Suggestion model={model} emptyOllama={emptyOllama} onBegin={onBegin} />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

/** What runs the model: fetched along, or to be installed by hand where the service cannot fetch it. */
function ServerNote() {
  const { connect: words, language } = useMessages();
  const { data: server } = useModelServer();
  if (server === undefined || (server !== null && server.command_found !== null)) return null;
  return (
    <p className="reading">
      {server === null ? words.serverAdvice : words.serverToo(bytesText(server.size_bytes, language), server.licence)}
    </p>
  );
}

function Suggestion({ model, emptyOllama, onBegin }: GetModelProps & { model: FittingModel }) {
  const { connect: words, language } = useMessages();
  const factsId = useId();
  const setup = emptyOllama === null ? setupOfFile(model) : setupOfPull(model, emptyOllama.base_url);
  const { from, to } = model.words_per_second;
  return (
    <>
      <div>
        <h3>{model.name}</h3>
        <p className="small muted" id={factsId}>
          {[
            words.size(
              model.gguf === null
                ? bytesText(model.size_gb * 1e9, language)
                : bytesText(model.gguf.size_bytes, language),
            ),
            words.memory(bytesText(model.memory_bytes, language)),
            model.license,
          ].join(' · ')}
        </p>
        <p className="small muted">{words.pace(from.toLocaleString(language), to.toLocaleString(language))}</p>
        <p>{model.note}</p>
        {emptyOllama === null && model.gguf !== null && (
          <p className="small muted">{words.source(model.gguf.file, new URL(model.gguf.url).host)}</p>
        )}
      </div>
      {setup !== null && (
        <button
          type="button"
          className="button button-primary"
          aria-label={emptyOllama === null ? words.getOne(model.name) : words.getWithOllama(model.name)}
          aria-describedby={factsId}
          onClick={() => onBegin(setup)}
        >
          {words.getIt}
        </button>
      )}
    </>
  );
}
