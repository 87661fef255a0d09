import { apiAddress } from '../client/api-address';

/** Address of a session's socket. Nothing is asked to be replayed: the page fetches transcript and events itself. */
export function socketAddress(sessionId: string): string {
  return `${apiAddress().socket}/ws/session/${encodeURIComponent(sessionId)}`;
}
