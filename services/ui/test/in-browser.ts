import { setTimeout as sleep } from 'node:timers/promises';
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
  await sendLate(context);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (line) => {
    if (line.type() === 'error' && !/Failed to load resource/.test(line.text())) complaints.push(line.text());
  });
  return { context, page, complaints };
}

/**
 * With PARLEY_TEST_API_DELAY_MS each call of the page leaves late, by up to so many milliseconds: what a busy machine does to a test
 * now and then, and by this to any that does not wait for what it goes on from.
 */
async function sendLate(context: BrowserContext): Promise<void> {
  const most = Number(process.env['PARLEY_TEST_API_DELAY_MS'] ?? 0);
  if (!(most > 0)) return;
  await context.route('**/api/**', async (route) => {
    await sleep(Math.random() * most);
    // The tab may be gone by now.
    await route.continue().catch(() => undefined);
  });
}
