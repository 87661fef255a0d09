import { ROUTES } from '@parley/shared/contracts';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '@parley/shared/testing';
import { ANSWERS_KEPT_MS, KeptAnswers, memoryShelf, type RepeatableCall } from './kept-answers';
import type { Answer } from './send-answer';

const call = (overrides: Partial<RepeatableCall> = {}): RepeatableCall => ({
  route: ROUTES.createSession,
  key: 'key-0001',
  request: { scenario_id: 'a' },
  ...overrides,
});

describe('answers that are kept under an Idempotency-Key', () => {
  let runs = 0;
  const run = (): Promise<Answer> => {
    runs += 1;
    return Promise.resolve({ body: { run: runs }, headers: { Location: `/${runs}` } });
  };
  beforeEach(() => {
    runs = 0;
  });

  it('answer a repeat with status, headers and body of the first, without running it again', async () => {
    const answers = new KeptAnswers(memoryShelf());
    const first = await answers.once(call(), run);
    expect(first).toEqual({ body: { run: 1 }, headers: { Location: '/1' } });
    expect(await answers.once(call(), run)).toEqual({ ...first, status: 201 });
    expect(runs).toBe(1);
  });

  it('belong to the operation, its path and the key; without a key nothing is kept', async () => {
    const answers = new KeptAnswers(memoryShelf());
    for (const one of [
      call(),
      call({ route: ROUTES.forkSession }),
      call({ route: ROUTES.forkSession, params: { id: 'a' } }),
      call({ route: ROUTES.forkSession, params: { id: 'b' } }),
      call({ key: 'key-0002' }),
      call({ key: undefined }),
      call({ key: undefined }),
    ])
      await answers.once(one, run);
    expect(runs).toBe(7);
  });

  it('are those of another process that was faster with the same request', async () => {
    const shelf = memoryShelf();
    const taken = new Error('there is such a row already');
    const slow = (request: unknown) =>
      new KeptAnswers(shelf).once(call({ request }), async () => {
        await new KeptAnswers(shelf).once(call(), run);
        throw taken;
      });
    expect(await slow({ scenario_id: 'a' })).toEqual({ body: { run: 1 }, headers: { Location: '/1' }, status: 201 });
    expect(await slow({ scenario_id: 'a' })).toMatchObject({ body: { run: 1 } });
    const other = memoryShelf();
    const failing = new KeptAnswers(other).once(call({ key: 'key-0003' }), () => Promise.reject(taken));
    await expect(failing).rejects.toBe(taken);
    const unlike = new KeptAnswers(other).once(call({ request: { scenario_id: 'b' } }), async () => {
      await new KeptAnswers(other).once(call(), run);
      throw taken;
    });
    await expect(unlike).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
  });

  it('refuse another request under the same key, also while the first runs', async () => {
    const answers = new KeptAnswers(memoryShelf());
    const other = call({ request: { scenario_id: 'b' } });
    const first = answers.once(call(), run);
    await expect(answers.once(other, run)).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED', status: 422 });
    await first;
    await expect(answers.once(other, run)).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    expect(runs).toBe(1);
  });

  it('compare files by their bytes', async () => {
    const folder = temporaryFolder('kept-answers');
    const upload = (name: string, bytes: string): RepeatableCall => {
      const at = path.join(folder.path, name);
      writeFileSync(at, bytes);
      return call({ request: {}, upload: { path: at, size: bytes.length, remove: () => Promise.resolve() } });
    };
    const answers = new KeptAnswers(memoryShelf());
    await answers.once(upload('one', 'zip'), run);
    await answers.once(upload('two', 'zip'), run);
    await expect(answers.once(upload('three', 'zap'), run)).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    expect(runs).toBe(1);
    folder.remove();
  });

  it('are joined by a repeat that comes while the first runs', async () => {
    const answers = new KeptAnswers(memoryShelf());
    let finish = (): void => undefined;
    const until = new Promise<void>((resolve) => (finish = resolve));
    const both = [0, 1].map(() =>
      answers.once(call(), async () => {
        await until;
        return run();
      }),
    );
    finish();
    const [one, two] = await Promise.all(both);
    expect(two).toEqual(one);
    expect(runs).toBe(1);
  });

  it('are not made of a failure: it frees the key', async () => {
    const answers = new KeptAnswers(memoryShelf());
    const failing = (): Promise<Answer> => Promise.reject(new Error('no'));
    await expect(answers.once(call(), failing)).rejects.toThrow('no');
    await answers.once(call({ request: { scenario_id: 'b' } }), run);
    expect(runs).toBe(1);
  });

  it('are kept for 24 hours, and in memory no more of them than a bound', async () => {
    let now = Date.parse('2026-03-04T05:06:07.000Z');
    const answers = new KeptAnswers(memoryShelf(2), () => new Date(now));
    await answers.once(call(), run);
    now += ANSWERS_KEPT_MS - 1;
    await answers.once(call(), run);
    expect(runs).toBe(1);
    now += 1;
    await answers.once(call({ request: { scenario_id: 'b' } }), run);
    expect(runs).toBe(2);
    for (const key of ['key-0002', 'key-0003']) await answers.once(call({ key }), run);
    await answers.once(call({ key: 'key-0003' }), run);
    expect(runs).toBe(4);
    await answers.once(call({ request: { scenario_id: 'b' } }), run);
    expect(runs).toBe(5);
  });

  it('that were stored by the operation itself are not stored again', async () => {
    const shelf = memoryShelf();
    const keep = jest.spyOn(shelf, 'keep');
    const answers = new KeptAnswers(shelf);
    await answers.once(call(), async (toKeep) => {
      const answer = await run();
      expect(toKeep(answer)).toMatchObject({ key: 'key-0001', status: 201, body: { run: 1 } });
      return answer;
    });
    expect(keep).not.toHaveBeenCalled();
  });
});
