import { WebSocket } from 'ws';
import { SocketMessage, socketPath, type MessageType } from '@parley/shared/contracts';
import { waitUntil } from './wait-until';

/** A WebSocket that keeps every message it got, each checked against its contract. */
export interface SocketRecorder {
  readonly messages: SocketMessage[];
  /** Code with which it was closed; null while it is open. */
  readonly closeCode: () => number | null;
  types(): MessageType[];
  /** Waits until a message of this type is there, after the first `after` messages. */
  next(type: MessageType, after?: number): Promise<SocketMessage>;
  closed(): Promise<number>;
  close(): void;
  readonly socket: WebSocket;
}

/** @param baseUrl http address of session-api. */
export async function recordSocket(
  baseUrl: string,
  sessionId: string,
  options: { query?: string; headers?: Record<string, string> } = {},
): Promise<SocketRecorder> {
  const url = `${baseUrl.replace(/^http/, 'ws')}${socketPath(sessionId)}${options.query ?? ''}`;
  const socket = new WebSocket(url, { headers: options.headers ?? {} });
  const messages: SocketMessage[] = [];
  let code: number | null = null;
  socket.on('message', (data) => messages.push(SocketMessage.parse(JSON.parse(String(data)))));
  socket.on('close', (closeCode) => {
    code = closeCode;
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  return {
    messages,
    socket,
    closeCode: () => code,
    types: () => messages.map((message) => message.type),
    next: (type, after = 0) =>
      waitUntil(`a ${type} message`, () => messages.slice(after).find((one) => one.type === type)),
    closed: () => waitUntil('the socket to close', () => code),
    close: () => socket.close(),
  };
}
