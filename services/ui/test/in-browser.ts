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

export interface HeldCall {
  /** Resolves when the call was made. */
  readonly asked: Promise<void>;
  /** Lets it go on. @returns when its answer has come and the page has drawn */
  letGo(): Promise<void>;
}

/** Holds the next call of an address until a test lets it go; those after it go on at once. */
export async function holdNext(page: Page, address: string): Promise<HeldCall> {
  const [asked, begin] = signal();
  const [released, release] = signal();
  const [answered, end] = signal();
  await page.route(
    address,
    async (route) => {
      begin();
      await released;
      const finished = page.waitForEvent('requestfinished', (request) => request === route.request());
      await route.continue();
      await finished;
      end();
    },
    { times: 1 },
  );
  return {
    asked,
    letGo: async () => {
      release();
      await answered;
      await drawn(page);
    },
  };
}

function signal(): [Promise<void>, () => void] {
  let give = (): void => undefined;
  const given = new Promise<void>((resolve) => (give = resolve));
  return [given, give];
}

/** Resolves when the page has drawn what it knows now. */
export const drawn = (page: Page): Promise<void> =>
  page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );

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
