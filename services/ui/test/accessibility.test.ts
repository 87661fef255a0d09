import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { describeInBrowser, openBrowser } from '@parley/shared/testing';
import { allPlaces } from './all-places';
import { axeViolations } from './axe-violations';
import { openTab } from './in-browser';
import { startPage, type StartedPage } from './start-page';

/** What a browser is told by a person who needs text twice as large as usual. */
const LARGE_TEXT = '--blink-settings=defaultFontSize=32';
const EVERY_PLACE_MS = 180_000;

describeInBrowser('every page for everybody', (executablePath) => {
  let started: StartedPage;
  let browser: Browser;
  let largeText: Browser;

  beforeAll(async () => {
    started = await startPage();
    browser = await openBrowser(executablePath);
    largeText = await openBrowser(executablePath, [LARGE_TEXT]);
  });

  afterAll(async () => {
    await browser?.close();
    await largeText?.close();
    await started?.stop();
  });

  /** What is wrong on every page, looked at in the way of one reader. */
  async function findAll(reader: Browser, options: BrowserContextOptions, look: (page: Page) => Promise<string[]>) {
    // axe is put into the page, which the page's own policy rightly forbids.
    const { context, page, complaints } = await openTab(reader, {
      reducedMotion: 'reduce',
      bypassCSP: true,
      ...options,
    });
    const { places, tidyUp } = allPlaces(started.api, page);
    const found: string[] = [];
    for (const { path, sign, prepare } of places) {
      await page.goto(started.url + path);
      await page.locator(sign).first().waitFor();
      await prepare?.();
      found.push(...(await look(page)).map((problem) => `${path} (${sign}): ${problem}`));
      started.api.goOn();
    }
    tidyUp();
    await context.close();
    expect(complaints).toEqual([]);
    return found;
  }

  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 320],
  ] as const)(
    'has nothing for axe to find and nothing that sticks out, in %s at %i pixels',
    async (colorScheme, width) => {
      const found = await findAll(browser, { viewport: { width, height: 800 }, colorScheme }, problemsOf);
      expect(found).toEqual([]);
    },
    EVERY_PLACE_MS,
  );

  it.each(['light', 'dark'] as const)(
    'has nothing for axe to find in forced colours, %s',
    async (colorScheme) => {
      const found = await findAll(browser, { forcedColors: 'active', colorScheme }, problemsOf);
      expect(found).toEqual([]);
    },
    EVERY_PLACE_MS,
  );

  it(
    'has nothing for axe to find and no column of a few words at 200 % text size',
    async () => {
      const found = await findAll(largeText, { viewport: { width: 1280, height: 900 } }, async (page) => [
        ...(await problemsOf(page)),
        ...(await narrowColumns(page)),
      ]);
      expect(found).toEqual([]);
    },
    EVERY_PLACE_MS,
  );

  it(
    'has nothing for axe to find and nothing that sticks out at 200 % text size on a phone',
    async () => {
      expect(await findAll(largeText, { viewport: { width: 320, height: 640 } }, problemsOf)).toEqual([]);
    },
    EVERY_PLACE_MS,
  );

  it('can be played with the keyboard alone, the focus always in sight', async () => {
    const { context, page } = await openTab(browser);
    await page.goto(started.url);
    await page.getByRole('link', { name: 'The ask' }).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the content');
    await page.getByRole('link', { name: 'The ask' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Begin' }).focus();
    await page.keyboard.press('Enter');
    await page.locator('.composer-field:focus').waitFor();
    await page.keyboard.type('I would like 53,000.');
    await page.keyboard.press('Enter');
    await page.getByRole('log').getByText('Fifty-three. All right,').waitFor();
    await page.locator('.composer-field:focus').waitFor();
    expect(await page.locator('.composer-field').evaluate((field) => getComputedStyle(field).outlineStyle)).toBe(
      'solid',
    );
    await context.close();
  });
});

async function problemsOf(page: Page): Promise<string[]> {
  const violations = await axeViolations(page);
  const sticksOut = await page.evaluate(() =>
    document.documentElement.scrollWidth > window.innerWidth
      ? [...document.querySelectorAll('main *')]
          .filter((element) => element.getBoundingClientRect().right > window.innerWidth)
          .map((element) => `wider than the window: ${element.tagName} ${element.className}`)
      : [],
  );
  return [...violations, ...sticksOut];
}

/** Texts of a sentence or more that get fewer than 20 characters in a line. */
const narrowColumns = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = [];
    for (const element of document.querySelectorAll('main :is(p, li, dd, small, h2, h3), header p')) {
      const text = element.textContent.trim();
      const box = element.getBoundingClientRect();
      const isOwnText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim() !== '');
      if (!isOwnText || text.length < 60 || box.height < 2) continue;
      const lines = Math.round(box.height / parseFloat(getComputedStyle(element).lineHeight));
      if (text.length / lines < 20) found.push(`${Math.round(text.length / lines)} characters in a line: ${text}`);
    }
    return found;
  });
