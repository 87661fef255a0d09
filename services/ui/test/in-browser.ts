import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { findChromium } from '@parley/shared/testing';

/** describe where there is a Chromium; elsewhere the suite is skipped with a line that says so, but never in CI. */
export function describeInBrowser(name: string, suite: (executablePath: string) => void): void {
  const path = findChromium();
  if (path !== null) {
    describe(name, () => suite(path));
  } else if (process.env['CI'] === 'true') {
    it(`${name} finds a Chromium`, () => {
      throw new Error('CI needs Chromium; install the package chromium.');
    });
  } else {
    process.stderr.write(`No Chromium was found: “${name}” is not tested. Install the package chromium.\n`);
    describe.skip(name, () => suite(''));
  }
}

export interface Tab {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What the browser complains about: broken policies and faults of the page. */
  readonly complaints: string[];
}

/** A browser of its own for one test: nothing stored, one page. */
export async function openTab(browser: Browser, options: BrowserContextOptions = {}): Promise<Tab> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (line) => {
    if (line.type() === 'error' && !/Failed to load resource/.test(line.text())) complaints.push(line.text());
  });
  return { context, page, complaints };
}
