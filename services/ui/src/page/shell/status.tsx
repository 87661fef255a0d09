import { createContext, useCallback, useContext, useEffect, useState, type ReactNode } from 'react';

const StatusContext = createContext<(text: string) => void>(() => undefined);

/** Follows a text that is said twice in a row: without a difference nobody would read it out again. */
const AGAIN = '\u00a0';

/** The one polite status of the page: whatever is said through it is read out when nothing else is. */
export function StatusProvider({ children }: { children: ReactNode }) {
  const [text, setText] = useState('');
  const say = useCallback(
    (next: string) => setText((last) => (next !== '' && last === next ? next + AGAIN : next)),
    [],
  );
  return (
    <StatusContext value={say}>
      {/* Before everything else: an invisible line below a page as tall as the window would give it a scroll bar. */}
      <p className="visually-hidden status" role="status">
        {text}
      </p>
      {children}
    </StatusContext>
  );
}

export const useSay = (): ((text: string) => void) => useContext(StatusContext);

/** Says the text whenever it changes; an empty text is silence. */
export function useStatus(text: string): void {
  const say = useSay();
  useEffect(() => {
    say(text);
    return () => say('');
  }, [say, text]);
}
