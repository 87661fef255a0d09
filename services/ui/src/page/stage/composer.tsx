import { useSelector } from '@xstate/react';
import { useEffect, useId, useRef, useState, type SyntheticEvent } from 'react';
import type { Session } from '@parley/shared/contracts';
import { MAX_PLAYER_TEXT } from '../client/route-paths';
import { useMessages } from '../messages/use-messages';
import { isAnswering, isModelLoading, type PlayActor } from '../play/play-actor';
import { readReviewChoice } from '../settings/review-choice';
import { useSay } from '../shell/status';
import { CoachedLine } from './coaching';
import { ReviewedWords } from './reviewed-words';
import { sendsOnEnter } from './sends-on-enter';
import { useCoach } from './use-coach';
import { Waiting } from './waiting';

/** From this many characters on the composer counts down. */
const COUNT_FROM = 1800;

/** Where the player speaks. It keeps its draft over a reload, and lets one think ahead while the character replies. */
export function Composer({ actor, session }: { actor: PlayActor; session: Session }) {
  const { stage, coaching } = useMessages();
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
  const coach = useCoach(session.id, draft.trim());

  const length = Array.from(draft.trim()).length;
  const left = MAX_PLAYER_TEXT - length;
  const canSend = maySay && left >= 0;

  useEffect(() => {
    setRefusal('');
    // Whoever steps through the answers with the keyboard goes on from there.
    if (isMyTurn && document.activeElement?.closest('.answers-steps') == null)
      field.current?.focus({ preventScroll: true });
  }, [isMyTurn]);

  const refuse = (why: string) => {
    setRefusal(why);
    say(why);
  };
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
    refuse(why);
  };
  /** A line that was meant to be checked is never said instead. */
  const check = () => (isMyTurn ? coach.check() : refuse(coaching.notYet));
  if (isReviewing) return <ReviewedWords actor={actor} words={draft.trim()} />;
  const keys = session.coaching ? coaching.keys : stage.composerHint;
  return (
    <form className="composer" onSubmit={submit}>
      {coach.answer !== null && isMyTurn && <CoachedLine line={draft.trim()} answer={coach.answer} />}
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
        onKeyDown={(event) =>
          sendsOnEnter(event, session.coaching && (event.ctrlKey || event.metaKey) ? check : submit)
        }
      />
      <div className="composer-foot">
        {(refusal || coach.trouble) !== '' && <p className="composer-refusal">{refusal || coach.trouble}</p>}
        {isAwaiting ? (
          <Waiting actor={actor} name={name} />
        ) : (
          <ComposerHint actor={actor} id={`${id}-hint`} keys={keys} />
        )}
        {length >= COUNT_FROM && (
          <p className="composer-count" data-over={left < 0 || undefined} aria-live="polite">
            {stage.charactersLeft(left)}
          </p>
        )}
        {session.coaching && isMyTurn && (
          <button type="button" className="button" onClick={coach.check}>
            {coaching.check}
          </button>
        )}
        <button type="submit" className="button button-primary" aria-disabled={!canSend || undefined}>
          {readReviewChoice() ? stage.review : stage.send}
        </button>
      </div>
    </form>
  );
}

/** What is going on that the player should know while they write; else which keys there are. */
function ComposerHint({ actor, id, keys }: { actor: PlayActor; id: string; keys: string }) {
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
      {news ?? keys}
    </p>
  );
}
