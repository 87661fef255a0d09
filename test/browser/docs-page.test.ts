import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, openBrowser } from '@parley/shared/testing';
import { ParleySet } from '../set/parley-set';

/** Where the pictures go that a person may look at after a run. */
const PICTURES = path.join(__dirname, '..', '..', 'test-results', 'browser');

describeInBrowser('/api/docs in the browser', (chromium) => {
  let set: ParleySet;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];
  const asked: string[] = [];
  beforeAll(async () => {
    mkdirSync(PICTURES, { recursive: true });
    set = await ParleySet.start();
    browser = await openBrowser(chromium);
    page = await browser.newPage({ viewport: { width: 1300, height: 900 } });
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => asked.push(request.url()));
  });
  afterAll(async () => {
    await browser?.close();
    await set?.stop();
  });
  beforeEach(() => page.goto(`${set.url}/api/docs`));

  const shown = (selector: string): Promise<string[]> =>
    page
      .locator(selector)
      .evaluateAll((all) => all.filter((one) => (one as HTMLElement).offsetParent !== null).map((one) => one.id));

  it('is searched by words, in the menu and on the page, and is whole again when they are taken back', async () => {
    const all = await shown('main details.entry');
    expect(all.length).toBeGreaterThan(100);
    await page.keyboard.press('/');
    await page.keyboard.type('idempotency 422');
    const found = await shown('main details.entry');
    expect(found).toEqual(
      expect.arrayContaining(['takeTurn', 'createSession', 'forkSession', 'importPack', 'installModel']),
    );
    expect(found).not.toContain('getHealth');
    expect(await page.locator('#found').textContent()).toBe(`${found.length} entries`);
    expect(await page.locator('nav a:visible[href="#takeTurn"]').count()).toBe(1);
    expect(await page.locator('nav a:visible[href="#getHealth"]').count()).toBe(0);
    await page.screenshot({ path: path.join(PICTURES, 'docs-search.png') });
    await page.keyboard.press('Escape');
    expect(await shown('main details.entry')).toEqual(all);
    await page.locator('#search').fill('SIM_MAX_CONCURRENT_TURNS');
    expect(await page.getByRole('heading', { name: 'Limits' }).isVisible()).toBe(true);
    await page.locator('#search').fill('xylophone');
    expect(await shown('main section')).toEqual([]);
    expect(await page.locator('#found').textContent()).toBe('0 entries');
  });

  it('leads from the menu to an operation with its example and to the limits, also from what a search has hidden', async () => {
    await page.locator('nav').getByText('Submit a player turn').click();
    const turn = page.locator('#takeTurn');
    await page.locator('#takeTurn[open]').waitFor();
    const example = await turn.locator('pre').first().textContent();
    expect(example).toContain(`curl -X POST '${set.url}/api/sessions/`);
    expect(await turn.locator('pre').nth(1).textContent()).toContain('"used_fallback": false');
    await page.screenshot({ path: path.join(PICTURES, 'docs-operation.png') });
    await page.locator('#search').fill('submit a player turn');
    await page.locator('#TakeTurnRequest').waitFor({ state: 'hidden' });
    await turn.getByRole('link', { name: 'TakeTurnRequest' }).click();
    await page.locator('#TakeTurnRequest').waitFor();
    expect(await page.locator('#TakeTurnRequest').textContent()).toContain('at most 2000 characters');
    await page.locator('nav').getByText('Limits').click();
    await page.getByRole('cell', { name: '1 to 2000 code points after trimming' }).waitFor();
  });

  it('has no fault that axe knows of, light and dark, wide and narrow', async () => {
    const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
    const context = await browser.newContext({ bypassCSP: true });
    const tab = await context.newPage();
    for (const [width, colorScheme] of [
      [1300, 'light'],
      [390, 'dark'],
    ] as const) {
      await tab.setViewportSize({ width, height: 800 });
      await tab.emulateMedia({ colorScheme });
      await tab.goto(`${set.url}/api/docs#takeTurn`);
      await tab.evaluate(axe);
      const violations = await tab.evaluate(async () => {
        const run = (
          window as unknown as { axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> } }
        ).axe;
        return (await run.run()).violations.map((one) => `${one.id}: ${one.nodes[0]?.html.slice(0, 200)}`);
      });
      expect([width, violations]).toEqual([width, []]);
      expect(await tab.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
    }
    await context.close();
  });

  it('asks nobody for anything, and the browser has nothing to complain about', () => {
    expect(new Set(asked.map((one) => one.replace(/#.*/, '')))).toEqual(new Set([`${set.url}/api/docs`]));
    expect(complaints).toEqual([]);
  });
});
