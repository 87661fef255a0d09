import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { describeInBrowser, openBrowser } from '@parley/shared/testing';
import { openTab, type Tab } from './in-browser';
import { startPage, type StartedPage } from './start-page';
import type { StandInApi } from './stand-in/stand-in-api';

export interface PageUnderTest {
  readonly page: Page;
  readonly api: StandInApi;
  go(path: string): Promise<unknown>;
  /** The same browser's next tab, at the path. */
  openAlso(path: string): Promise<Page>;
}

/** A suite with the page in a browser: one server for all of its tests, one tab for each, and nothing to complain about. */
export function describePage(
  name: string,
  suite: (current: () => PageUnderTest) => void,
  options: BrowserContextOptions = {},
): void {
  describeInBrowser(name, (executablePath) => {
    let started: StartedPage;
    let browser: Browser;
    let tab: Tab;

    beforeAll(async () => {
      started = await startPage();
      browser = await openBrowser(executablePath);
    });

    afterAll(async () => {
      await browser?.close();
      await started?.stop();
    });

    beforeEach(async () => {
      tab = await openTab(browser, options);
    });

    afterEach(async () => {
      started.api.goOn();
      await tab.context.close();
      expect(tab.complaints).toEqual([]);
    });

    suite(() => ({
      page: tab.page,
      api: started.api,
      go: (path) => tab.page.goto(started.url + path),
      openAlso: async (path) => {
        const page = await tab.context.newPage();
        await page.goto(started.url + path);
        return page;
      },
    }));
  });
}
