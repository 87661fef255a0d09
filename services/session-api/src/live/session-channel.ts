import type { WebSocket } from 'ws';
import type { EmittedMessage } from '@parley/shared/contracts';
import type { Bus, Listeners, TimedMessage } from './bus';

/** A socket that lets this many bytes wait is closed: it slows nobody else. */
const SLOW_SOCKET_BYTES = 1024 * 1024;

/** With fewer numbers left than this, more are set aside: a turn that is never stored uses some up, too. */
const FEW_NUMBERS = 512;

/** docs/contract.md, Closing: ours, and those of the protocol that we use. */
export const CLOSE = { goingAway: 1001, tooSlow: 1013, sessionNotFound: 4404 } as const;

/** The sockets of one session that hang on this process, and the counter that numbers its messages. */
export class SessionChannel implements Listeners {
  readonly sockets = new Set<WebSocket>();
  /** Grows with every message that tells of a stored change: a joining socket sees by it whether it missed one. */
  changes = 0;
  /** Sockets that are about to join. */
  joining = 0;

  /** The last number that was given to a socket here. */
  seq: number;

  /**
   * @param floor the last number that was given out before, by whomever.
   * @param reserved numbers up to this one are ours: a process that comes after us begins above it.
   * @param runsLow hears that few of them are left, with each number from then on.
   */
  constructor(
    readonly sessionId: string,
    readonly floor: number,
    public reserved: number,
    private readonly now: () => Date,
    private readonly bus: Bus,
    private readonly runsLow: (channel: SessionChannel) => void = () => undefined,
  ) {
    this.seq = bus.isShared ? 0 : floor;
  }

  private timed(message: EmittedMessage): TimedMessage {
    return { ...message, ts: this.now().toISOString() };
  }

  private next(): void {
    this.seq += 1;
    if (this.reserved - this.seq < FEW_NUMBERS) this.runsLow(this);
  }

  private frame({ type, ts, payload }: TimedMessage): string {
    this.next();
    return JSON.stringify({ seq: this.seq, session_id: this.sessionId, type, ts, payload });
  }

  raise(seq: number): void {
    this.seq = Math.max(this.seq, seq);
  }

  /** To all sockets of the session, whichever process they hang on. */
  publish(message: EmittedMessage): void {
    this.bus.publish(this, this.timed(message));
  }

  /** Sends to all sockets of this process; the text is made once. */
  emit(message: TimedMessage): void {
    if (message.type !== 'npc.token') this.changes += 1;
    // Nobody listens: the number is used up all the same.
    if (this.sockets.size === 0) {
      this.next();
      return;
    }
    const frame = this.frame(message);
    for (const socket of this.sockets) sendOrDrop(socket, frame);
  }

  /** Sends to one socket; it takes the next number all the same, and the others see a harmless gap. */
  sendTo(socket: WebSocket, message: EmittedMessage): void {
    sendOrDrop(socket, this.frame(this.timed(message)));
  }

  closeAll(code: number, reason: string): void {
    for (const socket of this.sockets) socket.close(code, reason);
  }
}

function sendOrDrop(socket: WebSocket, frame: string): void {
  if (socket.readyState !== socket.OPEN) return;
  socket.send(frame);
  if (socket.bufferedAmount <= SLOW_SOCKET_BYTES) return;
  // Nothing more is put in its way. The close frame waits behind what was not read: a reader that wakes up learns why it
  // was let go, and one that never does is cut off by the close timer of the WebSocket.
  socket.close(CLOSE.tooSlow, 'too slow');
}
