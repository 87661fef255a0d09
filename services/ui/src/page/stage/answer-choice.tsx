import { useSelector } from '@xstate/react';
import { MAX_VARIANTS } from '../client/route-paths';
import { useMessages } from '../messages/use-messages';
import type { PlayActor } from '../play/play-actor';
import { changeableAnswer, canAskAgain } from '../play/play-state';

/** Beside the last answer of the character: another one can be asked for, and one of several chosen. */
export function AnswerChoice({ actor }: { actor: PlayActor }) {
  const { stage } = useMessages();
  const play = useSelector(actor, (state) => state.context.play);
  const name = useSelector(actor, (state) => state.context.scenario?.npc.name ?? '');
  // It stays while an answer is being brought back, so that the keyboard can go on from where it is.
  const isOpen = useSelector(
    actor,
    (state) =>
      state.matches({ scene: { PlayerTurnReview: 'Composing' } }) ||
      state.matches({ scene: 'Finished' }) ||
      state.matches({ scene: 'ChoosingAnswer' }),
  );
  const turn = play === null || !isOpen ? null : changeableAnswer(play);
  if (play === null || turn === null) return null;
  const { variant = 1, variants = 1 } = turn;
  const mayAsk = canAskAgain(play);
  if (variants === 1 && !mayAsk) return null;
  const choose = (wanted: number) => () => {
    if (wanted >= 1 && wanted <= variants) actor.send({ type: 'CHOOSE', variant: wanted });
  };
  return (
    <div className="answers" role="group" aria-label={stage.answers(name)}>
      {variants > 1 && (
        <div className="answers-steps">
          <button
            type="button"
            className="button answers-step"
            aria-label={stage.previousAnswer}
            aria-disabled={variant === 1 || undefined}
            onClick={choose(variant - 1)}
          >
            ‹
          </button>
          <p>
            <span aria-hidden="true">{stage.answerOf(variant, variants)}</span>
            <span className="visually-hidden">{stage.answerSaid(variant, variants)}</span>
          </p>
          <button
            type="button"
            className="button answers-step"
            aria-label={stage.nextAnswer}
            aria-disabled={variant === variants || undefined}
            onClick={choose(variant + 1)}
          >
            ›
          </button>
        </div>
      )}
      {mayAsk && (
        <button
          type="button"
          className={turn.used_fallback ? 'button' : 'button button-quiet'}
          aria-label={stage.askAgainLabel(name)}
          onClick={() => actor.send({ type: 'AGAIN' })}
        >
          {stage.askAgain}
        </button>
      )}
      {!mayAsk && variants === MAX_VARIANTS && <p className="answers-most">{stage.mostAnswers(MAX_VARIANTS)}</p>}
    </div>
  );
}
