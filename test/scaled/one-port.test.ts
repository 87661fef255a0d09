import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import type { Diagnostics, Session, Transcript, TurnAnswer } from '@parley/shared/contracts';
import { identityOf } from '@parley/shared/process-identity';
import { describeScaled, waitUntil } from '@parley/shared/testing';
import { inconsistencies } from '../set/consistency';
import { INSTANCES, OnePortSet, type Answer } from './one-port-set';

/** Each test ends real processes under PM2 and waits for others in their place, perhaps on a busy machine. */
jest.setTimeout(240_000);

const of = (id: string, operation = ''): string => `/api/sessions/${id}${operation}`;
const lives = (pid: number): boolean => identityOf(pid) !== null;

describeScaled('SIM_API_INSTANCES=2: two session-apis behind one port, under PM2', (servers) => {
  let set: OnePortSet;
  beforeAll(async () => {
    // Long enough for a busy machine not to be taken for a hung process, short enough to wait for.
    set = await OnePortSet.forNewSet(servers(), { SIM_HUNG_AFTER_SECONDS: '15' });
    const { code, stderr } = await set.commands.start();
    expect([code, stderr]).toEqual([0, expect.stringContaining('session-api 2 times')]);
  });
  afterAll(() => set.commands.end());

  const pidsNow = async (): Promise<number[]> => (await set.statuses()).map(({ pid }) => Number(pid));
  /** How many turns each of them has answered, as /metrics tells at the port of all. */
  const turnsOfEach = async (): Promise<Record<string, number>> => {
    const text = await set.ask<string>('GET', '/metrics');
    const samples = text.matchAll(/^parley_turn_duration_seconds_count\{.*process="(\d)",outcome="stored"\} (\d+)$/gm);
    return Object.fromEntries([...samples].map(([, process = '', count]) => [process, Number(count)]));
  };
  const insist = async (id: string, text: string, key: string): Promise<Answer<TurnAnswer>> =>
    waitUntil(
      'an answer to the turn',
      async () => {
        const answer = await set.call<TurnAnswer & { code?: string }>('POST', of(id, '/turn'), { text }, { key });
        return answer.status === 200 ? answer : null;
      },
      { timeoutMs: 60_000 },
    );

  it('start together, are told apart by status, doctor, health check and Diagnostics, and answer at that port both', async () => {
    const both = await set.statuses();
    expect(both.map(({ instance, ready, port }) => [instance, ready, port])).toEqual(
      [0, 1].map((instance) => [instance, true, set.commands.ports.SIM_API_PORT]),
    );
    const pids = await pidsNow();
    const answered = new Set<number>();
    await waitUntil('an answer of each at the port of both', async () => {
      answered.add((await set.ask<{ pid: number }>('GET', '/readyz')).pid);
      return answered.size === INSTANCES;
    });
    expect([...answered].sort()).toEqual([...pids].sort());
    for (const [at, pid] of pids.entries())
      expect(await set.ask('GET', '/readyz', undefined, set.urlOf(at))).toMatchObject({ pid });
    expect((await set.commands.run(['scripts/doctor.cjs'])).stdout).toContain('processes: 6 run, and none hangs');
    expect((await set.commands.run(['scripts/ready.cjs'])).code).toBe(0);
    const { stdout: table } = await set.commands.run(['scripts/status.cjs']);
    expect(table.match(/^session-api-\d/gm)).toEqual(['session-api-0', 'session-api-1']);
    const again = await set.commands.start();
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('running already')]);
    expect(await pidsNow()).toEqual(pids);
    const { processes } = await set.ask<Diagnostics>('GET', '/api/diag');
    expect(processes.slice(0, 2).map(({ name, pid, status }) => [name, pid, status])).toEqual(
      pids.map((pid, at) => [`session_api-${at}`, pid, 'ok']),
    );
  });

  it('write a log each, which npm run logs shows together', async () => {
    const logs = readdirSync(path.join(set.commands.dataDir, 'logs')).filter((file) => file.startsWith('session-api'));
    expect(logs.sort()).toEqual(['session-api-0.1.log', 'session-api-1.1.log']);
    const { stdout } = await set.commands.run(['scripts/logs.cjs', 'session-api', '--no-follow', '--json']);
    const lines = stdout.trim().split('\n');
    const told = lines.map((line) => (JSON.parse(line) as { instance: number }).instance);
    expect([...new Set(told)].sort()).toEqual([0, 1]);
    expect(readdirSync(path.join(set.commands.dataDir, 'supervisor', 'logs'))).toEqual([]);
  });

  it('play a talk between them, which a socket hears whole at each of them', async () => {
    const id = await set.started();
    const heard = [await set.socket(id, 0), await set.socket(id, 1)];
    let turns = 0;
    await waitUntil('a turn of each', async () => {
      turns += 1;
      await set.ask('POST', of(id, '/turn'), { text: `I would like to talk about my pay, point ${turns}.` });
      return Object.values(await turnsOfEach()).filter((count) => count > 0).length === INSTANCES;
    });
    expect(Object.values(await turnsOfEach()).reduce((sum, count) => sum + count, 0)).toBe(turns);
    expect(await set.ask<string>('GET', '/metrics', undefined, set.urlOf(1))).not.toContain('process="0"');
    for (const socket of heard) {
      await waitUntil('all replies', () => socket.types().filter((type) => type === 'npc.final').length === turns);
      expect(socket.types().filter((type) => type === 'npc.token').length).toBeGreaterThan(turns);
    }
    const { turns: stored } = await set.ask<Transcript>('GET', of(id, '/transcript'));
    expect(stored).toHaveLength(2 * turns + 1);
    for (const socket of heard) socket.close();
  });

  it('go on when one is killed in the middle of a turn: the other answers, nothing is lost, and it is back', async () => {
    const before = await pidsNow();
    const [killed = 0, other] = before;
    const id = await set.started();
    const heard = await set.socket(id, 1);
    const url = set.urlOf(0);
    const broken = set
      .call('POST', of(id, '/turn'), { text: 'The turn that breaks off.' }, { url, key: 'breaks-off' })
      .then(
        ({ status }) => status,
        () => 'broken off',
      );
    await heard.next('npc.token');
    process.kill(killed, 'SIGKILL');
    expect(await broken).toBe('broken off');
    // Whoever asks now is answered: the port is not that process's.
    expect((await set.ask<{ pid: number }>('GET', '/readyz')).pid).not.toBe(killed);
    await insist(id, 'The turn that breaks off.', 'breaks-off');
    const after = await set.bothWithout([killed]);
    expect(after.map(({ instance, pid, restarts }) => [instance, pid === other, restarts])).toEqual([
      [0, false, 1],
      [1, true, 0],
    ]);
    const { turns } = await set.ask<Transcript>('GET', of(id, '/transcript'), undefined, set.urlOf(0));
    expect(turns).toHaveLength(3);
    expect(inconsistencies(await set.ask('GET', of(id, '/export?format=json')))).toEqual([]);
    heard.close();
  });

  it('leave every new call to the other while one hangs, which is found by itself and ended alone', async () => {
    const before = await pidsNow();
    const [other, hung = 0] = before;
    process.kill(hung, 'SIGSTOP');
    for (let call = 0; call < 20; call += 1)
      expect(await set.ask<{ pid: number }>('GET', '/readyz')).toMatchObject({ pid: other });
    const [, status] = await set.statuses();
    expect([status?.instance, status?.ready, status?.hung]).toEqual([1, false, true]);
    const after = await set.bothWithout([hung]);
    expect([after[0]?.pid, lives(hung)]).toEqual([other, false]);
  });

  it('are replaced one after the other by pm2 reload, in the middle of talks, and no turn is lost', async () => {
    const before = await pidsNow();
    const ids = await Promise.all([0, 1, 2].map(() => set.started()));
    const heard = await Promise.all(ids.map((id, at) => set.socket(id, at % INSTANCES)));
    let reloaded = false;
    const told = new Map<string, string[]>();
    const playing = ids.map(async (id) => {
      const replies: string[] = [];
      told.set(id, replies);
      for (let turn = 1; !reloaded || turn <= 3; turn += 1) {
        const session = await set.ask<Session>('GET', of(id));
        if (session.flow_state !== 'PlayerTurnListening') break;
        const { body } = await insist(id, `And what about point ${turn}?`, `reload-${id}-${turn}`);
        replies.push(body.npc_turn.text ?? '');
      }
    });
    const { code } = await set.pm2(['reload', 'session-api', '--silent']);
    const after = await set.bothWithout(before);
    reloaded = true;
    await Promise.all(playing);
    expect([code, after.map(({ instance }) => instance)]).toEqual([0, [0, 1]]);
    for (const socket of heard) expect(await socket.closed()).toBe(1001);
    expect(before.filter(lives)).toEqual([]);
    for (const id of ids) {
      const { turns } = await set.ask<Transcript>('GET', of(id, '/transcript'));
      const said = turns.filter(({ role }) => role === 'npc').slice(1);
      expect(said.map(({ text }) => text)).toEqual(told.get(id));
      expect(inconsistencies(await set.ask('GET', of(id, '/export?format=json')))).toEqual([]);
    }
  });

  it('stop in order when the supervisor is killed, and start again', async () => {
    const before = await pidsNow();
    process.kill(Number(readFileSync(path.join(set.commands.dataDir, 'supervisor', 'pm2.pid'), 'utf8')), 'SIGKILL');
    await waitUntil('the end of both', () => !before.some(lives));
    for (const at of [0, 1]) expect(set.logOf(at).at(-1)).toMatchObject({ msg: 'stopping', reason: 'supervisor gone' });
    expect((await set.commands.start()).code).toBe(0);
    expect((await set.commands.status()).code).toBe(0);
  });

  it('are all ended by npm stop, which leaves no process, no port and no record', async () => {
    const pids = await pidsNow();
    expect((await set.commands.stop()).code).toBe(0);
    expect(pids.filter(lives)).toEqual([]);
    expect(await set.commands.answeringPorts()).toEqual([]);
    expect(readdirSync(path.join(set.commands.dataDir, 'run'))).toEqual([]);
  });

  it('say in one line why none of them starts, and stay down', async () => {
    const { code, stderr } = await set.commands.start({ SIM_MAX_CONCURRENT_TURNS: 'many' });
    const said = stderr.split('\n').filter((line) => line !== '' && !line.endsWith('…'));
    expect([code, said]).toEqual([1, [expect.stringMatching(/^SIM_MAX_CONCURRENT_TURNS="many" cannot be used: /)]]);
    expect(await set.commands.answeringPorts()).toEqual([]);
  });

  it('say that another program has the port, and are left alone by PM2', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(set.commands.ports.SIM_API_PORT, '127.0.0.1', resolve));
    try {
      await set.pm2(['start', 'ecosystem.config.js', '--only', 'session-api', '--silent']);
      for (const at of [0, 1]) {
        expect(set.logOf(at).at(-1)).toMatchObject({
          msg: 'cannot start',
          err: { type: 'PortTakenError' },
        });
      }
      expect((await set.statuses()).map(({ status, restarts }) => [status, restarts])).toEqual([
        ['stopped', 0],
        ['stopped', 0],
      ]);
    } finally {
      await set.pm2(['kill']);
      await new Promise((resolve) => other.close(resolve));
    }
  });

  it('say in their logs that a bare PM2 hands out their connections in turn, and nothing of it otherwise', async () => {
    const warnings = (): number[] => [0, 1].map((at) => set.logOf(at).filter(({ msg }) => /in turn/.test(msg)).length);
    expect(warnings()).toEqual([0, 0]);
    try {
      const bare = { NODE_CLUSTER_SCHED_POLICY: '' };
      await set.pm2(['start', 'ecosystem.config.js', '--only', 'session-api', '--silent'], bare);
      expect((await set.statuses()).map(({ ready }) => ready)).toEqual([true, true]);
      expect(warnings()).toEqual([1, 1]);
    } finally {
      await set.pm2(['kill']);
    }
  });
});
