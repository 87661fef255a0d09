import { useEffect, useState } from 'react';
import { useMessages } from '../messages/use-messages';
import { useStatus } from './status';

/** Shown only when something takes long enough to wonder about. */
const DELAY_MS = 250;

export function Loading({ text }: { text?: string }) {
  const { app } = useMessages();
  const [late, setLate] = useState(false);
  const words = text ?? app.loading;
  useStatus(late ? words : '');
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return <div className="page muted">{late && <p>{words}</p>}</div>;
}
