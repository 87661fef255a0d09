import { useId, useRef, useState, type SyntheticEvent } from 'react';
import { MAX_PLAYER_TEXT } from '../client/route-paths';
import { useMessages } from '../messages/use-messages';
import { sendsOnEnter } from '../stage/sends-on-enter';
import { useSay } from '../shell/status';

interface AgainComposerProps {
  readonly npcName: string;
  readonly left: number;
  readonly isTrying: boolean;
  /** What was tried last: trying it once more would show nothing new. */
  readonly lastText: string | null;
  readonly onTry: (text: string) => Promise<boolean>;
}

/** Where the line is said again. What was tried stays in it, to be changed. */
export function AgainComposer({ npcName, left, isTrying, lastText, onTry }: AgainComposerProps) {
  const { moment: words, stage } = useMessages();
  const say = useSay();
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState('');
  const [refusal, setRefusal] = useState('');
  const line = text.trim();

  const submit = (event?: SyntheticEvent) => {
    event?.preventDefault();
    if (isTrying) return;
    const why =
      line === ''
        ? stage.nothingToSay
        : Array.from(line).length > MAX_PLAYER_TEXT
          ? stage.tooLong(MAX_PLAYER_TEXT)
          : line === lastText
            ? words.sameAgain
            : '';
    setRefusal(why);
    if (why !== '') say(why);
    else void onTry(line).then(() => field.current?.focus({ preventScroll: true }));
  };
  return (
    <form className="composer" onSubmit={submit}>
      <label className="label" htmlFor={id}>
        {stage.composer(npcName)}
      </label>
      <textarea
        id={id}
        ref={field}
        className="composer-field"
        rows={2}
        dir="auto"
        value={text}
        aria-describedby={`${id}-hint`}
        onChange={(event) => {
          setRefusal('');
          setText(event.target.value);
        }}
        onKeyDown={(event) => sendsOnEnter(event, submit)}
      />
      <div className="composer-foot">
        {refusal !== '' && <p className="composer-refusal">{refusal}</p>}
        <p className="composer-hint">{words.triesLeft(left)}</p>
        <p className="composer-hint composer-keys" id={`${id}-hint`}>
          {words.hint}
        </p>
        <button type="submit" className="button button-primary" aria-disabled={isTrying || undefined}>
          {isTrying ? words.trying : words.send}
        </button>
      </div>
    </form>
  );
}
