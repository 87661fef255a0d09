import type { Turn } from '@parley/shared/contracts';
import { useMessages } from '../messages/use-messages';
import { emotionWord } from '../messages/name-of';

interface ScriptLineProps {
  readonly turn: Turn;
  readonly name: string;
  readonly onRetry?: (() => void) | null;
}

/** One utterance as in a script: the name in small capitals, how it is said, the words. */
export function ScriptLine({ turn, name, onRetry = null }: ScriptLineProps) {
  const messages = useMessages();
  const { stage } = messages;
  return (
    <div className={`line line-${turn.role}`}>
      <p className="line-who">
        {turn.role === 'player' ? stage.you : name}
        {turn.emotion !== null && <span className="line-how"> {emotionWord(messages, turn.emotion)}</span>}
      </p>
      {turn.text === null ? (
        <p className="line-words muted">{stage.textGone}</p>
      ) : (
        <p className="line-words">{turn.text}</p>
      )}
      {turn.used_fallback && <p className="line-note">{stage.fallback}</p>}
      {onRetry !== null && (
        <button
          type="button"
          className="button button-quiet line-retry"
          aria-label={stage.retryLabel(turn.index)}
          onClick={onRetry}
        >
          {stage.retry}
        </button>
      )}
    </div>
  );
}
