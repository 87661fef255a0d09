import type { DraftTalk } from '@parley/shared/contracts';
import { emotionWord, variableName } from '../messages/name-of';
import { useMessages } from '../messages/use-messages';

/** What was said, and what each line brought about. */
export function TalkSoFar({ talk }: { talk: DraftTalk }) {
  const messages = useMessages();
  const { draftTalk: words } = messages;
  return (
    <ol className="workbench-lines">
      <li>
        <strong className="label">{talk.npc_name}</strong>
        <p dir="auto">{talk.opening}</p>
      </li>
      {talk.turns.map((turn, at) => (
        <li key={at}>
          <strong className="label">{words.you}</strong>
          <p dir="auto">{turn.player_input}</p>
          {turn.showed.length > 0 && (
            <p className="small muted">
              {words.showed(turn.showed.map(({ id, words: said }) => `${id} (“${said}”)`).join(', '))}
            </p>
          )}
          <strong className="label">
            {talk.npc_name} · {emotionWord(messages, turn.emotion)}
          </strong>
          <p dir="auto">{turn.npc_says}</p>
          <p className="small muted">
            {[turn.because, turn.fired.length === 0 ? null : words.fired(turn.fired.join(', '))]
              .filter((part) => part !== null)
              .join(' · ')}
          </p>
        </li>
      ))}
    </ol>
  );
}

/** The values after the last line, and how they have moved by it. */
export function TalkValues({ talk }: { talk: DraftTalk }) {
  const messages = useMessages();
  const last = talk.turns.at(-1);
  const before = talk.turns.at(-2)?.state_vars ?? talk.state_vars;
  const now = last?.state_vars ?? talk.state_vars;
  const moved = (name: string): string => {
    const change = (now[name] ?? 0) - (before[name] ?? 0);
    return last === undefined || change === 0 ? '' : ` (${change > 0 ? '+' : '−'}${Math.abs(change)})`;
  };
  return (
    <>
      <h3>{messages.draftTalk.values}</h3>
      <dl className="workbench-values">
        {Object.entries(now).map(([name, value]) => (
          <div key={name}>
            <dt>{variableName(messages, name)}</dt>
            <dd>
              {value}
              {moved(name)}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
