import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceName } from '@parley/shared/contracts';
import type { ParleySet } from '../set/parley-set';
import { startedSession } from '../set/session-play';
import { TORN_ANYWHERE, sendAndReset, tornCallsOf } from '../set/torn-calls';

/** After so many torn calls the session that they spoil is changed for a new one. */
const CALLS_PER_SESSION = 500;

interface Disturbance {
  run(): Promise<void>;
  stop(): void;
}

const servicesOf = (set: ParleySet): ServiceName[] => [...set.processes.keys()];
const oneOf = <T>(all: readonly T[], random: () => number): T => all[Math.floor(random() * all.length)] as T;

/** Tears down calls of every kind, of every process. */
export class TornCalls implements Disturbance {
  count = 0;
  private stopping = false;

  constructor(
    private readonly set: ParleySet,
    private readonly random: () => number,
  ) {}

  stop(): void {
    this.stopping = true;
  }

  async run(): Promise<void> {
    let session = '';
    while (!this.stopping) {
      if (this.count % CALLS_PER_SESSION === 0)
        session = (await startedSession(this.set).catch(() => null))?.id ?? session;
      this.count += 1;
      const service = oneOf(servicesOf(this.set), this.random);
      const port = this.set.portOf(service);
      const call = oneOf([...TORN_ANYWHERE, ...tornCallsOf(service, session)], this.random);
      // A frozen process may take no more connections: whether one has ended is seen elsewhere.
      await sendAndReset(port, call.bytes(port), this.random()).catch(() => undefined);
      await sleep(5 + this.random() * 20);
    }
  }
}

/** Stops one process after the other, by its own id, for up to five seconds. */
export class Freezes implements Disturbance {
  count = 0;
  private stopping = false;

  constructor(
    private readonly set: ParleySet,
    private readonly random: () => number,
  ) {}

  stop(): void {
    this.stopping = true;
  }

  async run(): Promise<void> {
    while (!this.stopping) {
      await sleep(1_000 + this.random() * 3_000);
      const victim = this.set.processes.get(oneOf(servicesOf(this.set), this.random));
      victim?.kill('SIGSTOP');
      try {
        await sleep(200 + this.random() * 4_800);
      } finally {
        victim?.kill('SIGCONT');
      }
      this.count += 1;
    }
  }
}

/** Sends the body of a call that is refused, a byte at a time, until the connection is cut; then begins again. */
export class SlowCallers implements Disturbance {
  cut = 0;
  private stopping = false;

  constructor(
    private readonly set: ParleySet,
    private readonly random: () => number,
  ) {}

  stop(): void {
    this.stopping = true;
  }

  async run(): Promise<void> {
    while (!this.stopping) {
      await this.dribble(this.set.portOf(oneOf(servicesOf(this.set), this.random)));
      this.cut += 1;
      await sleep(100);
    }
  }

  private dribble(port: number): Promise<void> {
    return new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1');
      const more = setInterval(() => (this.stopping ? socket.destroy() : socket.write('x')), 200);
      socket.on('error', () => undefined).resume();
      socket.once('close', () => {
        clearInterval(more);
        resolve();
      });
      socket.write(`POST /api/nothing HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 1000000\r\n\r\n`);
    });
  }
}
