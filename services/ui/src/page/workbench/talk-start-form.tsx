import { useState, type SyntheticEvent } from 'react';
import type { DraftNames, TalkStart } from '@parley/shared/contracts';
import { variableName } from '../messages/name-of';
import { useMessages } from '../messages/use-messages';

interface TalkStartFormProps {
  /** As at the opening. */
  readonly values: Readonly<Record<string, number>>;
  readonly names: DraftNames;
  readonly onBegin: (start: TalkStart) => void;
}

const MOST_LINES = 99;

/** The state that a talk begins in, set by hand: values, what has happened already, and how many lines were said. */
export function TalkStartForm({ values, names, onBegin }: TalkStartFormProps) {
  const messages = useMessages();
  const { draftTalk: words } = messages;
  const [set, setSet] = useState<Readonly<Record<string, number>>>({});
  const [flags, setFlags] = useState<readonly string[]>([]);
  const [line, setLine] = useState(0);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    onBegin({
      ...(Object.keys(set).length === 0 ? {} : { state_vars: { ...set } }),
      ...(flags.length === 0 ? {} : { flags: [...flags] }),
      ...(line === 0 ? {} : { line }),
    });
  };
  const numberOf = (text: string, most: number): number => Math.min(most, Math.max(0, Math.round(Number(text)) || 0));
  return (
    <details>
      <summary>{words.state}</summary>
      <form className="workbench-start" onSubmit={submit}>
        <p className="small muted">{words.stateHint}</p>
        <div className="workbench-numbers">
          {Object.entries(values).map(([name, value]) => (
            <label className="field" key={name}>
              <span>{variableName(messages, name)}</span>
              <input
                className="input"
                type="number"
                min={0}
                max={100}
                value={set[name] ?? value}
                onChange={(event) => setSet({ ...set, [name]: numberOf(event.target.value, 100) })}
              />
            </label>
          ))}
          <label className="field">
            <span>{words.line}</span>
            <input
              className="input"
              type="number"
              min={0}
              max={MOST_LINES}
              value={line}
              onChange={(event) => setLine(numberOf(event.target.value, MOST_LINES))}
            />
          </label>
        </div>
        <fieldset>
          <legend>{words.flags}</legend>
          <div className="workbench-flags">
            {[...names.moves, ...names.flags, ...names.events].map((flag) => (
              <label className="choice" key={flag}>
                <input
                  type="checkbox"
                  checked={flags.includes(flag)}
                  onChange={(event) =>
                    setFlags(event.target.checked ? [...flags, flag] : flags.filter((one) => one !== flag))
                  }
                />
                <span>{flag}</span>
              </label>
            ))}
          </div>
        </fieldset>
        <button type="submit" className="button">
          {words.begin}
        </button>
      </form>
    </details>
  );
}
