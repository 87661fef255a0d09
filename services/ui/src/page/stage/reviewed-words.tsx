import { useMessages } from '../messages/use-messages';
import type { PlayActor } from '../play/play-actor';

/** The player's words once more, before they are said. */
export function ReviewedWords({ actor, words }: { actor: PlayActor; words: string }) {
  const { stage } = useMessages();
  return (
    <div className="composer">
      <p className="label">{stage.reviewTitle}</p>
      <p className="composer-review reading" dir="auto">
        {words}
      </p>
      <div className="actions">
        <button type="button" className="button button-primary" autoFocus onClick={() => actor.send({ type: 'SEND' })}>
          {stage.send}
        </button>
        <button type="button" className="button" onClick={() => actor.send({ type: 'EDIT' })}>
          {stage.edit}
        </button>
      </div>
    </div>
  );
}
