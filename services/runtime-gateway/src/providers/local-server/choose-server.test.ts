import { chooseServer, inOrderOf, type Choosable } from './choose-server';

const server = (name: string, running = 0, given_at = 0): Choosable => ({
  address: `http://${name}:7356`,
  running,
  given_at,
});
const ABC = ['a', 'b', 'c'].map((name) => server(name));
const TALKS = Array.from({ length: 300 }, (_, at) => `talk-${at}`);
const firstOf = (talk: string, servers: readonly Choosable[]): string | undefined =>
  inOrderOf(talk, servers)[0]?.address;

describe('the order of a talk', () => {
  it('is the same whatever the order of the list', () => {
    for (const talk of TALKS) expect(inOrderOf(talk, [...ABC].reverse())).toEqual(inOrderOf(talk, ABC));
  });

  it('gives each server about its share of the talks', () => {
    for (const { address } of ABC) {
      const share = TALKS.filter((talk) => firstOf(talk, ABC) === address).length / TALKS.length;
      expect(share).toBeGreaterThan(0.25);
      expect(share).toBeLessThan(0.42);
    }
  });

  it('moves only the talks of a server that leaves, to several others, and brings the same ones back', () => {
    const [gone] = ABC;
    const left = ABC.filter((one) => one !== gone);
    const moved = TALKS.filter((talk) => firstOf(talk, ABC) !== firstOf(talk, left));
    expect(moved).toEqual(TALKS.filter((talk) => firstOf(talk, ABC) === gone?.address));
    expect(new Set(moved.map((talk) => firstOf(talk, left))).size).toBe(2);
    for (const talk of TALKS) expect(inOrderOf(talk, ABC).filter((one) => one !== gone)).toEqual(inOrderOf(talk, left));
  });
});

describe('the choice of a server', () => {
  const [first, second] = inOrderOf('talk', ABC).map(({ address }) => new URL(address).hostname);
  const with_ = (running: Readonly<Record<string, number>>): Choosable[] =>
    ABC.map(({ address }) => server(new URL(address).hostname, running[new URL(address).hostname] ?? 0));
  const chosen = (talk: string | null, servers: readonly Choosable[]): string =>
    new URL(chooseServer(talk, servers)?.address ?? '').hostname;

  it('is the first of the order while it has no more than its bound', () => {
    expect(chosen('talk', with_({}))).toBe(first);
    // One runs in all: the bound is ceil(1.25 / 3).
    expect(chosen('talk', with_({ [first ?? '']: 1 }))).toBe(first);
  });

  it('passes over a server beyond its bound', () => {
    expect(chosen('talk', with_({ [first ?? '']: 2 }))).toBe(second);
    // 8 run in all: the bound is ceil(1.25 × 8 / 3) = 4.
    expect(chosen('talk', with_({ [first ?? '']: 4, [second ?? '']: 4 }))).toBe(first);
    expect(chosen('talk', with_({ [first ?? '']: 5, [second ?? '']: 3 }))).toBe(second);
  });

  it('finds one under every load', () => {
    for (let at = 0; at < 200; at += 1) {
      const running = { a: at % 7, b: (at * 5) % 11, c: (at * 3) % 13 };
      expect(chooseServer(`talk-${at}`, with_(running))).not.toBeNull();
    }
    expect(chooseServer('talk', [])).toBeNull();
    expect(chooseServer(null, [])).toBeNull();
  });

  it('is the one with the least to do for a chat of no talk, and of several the one that has rested longest', () => {
    expect(chosen(null, [server('a', 2), server('b', 1), server('c', 3)])).toBe('b');
    expect(chosen(null, [server('a', 1, 9), server('b', 1, 7), server('c', 1, 8)])).toBe('b');
    expect(chosen(null, [server('b'), server('a')])).toBe('a');
  });
});
