import type { ReactNode } from 'react';
import { errorText } from '../messages/error-text';
import { useMessages } from '../messages/use-messages';

interface FailureProps {
  readonly title: string;
  readonly error: unknown;
  readonly onRetry?: () => void;
  readonly children?: ReactNode;
}

/** Something could not be done: what, why, and what to do next. */
export function Failure({ title, error, onRetry, children }: FailureProps) {
  const messages = useMessages();
  return (
    <div className="notice" role="alert">
      <p>
        <strong>{title}</strong> {errorText(messages, error)}
      </p>
      <div className="actions">
        {onRetry !== undefined && (
          <button type="button" className="button" onClick={onRetry}>
            {messages.app.tryAgain}
          </button>
        )}
        {children}
      </div>
    </div>
  );
}
