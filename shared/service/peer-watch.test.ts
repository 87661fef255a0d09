import { createServer, type Server } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { Writable } from 'node:stream';
import type { ServiceName } from '@parley/shared/contracts';
import { identityOf, writeRunRecord, type RunRecord } from '@parley/shared/process-identity';
import { temporaryFolder } from '@parley/shared/testing';
import { createLogger } from './logger';
import { askWhetherAlive, findSupervised, PeerWatch, type Answer } from './peer-watch';

const PEERS: readonly ServiceName[] = ['session_api', 'pack_service'];
const HUNG_AFTER_MS = 30_000;
/** What passes between two looks, and what an answer that does not come takes. */
const PERIOD_MS = 5_000;

/** A machine whose clocks stand still unless told, with two peers that answer as told. */
class Machine {
  monotonic = 1_000_000;
  wall = 1_700_000_000_000;
  readonly answers: Record<string, Answer> = { session_api: 'answered', pack_service: 'answered' };
  readonly pids: Record<string, number> = { session_api: 101, pack_service: 102 };
  readonly ended: number[] = [];
  log = '';
  /** Extra time that passes while an answer is waited for: this process itself is held up. */
  heldUpMs = 0;

  readonly watch = new PeerWatch({
    peers: PEERS,
    find: (peer) =>
      peer === 'session_api' && this.another !== null ? [this.recordOf(peer), this.another] : [this.recordOf(peer)],
    ask: async (port, timeoutMs) => {
      const answer = this.answers[PEERS[port - 1] ?? port] ?? 'away';
      await Promise.resolve();
      if (answer === 'silent') this.pass(timeoutMs + this.heldUpMs);
      return answer;
    },
    end: (record) => {
      this.ended.push(record.pid);
      return true;
    },
    hungAfterMs: HUNG_AFTER_MS,
    monotonic: () => this.monotonic,
    wall: () => this.wall,
    logger: createLogger(
      'ui',
      'info',
      new Writable({ write: (line, _encoding, done) => done(void (this.log += String(line))) }),
    ),
  });

  /** One more process of session_api, which answers at a port of its own. */
  another: RunRecord | null = null;

  private recordOf(peer: ServiceName): RunRecord {
    const pid = this.pids[peer] ?? 0;
    return {
      pid,
      started: `at ${pid}`,
      boot: 'b',
      service: peer,
      port: PEERS.indexOf(peer) + 1,
      supervisor: 'home',
      debugged: false,
    };
  }

  pass(ms: number): void {
    this.monotonic += ms;
    this.wall += ms;
  }

  /** Looks as often as the timer would in so many milliseconds. */
  async run(ms: number): Promise<void> {
    const until = this.monotonic + ms;
    while (this.monotonic < until) {
      this.pass(PERIOD_MS);
      await this.watch.look();
    }
  }
}

describe('PeerWatch', () => {
  let machine: Machine;
  beforeEach(() => {
    machine = new Machine();
  });

  it('leaves alone who answers, and who is not there', async () => {
    await machine.run(600_000);
    machine.answers['session_api'] = 'away';
    await machine.run(600_000);
    expect([machine.ended, machine.log]).toEqual([[], '']);
  });

  it('ends a peer that has been silent for the whole time, once, and says so', async () => {
    machine.answers['session_api'] = 'silent';
    await machine.run(HUNG_AFTER_MS - 10_000);
    expect(machine.ended).toEqual([]);
    await machine.run(25_000);
    expect(machine.ended).toEqual([101]);
    expect(JSON.parse(machine.log)).toMatchObject({ level: 'error', peer: 'session_api', pid: 101 });
  });

  it('counts anew when a peer answers in between, and when another process takes its place', async () => {
    machine.answers['session_api'] = 'silent';
    await machine.run(25_000);
    machine.answers['session_api'] = 'answered';
    await machine.run(5_000);
    machine.answers['session_api'] = 'silent';
    await machine.run(25_000);
    machine.pids['session_api'] = 103;
    await machine.run(25_000);
    expect(machine.ended).toEqual([]);
    await machine.run(20_000);
    expect(machine.ended).toEqual([103]);
  });

  it('concludes nothing from a time in which the machine slept, whichever clock tells of it', async () => {
    for (const sleep of [
      () => (machine.wall += 3_600_000),
      () => machine.pass(3_600_000),
      () => (machine.wall -= 3_600_000),
    ]) {
      machine.answers['session_api'] = 'silent';
      await machine.run(25_000);
      sleep();
      await machine.run(25_000);
      machine.answers['session_api'] = 'answered';
      await machine.run(10_000);
    }
    expect(machine.ended).toEqual([]);
  });

  it('ends one of several processes at a port by itself, and none that answers nowhere alone yet', async () => {
    const another = { pid: 104, started: 'at 104', boot: 'b', service: 'session_api', port: 1, supervisor: 'home' };
    machine.another = { ...another, debugged: false, instance: 1 };
    // At the port of both nobody answers; this one still starts.
    machine.answers['session_api'] = 'silent';
    await machine.run(60_000);
    expect(machine.ended).not.toContain(104);
    machine.answers['session_api'] = 'answered';
    machine.ended.splice(0);
    machine.another = { ...machine.another, own_port: 4_000 };
    machine.answers['4000'] = 'silent';
    await machine.run(60_000);
    expect([...new Set(machine.ended)]).toEqual([104]);
  });

  it('concludes nothing while it is itself held up', async () => {
    machine.answers['session_api'] = 'silent';
    machine.heldUpMs = 4_000;
    await machine.run(600_000);
    expect(machine.ended).toEqual([]);
  });
});

describe('askWhetherAlive', () => {
  const listening = async (server: Server | ReturnType<typeof createTcpServer>): Promise<number> => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  };

  it('tells an answer, a silence and a closed port apart', async () => {
    const carried: unknown[] = [];
    const answering = createServer((request, response) => {
      carried.push(request.headers['x-parley-internal-key']);
      response.end('{}');
    });
    const sockets: Socket[] = [];
    const silent = createTcpServer((socket) => void sockets.push(socket));
    const closed = createServer();
    const port = await listening(closed);
    await new Promise((resolve) => closed.close(resolve));
    const at = await listening(answering);
    for (const key of [null, 'the-key']) expect(await askWhetherAlive(at, 10_000, key)).toBe('answered');
    expect(carried).toEqual([undefined, 'the-key']);
    expect(await askWhetherAlive(await listening(silent), 200, null)).toBe('silent');
    expect(await askWhetherAlive(port, 10_000, null)).toBe('away');
    for (const socket of sockets) socket.destroy();
    await Promise.all([answering, silent].map((server) => new Promise((resolve) => server.close(resolve))));
  });
});

describe('findSupervised', () => {
  const details = { service: 'ui', port: 1, supervisor: '/home', debugged: false };

  it('finds only a living process of the same supervisor that no debugger stops', () => {
    const folder = temporaryFolder('peers');
    const find = (supervisor = '/home'): RunRecord[] => findSupervised(folder.path, supervisor, 'ui');
    expect(find()).toEqual([]);
    const remove = writeRunRecord(folder.path, details);
    expect(find()).toEqual([{ ...identityOf(process.pid), ...details }]);
    expect(find('/elsewhere')).toEqual([]);
    writeRunRecord(folder.path, { ...details, debugged: true });
    expect(find()).toEqual([]);
    writeRunRecord(folder.path, { ...details, supervisor: null });
    expect(find()).toEqual([]);
    remove();
    expect(find()).toEqual([]);
    folder.remove();
  });
});
