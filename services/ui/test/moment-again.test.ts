import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { waitUntil } from '@parley/shared/testing';
import { axeViolations } from './axe-violations';
import { openTab } from './in-browser';
import { describePage } from './page-suite';
import { writeJudgedDebrief, writeUnjudgedDebrief } from './stand-in/stand-in-judged-debrief';

/** A folder for pictures of each step; without it none are taken. */
const SHOTS = process.env['PARLEY_SHOTS'];

async function expectGood(page: Page, step: string, width: number): Promise<void> {
  if (SHOTS !== undefined) {
    mkdirSync(SHOTS, { recursive: true });
    await page.screenshot({ path: `${SHOTS}/${step}-${width}.png`, fullPage: true });
  }
  expect(await axeViolations(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
}

describePage('the moment again', (current) => {
  const field = () => current().page.locator('.composer-field');
  const tryLine = async (text: string) => {
    await field().fill(text);
    await field().press('Enter');
  };

  beforeEach(() => {
    const { api } = current();
    api.debriefs.areKept = true;
    api.practice.asked.length = 0;
  });

  afterEach(() => {
    const { home } = current().api;
    home.runtime = { ...home.runtime, runtime_id: 'fake', runtime_name: 'Demo voice' };
  });

  const withModel = () => {
    const { home } = current().api;
    home.runtime = { ...home.runtime, runtime_id: 'local_server', runtime_name: 'Model server' };
  };

  /** A talk that has just ended: its debrief is written, and nobody has read it. */
  const justEnded = () => {
    const one = current().api.debriefed(5, writeJudgedDebrief);
    one.session = { ...one.session, flow_state: 'Ended' };
    return one;
  };

  it.each([1280, 320])(
    'goes from the ending over three tries into a new talk and to its comparison, %i px wide',
    async (width) => {
      const { api, go, page: first } = current();
      await go('/');
      const browser = first.context().browser();
      if (browser === null) throw new Error('The tab has no browser.');
      const { page, context, complaints } = await openTab(browser, {
        bypassCSP: true,
        reducedMotion: 'reduce',
        viewport: { width, height: 800 },
      });
      const one = justEnded();
      await page.goto(new URL(`/play/${one.session.id}`, first.url()).href);
      await page.getByRole('link', { name: 'Go back to the deciding moment' }).click();
      await page.getByRole('heading', { name: 'The moment again' }).waitFor();
      await page.locator('h1:focus', { hasText: 'The moment again' }).waitFor();
      const face = page.getByRole('complementary', { name: 'Dana at that moment' });
      expect(await face.locator('img').getAttribute('src')).toContain('hesitant.svg');
      await page.getByText('Your line 3 gained the most').waitFor();
      await page.getByText('Dana can sign for three percent. The rest is a page').waitFor();
      expect(await page.locator('.moment-said').innerText()).toMatch(
        /The freight figure I can use[^]*Fair question\. But before I argue[^]*Three percent\. That’s my signature/,
      );
      const box = page.getByRole('textbox', { name: 'What you say to Dana' });
      expect(await box.inputValue()).toBe('');
      await expectGood(page, '1-moment', width);

      await box.fill('Please.');
      await box.press('Enter');
      const tries = page.getByRole('list', { name: 'Your tries' }).locator('.try');
      await tries.first().getByText('Asks an open question about her limits').first().waitFor();
      await page.getByText('2 of 3 tries left').waitFor();
      await page.getByRole('status').getByText('Try 1: 0 of 2 checks met.').waitFor();
      await page.getByText('The demo voice cannot say how Dana would have answered').waitFor();
      await page.locator('textarea:focus').waitFor();
      await box.press('Enter');
      await page.getByText('This is the same as your last try. Change something first.').first().waitFor();
      await box.fill('And what can you decide yourself?');
      await box.press('Enter');
      await page.getByText('1 of 3 tries left').waitFor();
      expect(await tries.nth(1).locator('mark').allInnerTexts()).toEqual(['what can you decide']);
      const again = 'So three percent is yours. What can you decide beyond it?';
      await box.fill(again);
      await box.press('Enter');
      await page.getByText('That was the last of three tries.').waitFor();
      expect(await box.count()).toBe(0);
      await page.locator('p:focus', { hasText: 'That was the last of three tries.' }).waitFor();
      expect(await tries.nth(2).locator('mark').allInnerTexts()).toEqual(['three percent', 'What can you decide']);
      expect(api.practice.asked.every(({ reply }) => !reply)).toBe(true);
      // Marks are reached by keyboard and say what they prove.
      await tries.nth(2).locator('mark').first().focus();
      await page.keyboard.press('Tab');
      expect(await page.locator('mark:focus').getAttribute('aria-label')).toBe(
        'Met: Asks an open question about her limits',
      );
      await expectGood(page, '2-three-tries', width);
      await page.reload();
      await waitUntil('the tries after a reload', async () => (await tries.count()) === 3);

      await page.getByRole('button', { name: 'Play on from here with try 3' }).click();
      await page.waitForURL(/\/play\//);
      await page.getByRole('log').getByText(again).waitFor();
      const fork = [...api.sessions.values()].at(-1);
      if (fork === undefined) throw new Error('Nothing was made.');
      expect(fork.session.forked_from).toEqual({ session_id: one.session.id, turn: 5 });
      await waitUntil('the line to be recorded', () => fork.turns.some((turn) => turn.text === again));
      await expectGood(page, '3-played-on', width);

      const judged = writeJudgedDebrief(one);
      fork.debrief = {
        ...judged,
        session_id: fork.session.id,
        dimensions: judged.dimensions.map((dimension) => ({
          ...dimension,
          checks: dimension.checks?.map((check) =>
            check.id === 'says_back'
              ? {
                  ...check,
                  verdict: 'met' as const,
                  turn: 6,
                  line: 3,
                  evidence: { start: 3, end: 16 },
                }
              : check.id === 'open_question'
                ? { ...check, evidence: { start: 27, end: 57 } }
                : check,
          ),
          faults: [],
        })),
      };
      await page.getByRole('button', { name: 'End the talk' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'End it' }).click();
      await page.getByRole('link', { name: 'Go back to the deciding moment' }).click();
      await page.getByRole('link', { name: 'Read the debrief' }).click();
      // The moment was looked at before the scores: the talk can still be rated first.
      await page.getByRole('button', { name: 'Skip' }).click();
      const compared = page.locator('.said-again');
      // What the first try met comes with its own debrief, which is read after this one.
      await waitUntil('the checks of both tries', async () => (await compared.locator('mark').count()) >= 3);
      expect(await compared.innerText()).toMatch(
        /First try, your line 3\s+Fair question[^]*Asks an open question[^]*This try, your line 3\s+So three percent[^]*Says the limit back/i,
      );
      expect(await compared.locator('mark').allInnerTexts()).toEqual([
        'what can you decide yourself here',
        'three percent',
        'What can you decide beyond it?',
      ]);
      await expectGood(page, '4-comparison', width);
      expect(complaints).toEqual([]);
      await context.close();
    },
    120_000,
  );

  it('hears how the character would have answered, as it comes, and shows its face; a failure costs no try', async () => {
    const { page, api, go } = current();
    withModel();
    const one = justEnded();
    api.practice.holdAfterWords = 3;
    await go(`/sessions/${one.session.id}/moment`);
    await tryLine('What can you decide yourself?');
    await waitUntil(
      'the first words',
      async () => (await page.locator('.try .line-words').last().innerText()).trim() === 'Three percent, that’s',
    );
    // The checks are there before the answer is.
    expect(await page.locator('.try mark').allInnerTexts()).toEqual(['What can you decide']);
    api.practice.goOn();
    await page.locator('.try', { hasText: 'For the rest somebody upstairs has to believe a page.' }).waitFor();
    expect(await page.locator('.moment-face img').getAttribute('src')).toContain('thoughtful.svg');
    expect(await page.getByText('demo voice cannot').count()).toBe(0);
    api.practice.failNextReply = true;
    await tryLine('And beyond that?');
    await page.getByRole('alert').getByText('No reply from Dana.').waitFor();
    await page.getByText('1 of 3 tries left').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await waitUntil('the second answer', async () => (await page.locator('.try .line-npc').count()) === 2);
    expect(api.practice.drills.get(one.session.id)).toHaveLength(2);
  });

  it('leads straight to the letter when nothing was judged, and to a better line when nothing moved', async () => {
    const { page, api, go } = current();
    const nothing = api.debriefed(1, writeUnjudgedDebrief);
    await go(`/sessions/${nothing.session.id}/moment`);
    await page.waitForURL(/\/debrief$/);
    await page.getByText('You left before there was anything to judge.').waitFor();
    const unmoved = api.debriefed(5, (played) => ({ ...writeJudgedDebrief(played), moment: null }));
    await go(`/sessions/${unmoved.session.id}/moment`);
    await page.getByText('Your line 2 is worth saying again').waitFor();
    expect(await page.locator('.moment-said').innerText()).toContain('Two things.');
    expect(await page.getByText('Which is easier to carry?').isVisible()).toBe(false);
    await page.getByText('Show a line that does it').click();
    await page.getByText('Which is easier to carry?').waitFor();
  });

  it('is reached from each better line of the letter', async () => {
    const { page, api, go } = current();
    const one = api.debriefed(5, writeJudgedDebrief);
    await go(`/sessions/${one.session.id}/debrief`);
    await page.getByRole('link', { name: 'Say it again: your line 2' }).click();
    await page.waitForURL(/\/moment\?turn=4$/);
    expect(await page.locator('.moment-said').innerText()).toContain('Two things.');
  });

  it('says why a talk whose words were not kept cannot be played on', async () => {
    const { page, go } = current();
    withModel();
    const one = justEnded();
    one.session = { ...one.session, transcript_saved: false };
    await go(`/sessions/${one.session.id}/moment`);
    await tryLine('What can you decide yourself?');
    await page.getByText('you cannot play on from here').waitFor();
    expect(await page.getByRole('button', { name: /Play on/ }).count()).toBe(0);
    expect(current().api.practice.asked).toEqual([{ text: 'What can you decide yourself?', reply: false }]);
  });
});
