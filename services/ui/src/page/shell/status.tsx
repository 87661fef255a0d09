import { createContext, useContext, useEffect, useState, type ReactNode } from 'react';

const StatusContext = createContext<(text: string) => void>(() => undefined);

/** The one polite status of the page: whatever is said through it is read out when nothing else is. */
export function StatusProvider({ children }: { children: ReactNode }) {
  const [text, setText] = useState('');
  return (
    <StatusContext value={setText}>
      {children}
      <p className="visually-hidden" role="status">
        {text}
      </p>
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
