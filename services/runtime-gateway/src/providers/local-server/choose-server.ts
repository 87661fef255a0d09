import { createHash } from 'node:crypto';

/** What a choice looks at. */
export interface Choosable {
  readonly address: string;
  readonly running: number;
  /** Grows with every chat of the pool: when this server was given its last one. */
  readonly given_at: number;
}

/** So much of the mean may run at one server before others of a talk's order get their turn. */
const BOUND = 1.25;

const weight = (talk: string, address: string): string =>
  createHash('sha256').update(`${talk}\n${address}`).digest('hex');

/**
 * The servers in the order of a talk (rendezvous hashing: each server draws a weight with the talk, the highest comes first). It
 * depends on nothing else: every gateway finds the same, and when a server leaves only its own talks move.
 */
export function inOrderOf<S extends Choosable>(talk: string, servers: readonly S[]): S[] {
  const weights = new Map(servers.map((server) => [server, weight(talk, server.address)]));
  const of = (server: S): string => weights.get(server) ?? '';
  return [...servers].sort((one, other) => (of(one) < of(other) ? 1 : -1));
}

/** The one with the least to do; of several, the one that has rested longest, so that all of them get some. */
function leastLoaded<S extends Choosable>(servers: readonly S[]): S | null {
  const [first] = [...servers].sort(
    (one, other) =>
      one.running - other.running || one.given_at - other.given_at || (one.address < other.address ? -1 : 1),
  );
  return first ?? null;
}

/**
 * Which server gets the next chat: the first in the order of its talk that has not clearly more to do than the others, or, for a
 * chat that belongs to no talk, the one with the least to do. null when there is none.
 */
export function chooseServer<S extends Choosable>(talk: string | null, servers: readonly S[]): S | null {
  if (talk === null) return leastLoaded(servers);
  const running = servers.reduce((sum, server) => sum + server.running, 0);
  const bound = Math.ceil((BOUND * running) / servers.length);
  return inOrderOf(talk, servers).find((server) => server.running <= bound) ?? null;
}
