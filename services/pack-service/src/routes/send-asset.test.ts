import { minimalPack, PNG } from '@parley/shared/testing';
import { packServiceFixture } from '../../testing/pack-service-fixture';

describe('assets of packs', () => {
  const set = packServiceFixture();

  describe('assets', () => {
    const asset = (name: string, init?: RequestInit) =>
      fetch(`${set.url()}/api/packs/sample.pack/assets/${name}`, init);
    beforeEach(async () => {
      await set.start();
      const files = minimalPack({
        'assets/kim.png': PNG,
        'assets/sounds/a.png': Buffer.from('These bytes are no picture.'),
        'assets/note.md': '<!-- a note -->\nHello',
        'assets/empty.txt': '',
      });
      expect((await set.json('/api/packs/import', { path: set.source(files) })).status).toBe(201);
    });

    it('are typed by their bytes, sandboxed, and may be shown by the page on another port and by no other site', async () => {
      const picture = await asset('kim.png');
      expect(Object.fromEntries(picture.headers)).toMatchObject({
        'content-type': 'image/png',
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining('sandbox') as string,
        'cross-origin-resource-policy': 'same-site',
        'content-length': String(PNG.length),
      });
      expect(Buffer.from(await picture.arrayBuffer()).equals(PNG)).toBe(true);
      expect((await asset('note.md')).headers.get('content-type')).toBe('text/plain; charset=utf-8');
      expect(await (await asset('empty.txt')).text()).toBe('');
    });

    it('whose bytes are no picture are never given out as one', async () => {
      const fake = await asset('sounds/a.png');
      expect(fake.headers.get('content-type')).toBe('application/octet-stream');
      expect(fake.headers.get('content-disposition')).toBe('attachment');
    });

    it('are immutable under the address that the catalogue gives, and checked again under the bare one', async () => {
      const { body } = await set.get('/api/scenarios/sample.pack.talk');
      const url = (body['npc'] as { portrait_url: string }).portrait_url;
      const named = await fetch(`${set.url()}${url}`);
      expect(named.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      const bare = await asset('kim.png');
      expect(bare.headers.get('cache-control')).toBe('no-cache');
      const again = await asset('kim.png', { headers: { 'if-none-match': bare.headers.get('etag') ?? '' } });
      expect(again.status).toBe(304);
    });

    it.each([
      '..%2fmanifest.yaml',
      '%2e%2e/manifest.yaml',
      '..%5cmanifest.yaml',
      'nothing.png',
      '%2fetc%2fpasswd',
      'kim.png%00',
      '__proto__',
      'sounds',
    ])('answers 404 for %s', async (name) => {
      expect((await asset(name)).status).toBe(404);
    });

    it('answers HEAD without the bytes', async () => {
      const answer = await asset('kim.png', { method: 'HEAD' });
      expect([answer.status, answer.headers.get('content-length'), (await answer.arrayBuffer()).byteLength]).toEqual([
        200,
        String(PNG.length),
        0,
      ]);
    });
  });
});
