import type { Browser, Locator, Page } from 'playwright-core';
import { describeInBrowser, openBrowser } from '@parley/shared/testing';
import { openTab, type Tab } from './in-browser';
import { startPage, type StartedPage } from './start-page';

type Colour = string;

/** The colours along a line through the middle of an element, or above its lower edge, as they are really drawn. */
async function coloursAlong(painter: Page, element: Locator, where: 'middle' | 'foot'): Promise<Colour[]> {
  const picture = (await element.screenshot()).toString('base64');
  return painter.evaluate(
    async ([data, place]) => {
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d');
      if (context === null) throw new Error('no canvas');
      context.drawImage(image, 0, 0);
      const row = place === 'middle' ? Math.floor(image.height / 2) : image.height - 2;
      const { data: bytes } = context.getImageData(0, row, image.width, 1);
      return Array.from({ length: image.width }, (_, at) => bytes.slice(at * 4, at * 4 + 3).join(','));
    },
    [picture, where] as const,
  );
}

/** How much of a line has the colour of its beginning, in percent. */
const shareAtStart = (colours: readonly Colour[]): number => {
  const inside = colours.slice(2, -2);
  const end = inside.findIndex((colour) => colour !== inside[0]);
  return Math.round(((end === -1 ? inside.length : end) / inside.length) * 100);
};

describeInBrowser('in forced colours', (executablePath) => {
  let started: StartedPage;
  let browser: Browser;
  let tab: Tab;
  let painter: Page;

  beforeAll(async () => {
    started = await startPage();
    browser = await openBrowser(executablePath);
  });

  afterAll(async () => {
    await browser?.close();
    await started?.stop();
  });

  beforeEach(async () => {
    tab = await openTab(browser, { forcedColors: 'active', reducedMotion: 'reduce' });
    // A page without a policy, to draw on.
    painter = await tab.context.newPage();
    await tab.page.bringToFront();
  });

  afterEach(async () => {
    await tab.context.close();
    expect(tab.complaints).toEqual([]);
  });

  const go = (path: string) => tab.page.goto(started.url + path);
  const along = (element: Locator, where: 'middle' | 'foot' = 'middle') => coloursAlong(painter, element, where);

  it('a switch shows whether it is on', async () => {
    started.api.home.settings = { ...started.api.home.settings, save_transcripts: true, save_raw_audio: false };
    await go('/settings');
    const on = await along(tab.page.getByRole('switch', { name: /Keep transcripts/ }));
    const off = await along(tab.page.getByRole('switch', { name: /Keep raw audio/ }));
    const knob = (colours: Colour[], share: number) => colours[Math.round(colours.length * share)];
    // The knob is at the end when it is on, at the start when it is off, and differs from the ground beside it.
    expect(knob(on, 0.68)).not.toBe(knob(on, 0.25));
    expect(knob(off, 0.3)).not.toBe(knob(off, 0.75));
    expect(knob(on, 0.25)).not.toBe(knob(off, 0.75));
  });

  it('a meter shows how full it is', async () => {
    const { session } = started.api.played(2);
    await go(`/play/${session.id}`);
    const meter = tab.page.getByRole('meter', { name: 'Trust' });
    await meter.waitFor();
    const share = shareAtStart(await along(meter));
    expect(share).toBeGreaterThan(47);
    expect(share).toBeLessThan(55);
  });

  it('a bar shows the score, and the mark of one’s own rating', async () => {
    const { session } = started.api.played(5);
    started.api.find(session.id).selfRatings = { clear_ask: 40 };
    await go(`/sessions/${session.id}/debrief`);
    const skip = tab.page.getByRole('button', { name: 'Skip' });
    await skip.or(tab.page.locator('.letter')).first().waitFor();
    if (await skip.isVisible()) await skip.click();
    const bar = tab.page.locator('.score-bar').first();
    await bar.waitFor();
    const colours = await along(bar);
    const at = (share: number) => colours[Math.round(colours.length * share)];
    expect(at(0.2)).toBe(at(0.6));
    expect(at(0.6)).not.toBe(at(0.9));
    const markIn = colours.slice(Math.round(colours.length * 0.38), Math.round(colours.length * 0.42));
    expect(markIn.some((colour) => colour !== at(0.2))).toBe(true);
  });

  it('the current page is marked among the others', async () => {
    await go('/history');
    const underlined = async (name: string) => {
      const colours = await along(tab.page.getByRole('navigation').getByRole('link', { name }), 'foot');
      return colours[Math.floor(colours.length / 2)] !== (await along(tab.page.locator('.top'), 'foot'))[2];
    };
    expect(await underlined('History')).toBe(true);
    expect(await underlined('Packs')).toBe(false);
  });

  it('a first attempt and a retry are told apart in the progress', async () => {
    const point = { ended_at: '2026-01-01T00:00:00.000Z' };
    started.api.home.progress = {
      scenarios: [],
      skills: [],
      suggestions: [],
      dimensions: [
        {
          id: 'clear_ask',
          name: 'A clear ask',
          points: [
            { ...point, session_id: 'a-session-of-the-test-1', attempt: 'first', score: 48 },
            { ...point, session_id: 'a-session-of-the-test-2', attempt: 'retry', score: 71 },
          ],
        },
      ],
    };
    await go('/progress');
    const fillOf = (selector: string) => tab.page.locator(selector).evaluate((dot) => getComputedStyle(dot).fill);
    await tab.page.locator('circle.dot-first').waitFor();
    expect(await fillOf('circle.dot-first')).not.toBe(await fillOf('circle.dot-hollow'));
    const legend = tab.page.locator('.dot');
    const middle = async (at: number) => {
      const colours = await along(legend.nth(at));
      return colours[Math.floor(colours.length / 2)];
    };
    expect(await middle(0)).not.toBe(await middle(1));
  });
});
