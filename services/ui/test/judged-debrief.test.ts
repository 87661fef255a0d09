import { axeViolations } from './axe-violations';
import { openTab } from './in-browser';
import { describePage } from './page-suite';
import { writeJudgedDebrief, writeUnjudgedDebrief } from './stand-in/stand-in-judged-debrief';

describePage('the debrief of a talk that was judged by checks', (current) => {
  const section = (heading: string) =>
    current()
      .page.locator('.letter section')
      .filter({ has: current().page.getByRole('heading', { name: heading, exact: true }) });

  beforeEach(() => {
    current().api.debriefs.areKept = true;
  });

  async function openJudged() {
    const { page, api, go } = current();
    const one = api.debriefed(5, writeJudgedDebrief);
    await go(`/sessions/${one.session.id}/debrief`);
    await page.getByRole('heading', { name: 'The line that gained the most' }).waitFor();
    return one;
  }

  it('says the moment, what to say instead, what never came and what stayed shut', async () => {
    await openJudged();
    const moment = await section('The line that gained the most').innerText();
    expect(moment).toMatch(/your line 3\s+Fair question\. But before I argue further/i);
    expect(moment).toMatch(/Dana answered\s+Three percent\. That’s my signature/i);
    expect(moment).toMatch(/From the author\s+Dana can sign for three percent/i);
    const instead = await section('Say instead').innerText();
    expect(instead).toMatch(/You said, in your line 2\s+Two things\./i);
    expect(instead).toMatch(/Say · adapted to this talk\s+Either three percent now/i);
    expect(instead).toMatch(/Why\s+Two ways let her choose/i);
    expect(instead).toContain('Retry from your line 2');
    expect(await section('What never happened').innerText()).toMatch(
      /Offers at least two ways\s+You could have done this from your line 2 on\./,
    );
    expect(await section('What Dana kept back').innerText()).toContain('Ask what happens to the team');
  });

  it("reads back what came of it, with the player's own words and the way to them", async () => {
    const { page } = current();
    await openJudged();
    const outcome = section('What came of it');
    expect(await outcome.innerText()).toMatch(
      /Dana knows your number\.\s+Your line 1\s+I'd like to go from 46,500 to 53,000\.\s+Nobody said what happens next\./i,
    );
    await outcome.getByRole('button', { name: 'Your line 1' }).click();
    expect(await page.locator('#turn-2').getAttribute('data-shown')).toBe('true');
    await page.locator('#turn-2:focus').waitFor();
  });

  it('says of a demo talk that the lines were prepared, and nothing of others', async () => {
    const { page, go } = current();
    const one = await openJudged();
    const label = page.getByText('Demo: the character spoke prepared lines.');
    expect(await label.count()).toBe(0);
    one.session = { ...one.session, demo: true };
    await go(`/sessions/${one.session.id}/debrief`);
    await label.waitFor();
  });

  it('counts beside the last time', async () => {
    const { page } = current();
    await openJudged();
    const cellsOf = (name: string) =>
      section('In numbers')
        .getByRole('row', { name: new RegExp(`^${name}`) })
        .getByRole('cell')
        .allInnerTexts();
    expect(await cellsOf('Your share of all words')).toEqual(['42%', '61%']);
    expect(await cellsOf('First line that asks for what you want')).toEqual(['1', 'none']);
    await page.getByRole('columnheader', { name: 'Last time' }).waitFor();
  });

  it('says each verdict in a word, with the line and its words, in the place of the guessed anchor', async () => {
    const { page } = current();
    await openJudged();
    const verdictOf = async (check: string) =>
      (await page.locator('.checks > li').filter({ hasText: check }).innerText()).replace(/\s+/g, ' ');
    expect(await verdictOf('Names one figure')).toMatch(
      /^met Names one figure or a narrow range \+30 points Your line 1: go from 46,500 to 53,000 Show in transcript$/i,
    );
    expect(await verdictOf('Says the limit back')).toMatch(/^missed Says the limit back before going on −20 points$/i);
    expect(await verdictOf('Fixes who does what')).toMatch(/^not judged Fixes who does what by which day$/i);
    expect(await verdictOf('Argued on')).toMatch(/^happened Argued on .* −10 points Your line 2: /i);
    expect(await page.locator('.score-anchor, .observations').count()).toBe(0);
    await page.getByText('Why this works').click();
    await page.getByText('A first figure becomes the one').waitFor();
    await page.getByText('Galinsky and Mussweiler, 2001').waitFor();
    await page.getByText(/by fake-small\. Decided by two of three readings\. Readings differ by up to 10/).waitFor();
  });

  it('marks the words in the transcript: by keyboard from the check, and evidence that overlaps in one mark', async () => {
    const { page } = current();
    await openJudged();
    const marks = page.locator('.debrief-script mark');
    expect(await marks.allInnerTexts()).toEqual([
      'go from 46,500 to 53,000. Since March',
      'Both are in the Monday report',
      'what can you decide yourself here',
    ]);
    const text = await page.locator('#turn-2 .line-words').innerText();
    expect(text).toBe(
      'Thanks for making the time, Dana. It is about my pay. I’d like to go from 46,500 to 53,000. Since March I have done Piotr’s supplier claims beside the planning.',
    );
    const button = page.getByRole('button', { name: 'Show in transcript: Names it within the first five lines' });
    await button.focus();
    await page.keyboard.press('Enter');
    const focused = page.locator('mark:focus');
    expect(await focused.getAttribute('aria-label')).toBe(
      'Met: Names one figure or a narrow range; Met: Names it within the first five lines',
    );
    await page.keyboard.press('Tab');
    expect(await focused.getAttribute('aria-label')).toBe('Cost points: Argued on after she had named a limit');
  });

  it('says why nothing was judged, and shows no scores', async () => {
    const { page, api, go } = current();
    const one = api.debriefed(1, writeUnjudgedDebrief);
    await go(`/sessions/${one.session.id}/debrief`);
    await page.getByText('You left before there was anything to judge.').waitFor();
    expect(await page.locator('.overall, .score').count()).toBe(0);
    expect(await page.getByText('Nothing stands out').count()).toBe(0);
  });

  it('says that the scores were computed again', async () => {
    const { page, api, go } = current();
    const one = api.debriefed(5, (played) => ({
      ...writeJudgedDebrief(played),
      rescored: { score_before: 61, comparable: false, note: 'The checks are not the same as then.' },
    }));
    await go(`/sessions/${one.session.id}/debrief`);
    await page
      .getByText('The scores were computed again. Before: 61 of 100. The checks are not the same as then.')
      .waitFor();
  });

  it('is clean for axe, on a phone too', async () => {
    const { page, api, go } = current();
    const one = api.debriefed(5, writeJudgedDebrief);
    await go('/');
    const browser = page.context().browser();
    if (browser === null) throw new Error('The tab has no browser.');
    for (const width of [1280, 360]) {
      const tab = await openTab(browser, {
        bypassCSP: true,
        reducedMotion: 'reduce',
        viewport: { width, height: 800 },
      });
      await tab.page.goto(new URL(`/sessions/${one.session.id}/debrief`, page.url()).href);
      await tab.page.getByRole('heading', { name: 'Say instead' }).waitFor();
      expect(await axeViolations(tab.page)).toEqual([]);
      expect(await tab.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      await tab.context.close();
    }
  });
});

describePage('progress that counts what counts', (current) => {
  const attempt = {
    ended_at: '2026-01-01T00:00:00.000Z',
    attempt: 'first' as const,
    difficulty: 'hard' as const,
    coaching: false,
    finished: true,
    ending_type: 'success' as const,
    overall_score: 60,
    dimensions: { clear_ask: 60 },
  };
  const idOf = (at: number) => `session-${at}-of-the-counting-test`;
  const point = (at: number, score: number) => ({
    session_id: idOf(at),
    ended_at: attempt.ended_at,
    attempt: attempt.attempt,
    score,
  });

  it('leaves unfinished talks out, sets coached ones and demo talks apart, and names no level before there are three', async () => {
    const { page, api, go } = current();
    api.home.progress = {
      scenarios: [
        {
          scenario_id: 'the_ask',
          title: 'The ask',
          attempts: [
            { ...attempt, session_id: idOf(1), overall_score: 41 },
            { ...attempt, session_id: idOf(2), overall_score: 92, coaching: true, difficulty: 'warm' },
            { ...attempt, session_id: idOf(3), overall_score: 50, finished: false, ending_type: 'player_exit' },
            { ...attempt, session_id: idOf(4), overall_score: 77, demo: true },
          ],
        },
      ],
      dimensions: [
        { id: 'clear_ask', name: 'A clear ask', points: [point(1, 41), point(2, 92), point(3, 50), point(4, 77)] },
      ],
      skills: [
        { id: 'asking_clearly', name: 'Asking clearly', judged_checks: 12, level: 64, points: [] },
        { id: 'listening', name: 'Listening and saying it back', judged_checks: 1, level: null, points: [] },
      ],
      suggestions: [],
    };
    await go('/progress');
    const table = page.getByRole('region', { name: 'The ask' });
    await table.waitFor();
    const parts = (await table.locator('tbody').allInnerTexts()).map((text) => text.trim());
    expect(parts).toHaveLength(3);
    expect(parts[0]).toMatch(/First attempt\s+Hard\s.*41$/s);
    expect(parts[1]).toMatch(/^Coached talks.*Warm\s.*92$/s);
    expect(parts[2]).toMatch(/^Demo talks: prepared lines.*Hard\s.*77$/s);
    await page.getByRole('img', { name: 'A clear ask: 41, oldest first' }).waitFor();
    expect(await page.locator('.skill-levels dd').allInnerTexts()).toEqual([
      '64 of 100 12 judged checks',
      'Not enough data yet 1 judged check',
    ]);
    await go('/');
    await page.getByText('Last score: 41').waitFor();
  });
});
