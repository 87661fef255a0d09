import type { Browser, Page } from 'playwright-core';

declare global {
  interface Window {
    /** Every text that the line being spoken ever had. */
    seenLive: string[];
  }
}

/** A page that writes down what it complains about and what a person could have seen of the line being spoken. */
export async function watchedPage(browser: Browser, complaints: string[]): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
  page.on('console', (message) => {
    // A refusal of the service is an answer that the page knows what to do with.
    const isRefusal = message.text().startsWith('Failed to load resource');
    if (['error', 'warning'].includes(message.type()) && !isRefusal) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.addInitScript(() => {
    window.seenLive = [];
    new MutationObserver(() => {
      const text = document.querySelector('.line-live .line-words')?.textContent ?? '';
      if (text !== '' && window.seenLive.at(-1) !== text) window.seenLive.push(text);
    }).observe(document, { subtree: true, childList: true, characterData: true });
  });
  return page;
}

/** Every text that the line being spoken had since the page was loaded. */
export const seenLive = (page: Page): Promise<string[]> => page.evaluate(() => window.seenLive);
