import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import type { ModelInstall, Recap } from '@parley/shared/contracts';
import { openBrowser } from '@parley/shared/testing';
import { describeInBrowser, openTab } from './in-browser';
import { startPage, type StartedPage } from './start-page';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const RECAP: Recap = {
  npc_id: 'dana',
  pack_id: 'the_ask',
  schema_version: '1',
  session_count: 3,
  last_session_at: '2026-01-05T10:00:00.000Z',
  key_observations: ['Offer a second way that fits inside her three percent, such as a grade in January.'],
  player_style_tags: ['strong: a clear ask', 'practises: a close'],
  last_outcome: 'success',
};

const INSTALLS: ModelInstall[] = [
  {
    id: 'install-1',
    model_id: 'a-model-with-a-very-long-name-that-has-no-place-to-break-Q4_K_M.gguf',
    status: 'downloading',
    bytes_done: 640_000_000,
    bytes_total: 2_500_000_000,
    message: null,
  },
  { id: 'install-2', model_id: 'small.gguf', status: 'verifying', bytes_done: 9, bytes_total: null, message: null },
  { id: 'install-3', model_id: 'old.gguf', status: 'failed', bytes_done: 0, bytes_total: null, message: 'Disk full.' },
];

interface AxeWindow {
  axe: { run(options: unknown): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
}

describeInBrowser('every page for everybody', (executablePath) => {
  let started: StartedPage;
  let browser: Browser;

  beforeAll(async () => {
    started = await startPage();
    browser = await openBrowser(executablePath);
  });

  afterAll(async () => {
    await browser?.close();
    await started?.stop();
  });

  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 320],
  ] as const)(
    'has nothing for axe to find and nothing that sticks out, in %s at %i pixels',
    async (colorScheme, width) => {
      const { context, page, complaints } = await openTab(browser, {
        viewport: { width, height: 800 },
        colorScheme,
        reducedMotion: 'reduce',
        // axe is put into the page, which the page's own policy rightly forbids.
        bypassCSP: true,
      });
      const running = started.api.played(2).session.id;
      const ended = started.api.played(5).session.id;
      const stopped = started.api.played(2);
      stopped.session = { ...stopped.session, flow_state: 'Ended', ending_type: 'safety_stop' };
      const retry = started.api.retried(started.api.find(ended), 3).session.id;
      started.api.home.recaps = [RECAP];
      const demo = started.api.home.runtime;
      const withModelServer = async () => {
        started.api.home.runtime = { ...demo, runtime_id: 'local_server', runtime_name: 'Model server' };
        started.api.models.installs = INSTALLS;
        await page.reload();
        await page.getByRole('progressbar').first().waitFor();
        await page.getByText('Show its log').click();
        await page.locator('.models-log').waitFor();
      };
      const places: [path: string, sign: string, prepare?: () => Promise<unknown>][] = [
        ['/', '.scenario-card'],
        ['/scenarios/the_ask', '.briefing-begin'],
        [`/play/${running}`, '.composer-field'],
        [`/play/${ended}`, '.ending'],
        [`/sessions/${ended}/debrief`, '.rating'],
        [`/sessions/${ended}/debrief`, '.letter', () => page.getByText('Show the numbers as a table').click()],
        [`/play/${running}`, '.person', () => page.getByRole('button', { name: 'End the talk' }).click()],
        [`/play/${stopped.session.id}`, '.ending-help'],
        [`/sessions/${retry}/debrief`, '.first-try table'],
        ['/history', '.history-row'],
        ['/progress', '.notice'],
        ['/packs', '.packs-row'],
        ['/models', '.models-suggested li'],
        ['/models', '.models-suggested li', withModelServer],
        ['/diagnostics', '.diagnostics-table'],
        ['/settings', '.memory-note'],
      ];
      const found: string[] = [];
      for (const [path, sign, prepare] of places) {
        await page.goto(started.url + path);
        await page.locator(sign).first().waitFor();
        await prepare?.();
        found.push(...(await problemsOf(page)).map((problem) => `${path} (${sign}): ${problem}`));
      }
      started.api.home.runtime = demo;
      started.api.models.reset();
      expect(found).toEqual([]);
      expect(complaints).toEqual([]);
      await context.close();
    },
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
  await page.evaluate(AXE);
  const violations = await page.evaluate(async () => {
    const { axe } = window as unknown as AxeWindow;
    const { violations: all } = await axe.run({
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    });
    return all.map((one) => `${one.id}: ${one.nodes.map((node) => node.html).join(' | ')}`);
  });
  const sticksOut = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  return sticksOut ? [...violations, 'wider than the window'] : violations;
}
