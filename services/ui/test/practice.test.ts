import { waitUntil } from '@parley/shared/testing';
import { axeViolations } from './axe-violations';
import { openTab } from './in-browser';
import { describePage } from './page-suite';
import { writeJudgedDebrief } from './stand-in/stand-in-judged-debrief';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Five places, each looked over by axe, on a machine that does other things beside. */
const FIVE_PLACES_MS = 180_000;

describePage('what a retry is for', (current) => {
  const composer = () => current().page.locator('.composer-field');
  const note = () => current().page.getByRole('region', { name: 'What this retry is for' });

  it('stands over the composer with the old line, over a reload, until the line is said', async () => {
    const { page, api, go } = current();
    api.debriefs.areKept = true;
    const one = api.debriefed(5, writeJudgedDebrief);
    await go(`/sessions/${one.session.id}/debrief`);
    await page
      .locator('.suggestion', { hasText: 'Which is easier to carry?' })
      .getByRole('button', { name: 'Retry from your line 2' })
      .click();
    await note().waitFor();
    await page.reload();
    expect((await note().innerText()).replace(/\s+/g, ' ')).toMatch(
      /^Say Either three percent now .*carry\? You said, in your line 2 Two things\. Stock-outs/i,
    );
    await composer().fill('Either three percent now, or two halves?');
    await composer().press('Enter');
    await page.getByRole('log').getByText('Either three percent now, or two halves?').waitFor();
    expect(await note().count()).toBe(0);
    await page.reload();
    await composer().waitFor();
    expect(await note().count()).toBe(0);
  });
});

describePage('coaching', (current) => {
  const composer = () => current().page.locator('.composer-field');
  const told = () => current().page.getByRole('region', { name: 'What this line would do' });
  const offer = () => current().page.getByRole('checkbox', { name: /^Coaching: see what a line is missing/ });

  it('is offered at the easiest difficulty only, and checks a line before it is said', async () => {
    const { page, api, go } = current();
    await go('/scenarios/the_ask');
    await page.getByLabel('An ordinary Tuesday').waitFor();
    expect(await offer().count()).toBe(0);
    await page.getByLabel('A good week').check();
    await offer().check();
    await page.getByRole('button', { name: 'Begin' }).click();
    await page.waitForURL(/\/play\//);
    await composer().fill('So what can you decide?');
    await page.getByRole('button', { name: 'Check this line' }).waitFor();
    await composer().press('Control+Enter');
    await told().waitFor();
    expect((await told().innerText()).replace(/\s+/g, ' ')).toMatch(
      /Meets Asks an open question about her limits Is missing Says the limit back/i,
    );
    expect(await told().locator('mark').innerText()).toBe('what can you decide');
    const made = [...api.sessions.values()].at(-1);
    expect(made?.session.coaching).toBe(true);
    expect(made?.turns).toHaveLength(1);
    await composer().press('End');
    await composer().pressSequentially(' Three percent?');
    expect(await told().count()).toBe(0);
    await page.getByRole('button', { name: 'Check this line' }).click();
    await told().waitFor();
    expect(await told().getByText('Is missing').count()).toBe(0);
  });

  it('never says a line that was to be checked a moment too early', async () => {
    const { page, api, go } = current();
    const one = api.played(1);
    one.session = { ...one.session, coaching: true };
    const ready = api.home.runtime;
    api.home.runtime = { ...ready, runtime_id: 'local_server', status: 'STARTING' };
    await go(`/play/${one.session.id}`);
    await composer().fill('So what can you decide?');
    await composer().press('Control+Enter');
    await page.getByText('A line can be checked when it is your turn.').first().waitFor();
    api.home.runtime = ready;
    await page.getByRole('button', { name: 'Check this line' }).click();
    await told().waitFor();
    expect(one.turns.some(({ text }) => text === 'So what can you decide?')).toBe(false);
  });

  it('is not offered on the stage of a talk without it, and is named in the letter and the history', async () => {
    const { page, api, go } = current();
    const plain = api.played(1);
    await go(`/play/${plain.session.id}`);
    await composer().waitFor();
    expect(await page.getByRole('button', { name: 'Check this line' }).count()).toBe(0);
    const one = api.debriefed(5, writeJudgedDebrief);
    one.session = { ...one.session, coaching: true };
    await go(`/sessions/${one.session.id}/debrief`);
    await page.getByText('This talk was coached, so your progress counts it separately.').waitFor();
    await go('/history');
    await page.locator('.history-row', { hasText: 'Coached' }).first().waitFor();
  });
});

describePage('after the letter', (current) => {
  const plans = () =>
    current().page.evaluate(() => JSON.parse(localStorage.getItem('parley.plans') ?? '[]') as object[]);

  beforeEach(() => {
    current().api.debriefs.areKept = true;
  });

  async function makePlan() {
    const { page, api, go } = current();
    const one = api.debriefed(5, writeJudgedDebrief);
    await go(`/sessions/${one.session.id}/debrief`);
    const form = page.locator('.plan-form');
    await form.getByRole('button', { name: 'Save this plan' }).click();
    await form.getByText('Fill in both').waitFor();
    await form.getByLabel('When', { exact: true }).fill('she says there is a freeze');
    await form.getByLabel('I will say').fill('What can you decide yourself?');
    await form.getByLabel('I will say').press('Enter');
    await page.locator('.plan-words').waitFor();
  }

  /** As if the plan had been made so many days ago. */
  async function age(days: number) {
    await current().page.evaluate(
      (madeAt) => {
        const [plan] = JSON.parse(localStorage.getItem('parley.plans') ?? '[]') as object[];
        localStorage.setItem('parley.plans', JSON.stringify([{ ...plan, madeAt }]));
      },
      Date.now() - days * DAY_MS,
    );
  }

  it('keeps one plan in the browser, shows it in the library, and asks about it once, a week later', async () => {
    const { page, api, go } = current();
    await makePlan();
    expect(JSON.stringify([...api.sessions.values()])).not.toContain('freeze”');
    await go('/');
    await page.getByText('she says there is a freeze').waitFor();
    expect(await page.getByText('Did you get to say it?').count()).toBe(0);
    await age(8);
    await page.reload();
    await page.getByText('Did you get to say it?').waitFor();
    await page.getByRole('button', { name: 'Not yet' }).click();
    await page.reload();
    await page.getByText('she says there is a freeze').waitFor();
    expect(await page.getByText('Did you get to say it?').count()).toBe(0);
    await page.getByRole('button', { name: 'Delete it' }).click();
    await waitUntil('no plan', async () => (await plans()).length === 0);
    await page.locator('h1:focus').waitFor();
  });

  it('puts the plan away once the line was said, and deletes it with everything else', async () => {
    const { page, go } = current();
    await makePlan();
    await age(8);
    await go('/');
    await page.getByRole('button', { name: 'Yes', exact: true }).click();
    await waitUntil('no plan', async () => (await plans()).length === 0);
    await makePlan();
    await go('/history');
    await page.getByRole('button', { name: 'Delete everything…' }).click();
    await page.getByLabel('Type “delete” to confirm').fill('delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete everything' }).click();
    await waitUntil('no plan', async () => (await plans()).length === 0);
  });

  const suggest = (days: number) => {
    const { home } = current().api;
    home.progress = {
      ...home.progress,
      suggestions: [
        {
          scenario_id: 'the_ask',
          title: 'The ask',
          difficulty: 'hard',
          focus_dimension: 'interests',
          not_before: new Date(Date.now() + days * DAY_MS).toISOString(),
        },
      ],
    };
  };

  it('suggests the next practice in the letter, and in the library when it is due, until it is dismissed', async () => {
    const { page, api, go } = current();
    suggest(3);
    const one = api.debriefed(5, writeJudgedDebrief);
    await go(`/sessions/${one.session.id}/debrief`);
    await page.getByText('Dana again in 3 days. Difficulty: Hard. Focus: Finding her interests.').waitFor();
    await go('/');
    await page.locator('.scenario-card').first().waitFor();
    expect(await page.getByText('Due for practice').count()).toBe(0);
    suggest(-1);
    await page.reload();
    await page.getByRole('link', { name: 'Dana again. Difficulty: Hard' }).click();
    expect(await page.getByLabel('A bad month').isChecked()).toBe(true);
    expect(await page.getByLabel('Finding her interests').isChecked()).toBe(true);
    await go('/');
    await page.getByRole('button', { name: 'Dismiss: Dana again' }).click();
    expect(await page.getByText('Due for practice').count()).toBe(0);
    await page.reload();
    await page.locator('.scenario-card').first().waitFor();
    expect(await page.getByText('Due for practice').count()).toBe(0);
  });

  it.each([1280, 320])(
    'is clean for axe, %i px wide',
    async (width) => {
      const { page, api, go } = current();
      suggest(-1);
      const letter = api.debriefed(5, writeJudgedDebrief).session.id;
      const coached = api.played(1);
      coached.session = { ...coached.session, coaching: true };
      await go('/');
      const browser = page.context().browser();
      if (browser === null) throw new Error('The tab has no browser.');
      const tab = await openTab(browser, {
        bypassCSP: true,
        reducedMotion: 'reduce',
        viewport: { width, height: 800 },
      });
      const expectGood = async (step: string) => {
        const folder = process.env['PARLEY_SHOTS'];
        if (folder !== undefined) await tab.page.screenshot({ path: `${folder}/${step}-${width}.png`, fullPage: true });
        expect(await axeViolations(tab.page)).toEqual([]);
        expect(await tab.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      };
      await tab.page.goto(new URL(`/sessions/${letter}/debrief`, page.url()).href);
      await tab.page.getByLabel('When', { exact: true }).fill('she says there is a freeze');
      await tab.page.getByLabel('I will say').fill('What can you decide yourself?');
      await expectGood('5-letter');
      await tab.page.getByRole('button', { name: 'Save this plan' }).click();
      await tab.page.evaluate(() => {
        const [plan] = JSON.parse(localStorage.getItem('parley.plans') ?? '[]') as object[];
        localStorage.setItem('parley.plans', JSON.stringify([{ ...plan, madeAt: 0 }]));
      });
      await tab.page.goto(new URL('/', page.url()).href);
      await tab.page.getByText('Due for practice').waitFor();
      await tab.page.getByText('Did you get to say it?').waitFor();
      await expectGood('6-library');
      await tab.page.goto(new URL(`/play/${coached.session.id}`, page.url()).href);
      await tab.page.locator('.composer-field').fill('So what can you decide?');
      await tab.page.getByRole('button', { name: 'Check this line' }).click();
      await tab.page.locator('.coached').waitFor();
      await expectGood('7-coached');
      await tab.page.goto(new URL('/scenarios/the_ask?difficulty=warm', page.url()).href);
      await tab.page.getByRole('checkbox').waitFor();
      await expectGood('8-briefing');
      await tab.page.goto(new URL(`/sessions/${letter}/debrief`, page.url()).href);
      await tab.page.getByRole('button', { name: 'Retry from your line 2' }).first().click();
      await tab.page.locator('.pinned').waitFor();
      await expectGood('9-pinned');
      await tab.context.close();
    },
    FIVE_PLACES_MS,
  );
});
