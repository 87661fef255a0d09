import { useCallback, useEffect, useRef, useState } from 'react';
import type { Drill } from '@parley/shared/contracts';
import { callApi } from '../client/call-api';
import { useMessages } from '../messages/use-messages';
import { useSay } from '../shell/status';
import { hearReply } from './hear-reply';
import { countMet, MAX_TRIES, triedBefore, type TriedLine } from './tried-lines';

interface TriesOf {
  readonly sessionId: string;
  readonly turn: number;
  readonly npcName: string;
  /** Tries of earlier visits. */
  readonly drills: readonly Drill[];
  /** Whether a model plays that can answer. */
  readonly canReply: boolean;
}

interface Tries {
  readonly tries: readonly TriedLine[];
  readonly left: number;
  /** Whether a line is being judged. */
  readonly isTrying: boolean;
  /** What the character says just now, as far as it is heard; null while it is silent. */
  readonly heard: string | null;
  readonly error: unknown;
  /** Why the last line has no answer though a model plays. */
  readonly replyError: unknown;
  /** Resolves to whether the line was judged. */
  readonly tryLine: (text: string) => Promise<boolean>;
  readonly askAgain: () => void;
}

/** The tries of one moment: the checks of a line at once, then, with a model, how the character would have answered. */
export function useTries({ sessionId, turn, npcName, drills, canReply }: TriesOf): Tries {
  const { moment: words } = useMessages();
  const say = useSay();
  const [tries, setTries] = useState(() => drills.map(triedBefore));
  const [left, setLeft] = useState(MAX_TRIES - drills.length);
  const [isTrying, setTrying] = useState(false);
  const [heard, setHeard] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [replyError, setReplyError] = useState<unknown>(null);
  const asked = useRef<AbortController | null>(null);
  useEffect(() => () => asked.current?.abort(), []);

  const ask = useCallback(
    async (text: string, number: number) => {
      asked.current?.abort();
      const control = new AbortController();
      asked.current = control;
      const { signal } = control;
      setReplyError(null);
      setHeard('');
      try {
        const onHeard = (so: string) => !signal.aborted && setHeard(so);
        const answer = await hearReply({ sessionId, turn, text, signal, onHeard });
        if (signal.aborted || answer.npc_text === null) return;
        const reply = { text: answer.npc_text, emotion: answer.npc_emotion };
        setTries((all) => all.map((one) => (one.number === number ? { ...one, reply } : one)));
        say(words.replied(npcName, reply.text));
      } catch (thrown) {
        if (!signal.aborted) setReplyError(thrown);
      } finally {
        if (!signal.aborted) setHeard(null);
      }
    },
    [sessionId, turn, npcName, say, words],
  );

  const tryLine = async (text: string): Promise<boolean> => {
    setTrying(true);
    setError(null);
    setReplyError(null);
    try {
      const params = { id: sessionId, turn: String(turn) };
      const { checks, next, tries_left: triesLeft } = await callApi('tryMoment', { params, body: { text } });
      const number = MAX_TRIES - triesLeft;
      setTries((all) => [...all, { number, text, checks, next, reply: null }]);
      setLeft(triesLeft);
      const { met, of } = countMet(checks);
      say(words.tried(number, met, of, next));
      if (canReply) void ask(text, number);
      return true;
    } catch (thrown) {
      setError(thrown);
      return false;
    } finally {
      setTrying(false);
    }
  };
  const askAgain = () => {
    const last = tries.at(-1);
    if (last?.text != null) void ask(last.text, last.number);
  };
  return { tries, left, isTrying, heard, error, replyError, tryLine, askAgain };
}
