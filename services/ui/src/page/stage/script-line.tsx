import type { ReactNode } from 'react';
import type { Turn } from '@parley/shared/contracts';
import { useMessages } from '../messages/use-messages';
import { lineOf } from '../messages/line-names';
import { emotionWord } from '../messages/name-of';

interface ScriptLineProps {
  readonly turn: Turn;
  readonly name: string;
  readonly onRetry?: (() => void) | null;
  /** The words with marks in them, in place of the plain text. */
  readonly markedWords?: ReactNode;
}

/** One utterance as in a script: the name in small capitals, how it is said, the words. */
export function ScriptLine({ turn, name, onRetry = null, markedWords }: ScriptLineProps) {
  const messages = useMessages();
  const { stage } = messages;
  return (
    <div className={`line line-${turn.role}`} data-stand-in={turn.used_fallback || undefined}>
      <p className="line-who" dir="auto">
        {turn.role === 'player' ? stage.you : name}
        {turn.emotion !== null && <span className="line-how"> {emotionWord(messages, turn.emotion)}</span>}
      </p>
      {turn.used_fallback && <p className="line-stand-in">{stage.standIn}</p>}
      {turn.text === null ? (
        <p className="line-words muted">{stage.textGone}</p>
      ) : (
        <p className="line-words" dir="auto">
          {markedWords || turn.text}
        </p>
      )}
      {onRetry !== null && (
        <button
          type="button"
          className="button button-quiet line-retry"
          aria-label={stage.retryLabel(lineOf(turn.index))}
          onClick={onRetry}
        >
          {stage.retry}
        </button>
      )}
    </div>
  );
}
