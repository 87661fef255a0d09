import { sharedSecrets } from './shared-secrets';

const KEY = 'a key of a set that nobody else knows';

describe('what the processes of a set share', () => {
  it('is the same for all with the key, and another for every other set', () => {
    const [one, same, other] = [sharedSecrets(KEY), sharedSecrets(KEY), sharedSecrets(`${KEY}!`)];
    expect([one.name, one.digestKey]).toEqual([same.name, same.digestKey]);
    expect(one.name).not.toBe(other.name);
    expect(one.digestKey.equals(other.digestKey)).toBe(false);
    expect(same.open('talk', one.seal('talk', 'Grüße, 你好'))).toBe('Grüße, 你好');
    expect(other.open('talk', one.seal('talk', 'words'))).toBeNull();
  });

  it('shows nothing of the key or the words, and never the same twice', () => {
    const secrets = sharedSecrets(KEY);
    const sealed = [secrets.seal('talk', 'words'), secrets.seal('talk', 'words')];
    expect(sealed[0]?.equals(sealed[1] ?? Buffer.of())).toBe(false);
    for (const one of sealed) expect(one.toString('latin1')).not.toContain('words');
    expect(secrets.name).not.toContain(KEY);
    expect(secrets.name).toMatch(/^parley:[0-9a-f]{12}$/);
  });

  it('is opened for its own place only, and not when a bit was changed or a piece is missing', () => {
    const secrets = sharedSecrets(KEY);
    const sealed = secrets.seal('one talk', 'words');
    expect(secrets.open('another talk', sealed)).toBeNull();
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(secrets.open('one talk', changed)).toBeNull();
      expect(secrets.open('one talk', sealed.subarray(0, at))).toBeNull();
    }
  });
});
