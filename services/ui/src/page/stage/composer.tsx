import { useSelector } from '@xstate/react';
import { useEffect, useId, useRef, type KeyboardEvent, type SyntheticEvent } from 'react';
import { MAX_PLAYER_TEXT } from '../client/route-paths';
import { useMessages } from '../messages/use-messages';
import type { PlayActor } from '../play/play-actor';
import { readReviewChoice } from '../settings/review-choice';
import { Waiting } from './waiting';

/** From this many characters on the composer counts down. */
const COUNT_FROM = 1800;

/** Where the player speaks. It keeps its draft over a reload, and lets one think ahead while the character replies. */
export function Composer({ actor }: { actor: PlayActor }) {
  const { stage } = useMessages();
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const draft = useSelector(actor, (state) => state.context.draft);
  const name = useSelector(actor, (state) => state.context.scenario?.npc.name ?? '');
  const isMyTurn = useSelector(actor, (state) => state.matches({ scene: { PlayerTurnReview: 'Composing' } }));
  const isReviewing = useSelector(actor, (state) => state.matches({ scene: { PlayerTurnReview: 'Reviewing' } }));
  const hasWish = useSelector(actor, (state) => state.context.wish !== null);
  // Also where it can be said only in a moment: then it is kept until then.
  const maySay = useSelector(actor, (state) => state.can({ type: 'SEND' }));
  const isAwaiting = useSelector(actor, (state) => state.matches({ scene: 'AwaitingReply' }));
  const isLoadingModel = useSelector(actor, (state) => state.matches({ scene: 'LoadingModel' }));
  const isReconnecting = useSelector(actor, (state) => state.matches({ link: { Live: 'Reconnecting' } }));

  const length = Array.from(draft.trim()).length;
  const left = MAX_PLAYER_TEXT - length;
  const canSend = maySay && left >= 0;

  useEffect(() => {
    if (isMyTurn) field.current?.focus({ preventScroll: true });
  }, [isMyTurn]);

  const submit = (event?: SyntheticEvent) => {
    event?.preventDefault();
    if (canSend) actor.send({ type: readReviewChoice() ? 'REVIEW' : 'SEND' });
  };
  const onKey = (event: KeyboardEvent) => {
    // While an input method composes, Enter chooses a word and sends nothing.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submit();
  };

  if (isReviewing)
    return (
      <div className="composer">
        <p className="label">{stage.reviewTitle}</p>
        <p className="composer-review reading">{draft.trim()}</p>
        <div className="actions">
          <button
            type="button"
            className="button button-primary"
            autoFocus
            onClick={() => actor.send({ type: 'SEND' })}
          >
            {stage.send}
          </button>
          <button type="button" className="button" onClick={() => actor.send({ type: 'EDIT' })}>
            {stage.edit}
          </button>
        </div>
      </div>
    );
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
        value={draft}
        placeholder={stage.composer(name)}
        aria-describedby={`${id}-hint`}
        aria-invalid={left < 0 || undefined}
        onChange={(event) => actor.send({ type: 'DRAFT', text: event.target.value })}
        onKeyDown={onKey}
      />
      <div className="composer-foot">
        {isAwaiting ? (
          <Waiting actor={actor} name={name} />
        ) : (
          <p className="composer-hint" id={`${id}-hint`}>
            {hasWish
              ? stage.saidInAMoment
              : isReconnecting
                ? stage.reconnecting
                : isLoadingModel
                  ? stage.loadingModel
                  : stage.composerHint}
          </p>
        )}
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
