import { useRef, useState } from 'react';
import type { CoachAnswer } from '@parley/shared/contracts';
import { callApi } from '../client/call-api';
import { errorText } from '../messages/error-text';
import { useMessages } from '../messages/use-messages';
import { useSay } from '../shell/status';

interface Coach {
  /** What the line as it stands would meet and lack; null until it is asked for and after it was changed. */
  readonly answer: CoachAnswer | null;
  /** Why it cannot be told; empty when it can. */
  readonly trouble: string;
  readonly check: () => void;
}

/** Asks what a line would meet and lack before it is said. Nothing of it is stored. */
export function useCoach(sessionId: string, line: string): Coach {
  const messages = useMessages();
  const say = useSay();
  const asking = useRef<AbortController | null>(null);
  const [last, setLast] = useState<{ line: string; answer: CoachAnswer | null; trouble: string } | null>(null);
  const tell = (answer: CoachAnswer | null, trouble: string): void => {
    const { coaching: words } = messages;
    setLast({ line, answer, trouble });
    const told = [
      ...(answer?.met ?? []).map(({ text }) => `${words.meets}: ${text}`),
      ...(answer?.nudges ?? []).map(({ text }) => `${words.lacks}: ${text}`),
    ];
    say(trouble || told.join('. ') || words.nothing);
  };
  const check = () => {
    // Only the line that was asked about last is told of.
    asking.current?.abort();
    if (line === '') return tell(null, messages.stage.nothingToSay);
    const own = new AbortController();
    asking.current = own;
    callApi('coachLine', { params: { id: sessionId }, body: { text: line } }, own.signal).then(
      (answer) => own.signal.aborted || tell(answer, ''),
      (thrown: unknown) => own.signal.aborted || tell(null, errorText(messages, thrown)),
    );
  };
  const isCurrent = last?.line === line;
  return { answer: isCurrent ? last.answer : null, trouble: isCurrent ? last.trouble : '', check };
}
