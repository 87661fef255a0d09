import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below every system's range for outgoing connections: a port of that range may be lent to any client while the process
 * that a test has killed is not back yet, and then it cannot come back.
 */
const LOWEST = 12_000;
const HIGHEST = 30_000;

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

/** Ports that were free a moment ago, all different. For sets of processes that must know each other's ports beforehand. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = randomInt(LOWEST, HIGHEST);
    if (!ports.has(port) && (await isFree(port))) ports.add(port);
  }
  return [...ports];
}
