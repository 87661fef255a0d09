import type { TryAnswer } from '@parley/shared/contracts';
import { callApi } from '../client/call-api';
import { openLiveSocket } from '../live/live-socket';
import { socketAddress } from '../live/socket-address';

interface ReplyWish {
  readonly sessionId: string;
  readonly turn: number;
  /** The words of the last try. */
  readonly text: string;
  readonly signal: AbortSignal;
  /** Everything that was heard so far. */
  readonly onHeard: (words: string) => void;
}

/**
 * Asks how the character would have answered the last try, and listens on the session's socket meanwhile. A socket that
 * does not open only costs the words as they come.
 * @throws ApiError as tryMoment does.
 */
export async function hearReply({ sessionId, turn, text, signal, onHeard }: ReplyWish): Promise<TryAnswer> {
  let heard = '';
  let ready: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    ready = resolve;
  });
  const socket = openLiveSocket({
    url: socketAddress(sessionId),
    onMessage: (message) => {
      if (message.type !== 'npc.token') return;
      heard += message.payload.text;
      onHeard(heard);
    },
    onUp: ready,
    onDown: ready,
    onGap: () => undefined,
    onGone: ready,
  });
  try {
    await opened;
    const params = { id: sessionId, turn: String(turn) };
    return await callApi('tryMoment', { params, body: { text, reply: true } }, signal);
  } finally {
    socket.close();
  }
}
