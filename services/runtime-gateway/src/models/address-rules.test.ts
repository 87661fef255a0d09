import { isInsideAddress, refusalOf } from './address-rules';

const refused = (url: string, first = url): boolean => refusalOf(new URL(url), new URL(first)) !== null;

describe('addresses of models', () => {
  it.each([
    'https://models.example/a.gguf',
    'http://127.0.0.1:9/a.gguf',
    'http://localhost/a.gguf',
    'https://192.168.0.9/a.gguf',
    'http://[::1]:8/a',
  ])('%s may be fetched when the person names it', (url) => expect(refused(url)).toBe(false));

  it.each([
    'http://models.example/a.gguf',
    'ftp://models.example/a',
    'file:///etc/passwd',
    'https://me:pw@models.example/a',
    'http://192.168.0.9/a.gguf',
  ])('%s may not', (url) => expect(refused(url)).toBe(true));

  it.each([
    'https://127.0.0.1/a',
    'https://10.0.0.1/a',
    'https://169.254.169.254/latest',
    'http://localhost/a',
    'https://[fd00::1]/a',
    'https://[::ffff:10.0.0.1]/a',
    'https://[2002:a00:1::]/a',
    'https://[2001:0:a00:1::1]/a',
    'https://[64:ff9b:1::a00:1]/a',
    'https://[::ffff:0:a00:1]/a',
    'https://[fec0::1]/a',
    'https://[::a00:1]/a',
    'https://0x7f.1/a',
    'http://models.example/a',
  ])('a redirect of a public address to %s is refused', (url) =>
    expect(refused(url, 'https://models.example/a.gguf')).toBe(true),
  );

  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.1.1',
    '169.254.1.1',
    '::1',
    'fe80::1',
    'fd12::1',
    '::ffff:10.0.0.1',
    '::ffff:a00:1',
    '::',
    '::10.0.0.1',
    '::7f00:1',
    '::ffff:0:10.0.0.1',
    '64:ff9b::a00:1',
    '64:ff9b:1::a00:1',
    '64:ff9b:1:ffff:ffff:ffff:ffff:ffff',
    '2001:0:a00:1::1',
    '2002:a00:1::',
    '2002:c0a8:101::1',
    'fec0::1',
    'feff::1',
    'fe80::1%eth0',
    '100::1',
    '192.88.99.1',
    '0.0.0.0',
    '100.64.0.1',
    'nonsense',
  ])('%s counts as inside', (address) => expect(isInsideAddress(address)).toBe(true));

  it.each([
    '93.184.216.34',
    '::ffff:93.184.216.34',
    '2606:2800:220:1::1',
    '2001:1::1',
    '2003::1',
    '64:ff9c::1',
    '64:ff9b:2::1',
    '172.32.0.1',
  ])('%s counts as outside', (address) => {
    expect(isInsideAddress(address)).toBe(false);
  });
});
