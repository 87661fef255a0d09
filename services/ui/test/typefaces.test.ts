import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describePage } from './page-suite';
import { ensurePageBuilt } from './start-page';

/** All typefaces together, in bytes. */
const BUDGET = 90_000;

describePage('the typefaces of the page', (current) => {
  it('are at most 90 kB together, each with its licence beside it', async () => {
    const assets = path.join(await ensurePageBuilt(), 'assets');
    const files = readdirSync(assets);
    const fonts = files.filter((name) => name.endsWith('.woff2'));
    expect(fonts).toHaveLength(3);
    const bytes = fonts.map((name) => readFileSync(path.join(assets, name)).length);
    expect(bytes.every((size) => size > 5_000)).toBe(true);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(BUDGET);
    for (const family of ['literata', 'figtree']) {
      const [licence = ''] = files.filter((name) => name.startsWith(`${family}-licence`));
      expect(readFileSync(path.join(assets, licence), 'utf8')).toContain('SIL OPEN FONT LICENSE Version 1.1');
    }
  });

  it('are preloaded, come from the page’s own server for good, and are what is read', async () => {
    const { page, api, go } = current();
    const answers = new Map<string, Record<string, string>>();
    page.on('response', (response) => {
      if (response.url().endsWith('.woff2')) answers.set(new URL(response.url()).pathname, response.headers());
    });
    const fetched: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('.woff2')) fetched.push(request.url());
    });
    const { session } = api.played(1);
    await go(`/play/${session.id}`);
    await page.locator('.composer-field').waitFor();
    await page.evaluate(() => document.fonts.ready);
    const preloaded = await page
      .locator('link[rel=preload][as=font][type="font/woff2"][crossorigin]')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    expect(preloaded.map((href) => /figtree|literata-roman/.exec(href ?? '')?.[0]).sort()).toEqual([
      'figtree',
      'literata-roman',
    ]);
    expect([...answers.keys()]).toEqual(expect.arrayContaining(preloaded));
    // A preload that does not fit its use is fetched twice.
    expect(fetched).toHaveLength(3);
    for (const headers of answers.values())
      expect(headers).toMatchObject({
        'cache-control': 'public, max-age=31536000, immutable',
        'content-type': 'font/woff2',
      });
    const policy = (await (await page.request.get(page.url())).headersArray()).find(
      ({ name }) => name.toLowerCase() === 'content-security-policy',
    );
    expect(policy?.value).toContain("font-src 'self'");
    const loaded = await page.evaluate(() =>
      [...document.fonts].map(({ family, style, status }) => `${family.replaceAll('"', '')} ${style} ${status}`),
    );
    expect(loaded.sort()).toEqual(['Figtree normal loaded', 'Literata italic loaded', 'Literata normal loaded']);
    const familyOf = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => getComputedStyle(element).fontFamily);
    expect(await familyOf('.line-npc .line-words')).toMatch(/^"?Literata/);
    expect(await familyOf('.person-turn')).toMatch(/^"?Figtree/);
  });

  it('have the letters of Western Europe and the marks that texts use', async () => {
    const { page, go } = current();
    await go('/');
    const missing = await page.evaluate(async () => {
      await document.fonts.ready;
      const letters = 'Aa Zz 0123456789 äöüß éèêëç ñ åæø œ ’‘“”„…–— € × · ½';
      const widthIn = (family: string, letter: string) => {
        const context = document.createElement('canvas').getContext('2d');
        if (context === null) throw new Error('no canvas');
        context.font = `40px ${family}`;
        return context.measureText(letter).width;
      };
      return ['Literata', 'Figtree'].flatMap((family) =>
        [...letters]
          .filter((letter) => letter !== ' ')
          .filter(
            (letter) =>
              widthIn(`${family}, monospace`, letter) === widthIn('monospace', letter) &&
              widthIn(`${family}, serif`, letter) === widthIn('serif', letter),
          )
          .map((letter) => `${family} ${letter}`),
      );
    });
    expect(missing).toEqual([]);
  });
});
