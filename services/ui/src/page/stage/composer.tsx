import { useSelector } from '@xstate/react';
import { useEffect, useId, useRef, useState, type KeyboardEvent, type SyntheticEvent } from 'react';
import { MAX_PLAYER_TEXT } from '../client/route-paths';
import { useMessages } from '../messages/use-messages';
import { isAnswering, isModelLoading, type PlayActor } from '../play/play-actor';
import { readReviewChoice } from '../settings/review-choice';
import { useSay } from '../shell/status';
import { ReviewedWords } from './reviewed-words';
import { Waiting } from './waiting';

/** From this many characters on the composer counts down. */
const COUNT_FROM = 1800;

/** Where the player speaks. It keeps its draft over a reload, and lets one think ahead while the character replies. */
export function Composer({ actor }: { actor: PlayActor }) {
  const { stage } = useMessages();
  const say = useSay();
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const draft = useSelector(actor, (state) => state.context.draft);
  const name = useSelector(actor, (state) => state.context.scenario?.npc.name ?? '');
  const isMyTurn = useSelector(actor, (state) => state.matches({ scene: { PlayerTurnReview: 'Composing' } }));
  const isReviewing = useSelector(actor, (state) => state.matches({ scene: { PlayerTurnReview: 'Reviewing' } }));
  // Also where it can be said only in a moment: then it is kept until then.
  const maySay = useSelector(actor, (state) => state.can({ type: 'SEND' }));
  const isAwaiting = useSelector(actor, isAnswering);
  const isElsewhere = useSelector(actor, (state) => state.matches({ scene: 'AnsweringElsewhere' }));
  /** Why what was tried a moment ago did not send anything. */
  const [refusal, setRefusal] = useState('');

  const length = Array.from(draft.trim()).length;
  const left = MAX_PLAYER_TEXT - length;
  const canSend = maySay && left >= 0;

  useEffect(() => {
    setRefusal('');
    // Whoever steps through the answers with the keyboard goes on from there.
    if (isMyTurn && document.activeElement?.closest('.answers-steps') == null)
      field.current?.focus({ preventScroll: true });
  }, [isMyTurn]);

  const submit = (event?: SyntheticEvent) => {
    event?.preventDefault();
    if (canSend) {
      setRefusal('');
      actor.send({ type: readReviewChoice() ? 'REVIEW' : 'SEND' });
      return;
    }
    const why =
      length === 0
        ? stage.nothingToSay
        : left < 0
          ? stage.tooLong(MAX_PLAYER_TEXT)
          : isAwaiting || isElsewhere
            ? stage.stillSpeaking(name)
            : stage.notYet;
    setRefusal(why);
    say(why);
  };
  const onKey = (event: KeyboardEvent) => {
    // While an input method composes, Enter chooses a word and sends nothing.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submit();
  };

  if (isReviewing) return <ReviewedWords actor={actor} words={draft.trim()} />;
  return (
    <form className="composer" onSubmit={submit}>
      <label className="visually-hidden" htmlFor={id}>
        {stage.composer(name)}
      </label>
      <textarea
        id={id}
        ref={field}
        className="composer-field"
        rows={2}
        dir="auto"
        value={draft}
        placeholder={stage.composer(name)}
        aria-describedby={`${id}-hint`}
        aria-invalid={left < 0 || undefined}
        onChange={(event) => {
          setRefusal('');
          actor.send({ type: 'DRAFT', text: event.target.value });
        }}
        onKeyDown={onKey}
      />
      <div className="composer-foot">
        {refusal !== '' && <p className="composer-refusal">{refusal}</p>}
        {isAwaiting ? <Waiting actor={actor} name={name} /> : <ComposerHint actor={actor} id={`${id}-hint`} />}
        {length >= COUNT_FROM && (
          <p className="composer-count" data-over={left < 0 || undefined} aria-live="polite">
            {stage.charactersLeft(left)}
          </p>
        )}
        <button type="submit" className="button button-primary" aria-disabled={!canSend || undefined}>
          {readReviewChoice() ? stage.review : stage.send}
        </button>
      </div>
    </form>
  );
}

/** What is going on that the player should know while they write; else which keys there are. */
function ComposerHint({ actor, id }: { actor: PlayActor; id: string }) {
  const { stage } = useMessages();
  const name = useSelector(actor, (state) => state.context.scenario?.npc.name ?? '');
  const news = useSelector(actor, (state) => {
    if (state.context.wish !== null) return stage.saidInAMoment;
    if (state.matches({ scene: 'AnsweringElsewhere' })) return stage.answeringElsewhere(name);
    if (state.matches({ link: { Live: 'Reconnecting' } })) return stage.reconnecting;
    return isModelLoading(state) ? stage.loadingModel : null;
  });
  return (
    <p className={news === null ? 'composer-hint composer-keys' : 'composer-hint'} id={id}>
      {news ?? stage.composerHint}
    </p>
  );
}
