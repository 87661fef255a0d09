import type { SocketMessage } from '@parley/shared/contracts';

export interface LiveSocketOptions {
  /** The whole address, ws:// and path. */
  readonly url: string;
  readonly onMessage: (message: SocketMessage) => void;
  /** `again` is false the first time: whoever listens then fetches what was missed. */
  readonly onUp: (again: boolean) => void;
  readonly onDown: () => void;
  /** Messages were missed: fetch the state. */
  readonly onGap: () => void;
  /** The session does not exist any more; the socket does not come back. */
  readonly onGone: () => void;
  readonly connect?: (url: string) => WebSocket;
  readonly random?: () => number;
}

export interface LiveSocket {
  close(): void;
}

const FIRST_WAIT_MS = 400;
const LONGEST_WAIT_MS = 10_000;
const UNKNOWN_SESSION = 4404;
/** A page that was hidden for longer may have slept through messages without its socket noticing. */
const LONG_HIDDEN_MS = 20_000;

/**
 * Keeps one session's socket open: reconnects with growing, scattered waits (at once when the network or the page comes
 * back), watches `seq` for gaps, and lets unknown message types pass unread.
 */
export function openLiveSocket(options: LiveSocketOptions): LiveSocket {
  const { url, connect = (address) => new WebSocket(address), random = Math.random } = options;
  let socket: WebSocket | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let wasUp = false;
  let lastSeq: number | null = null;
  let hiddenSince: number | null = null;
  let closed = false;

  const receive = (data: unknown): void => {
    const message = parseMessage(data);
    if (message === null) return;
    if (lastSeq !== null && message.seq > lastSeq + 1) options.onGap();
    lastSeq = message.seq;
    options.onMessage(message);
  };

  const open = (): void => {
    clearTimeout(timer);
    const mine = connect(url);
    socket = mine;
    mine.onopen = () => {
      failures = 0;
      options.onUp(wasUp);
      wasUp = true;
    };
    mine.onmessage = (event: MessageEvent) => receive(event.data);
    mine.onclose = (event: CloseEvent) => {
      if (closed || socket !== mine) return;
      socket = null;
      // What is missed from now on is fetched after the reconnect; the next number is no gap.
      lastSeq = null;
      if (event.code === UNKNOWN_SESSION) {
        close();
        options.onGone();
        return;
      }
      options.onDown();
      const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures);
      failures += 1;
      timer = setTimeout(open, wait * (0.5 + random() / 2));
    };
  };

  const comeBack = (): void => {
    if (document.visibilityState === 'hidden') {
      hiddenSince = Date.now();
      return;
    }
    const sleptLong = hiddenSince !== null && Date.now() - hiddenSince > LONG_HIDDEN_MS;
    hiddenSince = null;
    if (socket === null) open();
    else if (sleptLong) options.onGap();
  };

  const close = (): void => {
    closed = true;
    clearTimeout(timer);
    window.removeEventListener('online', comeBack);
    document.removeEventListener('visibilitychange', comeBack);
    socket?.close();
    socket = null;
  };

  window.addEventListener('online', comeBack);
  document.addEventListener('visibilitychange', comeBack);
  open();
  return { close };
}

function parseMessage(data: unknown): SocketMessage | null {
  if (typeof data !== 'string') return null;
  try {
    const value: unknown = JSON.parse(data);
    const known =
      typeof value === 'object' &&
      value !== null &&
      'seq' in value &&
      typeof value.seq === 'number' &&
      'type' in value &&
      typeof value.type === 'string' &&
      'payload' in value &&
      typeof value.payload === 'object' &&
      value.payload !== null;
    return known ? (value as unknown as SocketMessage) : null;
  } catch {
    return null;
  }
}
