import { contentPolicy } from './content-policy';

const directives = (host: string) =>
  new Map(
    contentPolicy(host, 7355)
      .split('; ')
      .map((one) => [one.slice(0, one.indexOf(' ')), one.slice(one.indexOf(' ') + 1)]),
  );

describe('contentPolicy', () => {
  it('lets the page connect to the API of the host that it was asked for, and to nothing else', () => {
    expect(directives('localhost:7354').get('connect-src')).toBe('http://localhost:7355 ws://localhost:7355');
    expect(directives('127.0.0.1:7354').get('img-src')).toBe("'self' data: http://127.0.0.1:7355");
  });

  it('lets the page connect to its own origin alone when the API is there', () => {
    const policy = contentPolicy('talks.example', null);
    expect(policy).toContain("connect-src 'self' wss://talks.example;");
    expect(policy).toContain("img-src 'self' data:;");
    expect(policy).not.toMatch(/ws:|http/);
  });

  it('names 127.0.0.1 for an IPv6 host, which a policy cannot name', () => {
    expect(directives('[::1]:7354').get('connect-src')).toBe('http://127.0.0.1:7355 ws://127.0.0.1:7355');
  });

  it('allows nothing inline, nothing evaluated and no frame around the page', () => {
    const policy = directives('localhost:7354');
    expect(policy.get('default-src')).toBe("'none'");
    expect(policy.get('script-src')).toBe("'self'");
    expect(policy.get('style-src')).toBe("'self'");
    expect(policy.get('font-src')).toBe("'self'");
    expect(policy.get('frame-ancestors')).toBe("'none'");
    expect(contentPolicy('localhost:7354', 7355)).not.toMatch(/unsafe|\*/);
  });
});
