import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { checkedLookup } from './checked-lookup';

const OUTSIDE = '93.184.216.34';

/** Resolves a name `times` times with a resolver that gives these answers one after the other. */
async function resolved(host: string, answers: readonly (readonly string[])[], times = 1, all = true) {
  let asked = 0;
  const lookup = checkedLookup(() => {
    const answer = answers[Math.min(asked, answers.length - 1)] ?? [];
    asked += 1;
    return Promise.resolve(answer.map((address) => ({ address, family: isIP(address) })));
  });
  const given: (string | string[])[] = [];
  for (let time = 0; time < times; time += 1)
    given.push(
      await new Promise((resolve, reject) =>
        lookup(host, { all }, (error, answer) =>
          error !== null
            ? reject(error)
            : resolve(typeof answer === 'string' ? answer : (answer as LookupAddress[]).map(({ address }) => address)),
        ),
      ),
    );
  return { given, asked };
}

describe('checkedLookup', () => {
  it('answers what the first look gave although the name answers otherwise afterwards, and asks no second time', async () => {
    const outcome = await resolved('models.example', [[OUTSIDE], ['127.0.0.1']], 3);
    expect(outcome).toEqual({ given: [[OUTSIDE], [OUTSIDE], [OUTSIDE]], asked: 1 });
  });

  it('refuses a name that led inside at the first look for good', async () => {
    const lookup = checkedLookup(
      (
        (answers) => () =>
          Promise.resolve(answers.shift() ?? [])
      )([[{ address: '10.0.0.1', family: 4 }], [{ address: OUTSIDE, family: 4 }]]),
    );
    for (let time = 0; time < 2; time += 1) {
      const code = await new Promise((resolve) =>
        lookup('models.example', { all: true }, (error) => resolve(error?.code)),
      );
      expect(code).toBe('EINSIDE');
    }
  });

  it('leaves out addresses inside where a name has others too', async () => {
    const { given } = await resolved('models.example', [['10.0.0.1', OUTSIDE, '::1']]);
    expect(given).toEqual([[OUTSIDE]]);
  });

  it('gives a single address to a caller who wants one', async () => {
    expect((await resolved('models.example', [[OUTSIDE, '93.184.216.35']], 1, false)).given).toEqual([OUTSIDE]);
  });

  it.each([
    ['models.example', '192.168.1.1'],
    ['models.example', '::ffff:a00:1'],
    ['localhost', '10.0.0.1'],
    ['localhost', OUTSIDE],
    ['LOCALHOST', '192.168.1.1'],
  ])('does not take %s for %s', async (host, address) => {
    await expect(resolved(host, [[address]])).rejects.toMatchObject({ code: 'EINSIDE' });
  });

  it.each(['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1'])('takes localhost for %s', async (address) => {
    expect((await resolved('localhost', [[address]])).given).toEqual([[address]]);
  });
});
