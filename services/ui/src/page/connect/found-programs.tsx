import { useId, useState } from 'react';
import type { FoundProgram, RuntimeChoiceState } from '@parley/shared/contracts';
import { ApiError } from '../client/api-error';
import { useMessages } from '../messages/use-messages';
import { Failure } from '../shell/failure';
import { useFoundPrograms } from './connect-queries';
import { OtherAddress } from './other-address';
import { setupOfFound, type Setup } from './setup';

interface FoundProgramsProps {
  readonly choice: RuntimeChoiceState;
  readonly onBegin: (setup: Setup) => void;
}

/** The model servers that answer on this machine, each with the button that has it play. */
export function FoundPrograms({ choice, onBegin }: FoundProgramsProps) {
  const { connect: words } = useMessages();
  const { data, error, isFetching, refetch } = useFoundPrograms();
  const isUnable = error !== null && ApiError.from(error).code === 'NOT_SUPPORTED_BY_RUNTIME';
  return (
    <section>
      <h2>{words.found}</h2>
      <p role="status" className={data === undefined || isFetching ? 'muted' : 'visually-hidden'}>
        {isFetching ? words.looking : ''}
      </p>
      {error !== null && !isFetching && (
        <Failure title={isUnable ? words.cannotLook : words.lookFailed} error={error} />
      )}
      {data?.length === 0 && !isFetching && <p className="reading">{words.nothing}</p>}
      <ul className="connect-list">
        {data?.map((program) => (
          <li key={program.base_url}>
            <Program program={program} choice={choice} onBegin={onBegin} />
          </li>
        ))}
      </ul>
      <div className="actions">
        {/* Not disabled while it looks: what has the focus keeps it. */}
        <button
          type="button"
          className="button"
          aria-disabled={isFetching || undefined}
          onClick={() => !isFetching && void refetch()}
        >
          {words.lookAgain}
        </button>
      </div>
      {choice.can_change && <OtherAddress onBegin={onBegin} />}
    </section>
  );
}

interface ProgramProps extends FoundProgramsProps {
  readonly program: FoundProgram;
}

/** A server may name its model by the path of its file: people know it by the file's name. */
const shortName = (id: string): string => (id.split(/[/\\]/).at(-1) ?? id).replace(/\.gguf$/i, '');

function Program({ program, choice, onBegin }: ProgramProps) {
  const { connect: words } = useMessages();
  const { product, base_url: address, models, problem } = program;
  const [model, setModel] = useState(models[0] ?? '');
  const factsId = useId();
  const name = words.products[product];
  const plays = choice.runtime_id === program.runtime_id && choice.base_url === address;
  const wanted = models.includes(model) ? model : (models[0] ?? '');
  return (
    <>
      <div>
        <h3>{name}</h3>
        <p className="small muted" id={factsId}>
          {address}
          {models.length === 1 && ` · ${shortName(wanted)}`}
          {plays && ` · ${words.inUse}`}
        </p>
        {problem !== null && <p className="reading">{problem}</p>}
        {models.length > 1 && choice.can_change && (
          <label className="field connect-model">
            <span>{words.model}</span>
            <select
              className="input"
              aria-label={words.modelOf(name)}
              value={wanted}
              onChange={(event) => setModel(event.target.value)}
            >
              {models.map((id) => (
                <option key={id} value={id}>
                  {shortName(id)}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      {problem === null && choice.can_change && (
        <button
          type="button"
          className="button button-primary"
          aria-label={words.useOne(name, address)}
          aria-describedby={factsId}
          onClick={() => onBegin(setupOfFound(program, name, wanted))}
        >
          {words.use}
        </button>
      )}
    </>
  );
}
