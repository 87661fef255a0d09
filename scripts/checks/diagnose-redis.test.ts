import { describeScaled } from '@parley/shared/testing';
import { readProject } from '../set/project.cjs';
import { diagnoseRedis } from './diagnose-redis.cjs';

const look = async (environment: Record<string, string>) => diagnoseRedis({ ...readProject(), environment });
const WHOLE = { SIM_DATABASE_URL: 'postgres://a@127.0.0.1/b', SIM_INTERNAL_KEY: 'k'.repeat(40) };

describeScaled('npm run doctor, of Redis', (servers) => {
  it('says that none is needed, or what is missing beside it', async () => {
    expect(await look({})).toEqual({ status: 'ok', message: 'none, and one session-api needs none' });
    expect(await look({ SIM_REDIS_URL: 'localhost:6379' })).toMatchObject({ status: 'failed' });
    const { SIM_DATABASE_URL } = WHOLE;
    expect((await look({ SIM_REDIS_URL: 'redis://127.0.0.1', SIM_DATABASE_URL })).message).toBe(
      'redis://127.0.0.1 needs SIM_INTERNAL_KEY as well: set it, or take SIM_REDIS_URL out.',
    );
  });

  it('says whether it can be used, and never its password', async () => {
    const { redis } = servers();
    const url = redis.url.replace('//', '//:osprey-secret@');
    expect(await look({ ...WHOLE, SIM_REDIS_URL: redis.url })).toEqual({
      status: 'ok',
      message: expect.stringMatching(/^redis:\/\/127\.0\.0\.1:\d+ answers, Redis \S+, and writes nothing to a disk$/),
    });
    await redis.kill();
    const gone = await look({ ...WHOLE, SIM_REDIS_URL: url });
    expect([gone.status, gone.message]).toEqual(['failed', expect.stringContaining('cannot be used (ECONNREFUSED)')]);
    expect(gone.message).not.toContain('osprey-secret');
    await redis.start({ save: '60 1', appendonly: 'no' });
    expect(await look({ ...WHOLE, SIM_REDIS_URL: redis.url })).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('writes what it holds to a disk') as string,
    });
  });
});
