import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

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
