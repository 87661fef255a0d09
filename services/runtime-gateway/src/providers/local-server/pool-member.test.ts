import { createLogger } from '@parley/shared/service';
import type { RuntimeStatus } from '@parley/shared/contracts';
import type { LocalServer } from './local-server';
import { PoolMember } from './pool-member';

describe('a server of a pool', () => {
  let status: RuntimeStatus;
  let asked: number;
  let log: { level: string; server?: string; reason?: string }[];
  let member: PoolMember;
  beforeEach(() => {
    jest.useFakeTimers();
    status = 'READY';
    asked = 0;
    log = [];
    const server = {
      health: () => {
        asked += 1;
        return Promise.resolve({ status });
      },
      close: () => Promise.resolve(),
    } as unknown as LocalServer;
    const logger = createLogger('runtime_gateway', 'info', {
      write: (line: string) => void log.push(JSON.parse(line) as (typeof log)[number]),
    });
    member = new PoolMember('http://a:7356', server, logger);
  });
  afterEach(() => jest.useRealTimers());

  it('is left out at once, asked every second, and taken back when it is well: one line of the log for each', async () => {
    status = 'UNAVAILABLE';
    member.leaveOut('RUNTIME_UNAVAILABLE');
    member.leaveOut('RUNTIME_UNAVAILABLE');
    expect(member.is_well).toBe(false);
    await jest.advanceTimersByTimeAsync(3_000);
    expect([asked, member.is_well]).toEqual([3, false]);
    status = 'READY';
    await jest.advanceTimersByTimeAsync(1_000);
    expect([asked, member.is_well, jest.getTimerCount()]).toEqual([4, true, 0]);
    expect(log).toMatchObject([
      { level: 'warn', server: 'http://a:7356', reason: 'RUNTIME_UNAVAILABLE' },
      { level: 'info', server: 'http://a:7356' },
    ]);
  });

  it('is asked anew for its health while it is well, and answers what was found last while it is left out', async () => {
    await member.health();
    status = 'STARTING';
    expect((await member.health()).status).toBe('STARTING');
    expect([asked, member.is_well]).toEqual([2, false]);
    expect((await member.health()).status).toBe('STARTING');
    expect(asked).toBe(2);
  });

  it('is asked for its health when a chat has found it ill since the last look', async () => {
    expect((await member.health()).status).toBe('READY');
    status = 'UNAVAILABLE';
    member.leaveOut('RUNTIME_UNAVAILABLE');
    expect((await member.health()).status).toBe('UNAVAILABLE');
  });

  it('is not asked any more once it is closed, whatever was under way', async () => {
    status = 'UNAVAILABLE';
    member.leaveOut('RUNTIME_UNAVAILABLE');
    const looking = member.look();
    await member.close();
    await looking;
    member.leaveOut('RUNTIME_UNAVAILABLE');
    expect(jest.getTimerCount()).toBe(0);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(asked).toBe(1);
  });
});
