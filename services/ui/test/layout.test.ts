import type { Page } from 'playwright-core';
import { describePage } from './page-suite';

/** Elements that can be scrolled up and down, the page itself among them. */
const scrollersOf = (page: Page) =>
  page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('body *')]
      .filter((element) => {
        const canScroll =
          element === document.documentElement || /auto|scroll/.test(getComputedStyle(element).overflowY);
        return canScroll && element.scrollHeight > element.clientHeight;
      })
      .map((element) => element.className || element.tagName),
  );

describePage('the layout', (current) => {
  it.each([
    [1280, 800],
    [1440, 641],
    [1001, 777],
  ])('has one scroll bar on the stage at %i by %i pixels, that of the talk', async (width, height) => {
    const { page, api, go } = current();
    const { session } = api.played(4);
    await page.setViewportSize({ width, height });
    await go(`/play/${session.id}`);
    await page.locator('.composer-field').waitFor();
    await page.locator('.pill').getByText('Demo voice').waitFor();
    expect((await scrollersOf(page)).filter((name) => name !== 'person')).toEqual(['script']);
  });

  it('has no scroll bar at all where everything fits', async () => {
    const { page, go } = current();
    await page.setViewportSize({ width: 1280, height: 900 });
    await go('/progress');
    await page.getByText('Nothing to show yet').waitFor();
    expect(await scrollersOf(page)).toEqual([]);
  });
});
