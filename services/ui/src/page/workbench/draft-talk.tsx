import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef, useState, type SyntheticEvent } from 'react';
import type { DraftNames, DraftTalk, DraftTalkRequest, Story, TalkStart } from '@parley/shared/contracts';
import { callApi } from '../client/call-api';
import { MAX_PLAYER_TEXT } from '../client/route-paths';
import { useMessages } from '../messages/use-messages';
import { Failure } from '../shell/failure';
import { Loading } from '../shell/loading';
import { useSay } from '../shell/status';
import { RecordTalk } from './record-talk';
import { TalkSoFar, TalkValues } from './talk-so-far';
import { TalkStartForm } from './talk-start-form';

interface DraftTalkProps {
  readonly draftId: string;
  readonly stories: readonly Story[];
  readonly names: DraftNames;
  readonly onRecorded: () => Promise<void>;
}

type Talked = DraftTalk['turns'];

/** A talk with the character of a draft, from any state, with the prompt beside it. */
export function DraftTalkView({ draftId, stories, names, onRecorded }: DraftTalkProps) {
  const { draftTalk: words, story: storyWords } = useMessages();
  const say = useSay();
  const field = useRef<HTMLTextAreaElement>(null);
  const [chosen, setChosen] = useState('');
  const [voice, setVoice] = useState<DraftTalkRequest['voice']>('demo');
  const [start, setStart] = useState<TalkStart>({});
  const [talk, setTalk] = useState<DraftTalk | null>(null);
  const [line, setLine] = useState('');
  const scenario = stories.find((one) => one.scenario_id === chosen)?.scenario_id ?? stories[0]?.scenario_id ?? '';
  const requestOf = (turns: DraftTalkRequest['turns'], from = start): DraftTalkRequest => ({
    scenario_id: scenario,
    voice,
    start: from,
    turns,
  });
  const spokenOf = (turns: Talked): DraftTalkRequest['turns'] =>
    turns.map(({ player_input, npc }) => ({ player_input, npc }));
  const post = (body: DraftTalkRequest) => callApi('talkInDraft', { params: { draft_id: draftId }, body });
  const opening = useQuery({
    queryKey: ['draft-talk', draftId, scenario],
    queryFn: () => post({ scenario_id: scenario, voice: 'demo', turns: [] }),
    staleTime: 0,
  });
  const speak = useMutation({ mutationFn: post });
  /** Only the answer that was asked for last is taken: with callbacks of mutate, react-query forgets those before it. */
  const ask = (request: DraftTalkRequest) =>
    speak.mutate(request, {
      onSuccess: (answer) => {
        setTalk(answer);
        const said = request.turns.at(-1);
        if (said?.npc === null) {
          // Words that were typed meanwhile are the next line.
          setLine((now) => (now.trim() === said.player_input ? '' : now));
          say(answer.turns.at(-1)?.npc_says ?? '');
        }
        field.current?.focus({ preventScroll: true });
      },
    });
  const shown = talk ?? opening.data ?? null;
  const isOver = shown?.ending != null;
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (line.trim() === '' || speak.isPending || isOver) return;
    ask(requestOf([...spokenOf(shown?.turns ?? []), { player_input: line.trim(), npc: null }]));
  };
  const beginAgain = (from: TalkStart) => {
    setStart(from);
    ask(requestOf([], from));
  };
  return (
    <section className="workbench-talk">
      <div className="workbench-main">
        <h2>{words.title}</h2>
        <p className="reading">{words.intro}</p>
        {stories.length > 1 && (
          <label className="field">
            <span>{storyWords.scenario}</span>
            <select
              className="input"
              value={scenario}
              onChange={(event) => {
                setChosen(event.target.value);
                setStart({});
                setTalk(null);
                speak.reset();
              }}
            >
              {stories.map((one) => (
                <option key={one.scenario_id} value={one.scenario_id}>
                  {one.title}
                </option>
              ))}
            </select>
          </label>
        )}
        <fieldset>
          <legend>{words.voice}</legend>
          {(['demo', 'model'] as const).map((one) => (
            <label className="choice" key={one}>
              <input type="radio" name="voice" checked={voice === one} onChange={() => setVoice(one)} />
              <span>
                {words.voices[one]} {one === 'model' && <small>{words.modelHint}</small>}
              </span>
            </label>
          ))}
        </fieldset>
        {opening.data !== undefined && (
          <TalkStartForm key={scenario} values={opening.data.state_vars} names={names} onBegin={beginAgain} />
        )}
        {opening.error !== null && (
          <Failure title={words.failed} error={opening.error} onRetry={() => void opening.refetch()} />
        )}
        {shown === null && opening.error === null && <Loading />}
        {shown !== null && <TalkSoFar talk={shown} />}
        {speak.error !== null && <Failure title={words.failed} error={speak.error} />}
        {isOver && <p role="status">{words.over(shown.ending ?? '')}</p>}
        {shown !== null && (
          <form className="workbench-say" onSubmit={submit}>
            <label className="field">
              <span>{words.yourLine}</span>
              <textarea
                ref={field}
                className="input"
                rows={3}
                value={line}
                maxLength={MAX_PLAYER_TEXT}
                dir="auto"
                onChange={(event) => setLine(event.target.value)}
              />
            </label>
            <div className="actions">
              <button
                type="submit"
                className="button button-primary"
                aria-disabled={line.trim() === '' || speak.isPending || isOver || undefined}
              >
                {speak.isPending ? words.answering : words.say}
              </button>
              {shown.turns.length > 0 && (
                <button
                  type="button"
                  className="button button-quiet"
                  onClick={() => {
                    if (!speak.isPending) ask(requestOf(spokenOf(shown.turns.slice(0, -1))));
                  }}
                >
                  {words.takeBack}
                </button>
              )}
            </div>
          </form>
        )}
        {shown !== null && shown.turns.length > 0 && (
          <RecordTalk draftId={draftId} request={requestOf(spokenOf(shown.turns))} onRecorded={onRecorded} />
        )}
      </div>
      <aside className="workbench-main">
        {shown !== null && <TalkValues talk={shown} />}
        <h3>{words.prompt}</h3>
        {shown === null || shown.prompt.length === 0 ? (
          <p className="muted">{words.noPrompt}</p>
        ) : (
          <>
            <p className="small muted">{words.promptLength(shown.prompt_tokens)}</p>
            <pre className="workbench-prompt" tabIndex={0} role="region" aria-label={words.prompt} dir="auto">
              {shown.prompt.map(({ role, content }) => `[${role}]\n${content}`).join('\n\n')}
            </pre>
          </>
        )}
      </aside>
    </section>
  );
}
