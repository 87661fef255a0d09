import type { TurnClaims } from '../live/turn-claims';
import { ownTurnsOnly } from '../live/turn-claims';
import { RunningTurns } from './running-turns';
import { turnInProgress } from './turn-errors';

const call = (text = 'Hello.', key: string | null = 'a-key', sessionId = 'one') => ({ sessionId, key, text });
const transaction = {} as Parameters<TurnClaims['spend']>[0];

describe('turns of a process', () => {
  it('give the same call the same answer, and refuse its key with another text', async () => {
    const turns = new RunningTurns<string>(9, ownTurnsOnly());
    const first = turns.enter(call(), () => Promise.resolve('the answer'));
    expect(turns.enter(call(), () => Promise.reject(new Error('not a second time')))).toBe(first);
    await expect(turns.enter(call('Bye.'), () => Promise.resolve(''))).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
    expect(await first).toBe('the answer');
    expect([turns.count, turns.has('one')]).toEqual([0, false]);
  });

  it('let another call look for its earlier answer while one runs, and take no turn', async () => {
    const turns = new RunningTurns<string>(1, ownTurnsOnly());
    let end = (): void => undefined;
    const running = turns.run(call(), () => new Promise((resolve) => (end = () => resolve('first'))));
    const look = (sessionId: string) =>
      turns.enter(call('Other.', 'other-key', sessionId), () => Promise.resolve('kept'));
    expect([await look('one'), await look('two')]).toEqual(['kept', 'kept']);
    await expect(turns.run(call('Other.', null), () => Promise.resolve('played'))).rejects.toMatchObject({
      code: 'TURN_IN_PROGRESS',
    });
    await expect(turns.run(call('Other.', null, 'two'), () => Promise.resolve('played'))).rejects.toMatchObject({
      code: 'OVERLOADED',
    });
    await new Promise(setImmediate);
    end();
    expect(await running).toBe('first');
  });

  it('are confirmed only while nobody has overtaken them', async () => {
    const turns = new RunningTurns<string>(9, ownTurnsOnly());
    const running = turns.run(call(), async (place) => {
      while (!place.signal.aborted) await new Promise(setImmediate);
      await place.confirm(transaction);
      return 'stored';
    });
    await turns.abort('one');
    await expect(running).rejects.toMatchObject({ code: 'TURN_ABORTED' });
  });

  it('are refused where another process has the session, and end what they have claimed', async () => {
    const told: unknown[] = [];
    let isTaken = false;
    const claims: TurnClaims = {
      ...ownTurnsOnly(),
      take: () => Promise.resolve(isTaken ? turnInProgress() : null),
      spend: () => Promise.resolve(!isTaken),
      release: (...what) => Promise.resolve(void told.push(what)),
    };
    const turns = new RunningTurns<string>(9, claims);
    const store = (): Promise<string> =>
      turns.run(call(), async (place) => {
        await place.confirm(transaction);
        return 'stored';
      });
    expect(await store()).toBe('stored');
    await expect(turns.run(call(), () => Promise.reject(new Error('no model')))).rejects.toThrow('no model');
    const lost = turns.run(call(), async (place) => {
      isTaken = true;
      await place.confirm(transaction);
      return 'never';
    });
    await expect(lost).rejects.toMatchObject({ code: 'TURN_ABORTED' });
    await expect(store()).rejects.toMatchObject({ code: 'TURN_IN_PROGRESS' });
    expect(told).toEqual([
      ['one', true],
      ['one', false],
      ['one', false],
    ]);
  });
});
