import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import type { Pack } from '@parley/shared/contracts';
import { describeInBrowser, openBrowser } from '@parley/shared/testing';
import { ParleySet } from '../set/parley-set';

const GERMAN_LINES = [
  'Danke, dass du Zeit hast. Ich möchte freitags von zu Hause arbeiten, weil ich dort in Ruhe schreiben kann.',
  'Was würde dir daran Sorgen machen?',
  'Ich verstehe, dass jemand da sein muss, wenn ein Kunde anruft. Wie wäre es, wenn ich die Anrufe zu Hause annehme?',
  'Schauen wir am ersten Freitag im Dezember noch einmal darauf. Passt dir das?',
];

/** Where the pictures go that a person may look at after a run. */
const PICTURES = path.join(__dirname, '..', '..', 'test-results', 'rehearse');
/** What somebody says who has read the briefing. */
const LINES = [
  "Thank you for the time. I'd like to work from home on Fridays, because I write best where it is quiet.",
  'What would worry you about that?',
  'I hear that somebody has to be there when a customer calls. What if I take those calls at home?',
  "Let's look at it again on the first Friday in December. Does that work for you?",
];

describeInBrowser('a person rehearses a talk of their own, without a model', (chromium) => {
  let set: ParleySet;
  let browser: Browser;
  beforeAll(async () => {
    mkdirSync(PICTURES, { recursive: true });
    set = await ParleySet.start({ withUi: true });
    browser = await openBrowser(chromium);
  });
  afterAll(async () => {
    await browser?.close();
    await set?.stop();
  });

  const picture = (page: Page, name: string) =>
    page.screenshot({ path: path.join(PICTURES, `${name}.png`), fullPage: true });

  it('from three answers to the letter, and later to the workbench', async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(set.urlOf('ui'));
    await page.getByRole('link', { name: 'Rehearse my own' }).click();
    await page.getByLabel('Who are you talking to?').fill('Marta, my team lead');
    await page.getByLabel('What do you want from them?').fill('work from home on Fridays');
    await page.getByLabel('What do they fear or need?').fill('that someone is there when a customer calls');
    await picture(page, 'form');
    await page.getByRole('button', { name: 'Create the scenario' }).click();
    const begin = page.getByRole('button', { name: 'Begin' });
    await begin.waitFor();
    await picture(page, 'briefing');
    await begin.click();

    const spoken = page.getByRole('log').locator('.line-npc');
    await spoken.first().waitFor();
    for (const [at, line] of LINES.entries()) {
      await page.getByRole('textbox').fill(line);
      await page.getByRole('button', { name: 'Say it' }).click();
      await spoken.nth(at + 1).waitFor();
    }
    await page.getByRole('heading', { name: 'A next step' }).waitFor();
    await picture(page, 'ending');
    await page.getByText('Read the debrief').click();
    await page.getByRole('button', { name: 'Skip' }).click();
    for (const dimension of ['Saying it', 'Hearing the other side', 'A step that both can take'])
      await page.getByText(dimension).first().waitFor();
    await picture(page, 'letter');
    expect(complaints).toEqual([]);

    const { packs } = (await set.call<{ packs: Pack[] }>('GET', '/api/packs')).body;
    expect(packs.filter(({ built_in: builtIn }) => !builtIn).map(({ pack_id: id }) => id)).toEqual([
      'my.a_talk_with_marta',
    ]);

    await page.goto(`${set.urlOf('ui')}/packs`);
    await page.getByText('Personal', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Open the workbench' }).click();
    // One's own pack is what is offered first.
    await page.getByRole('button', { name: 'Copy to the workbench' }).click();
    await page.getByRole('heading', { name: 'A talk with Marta' }).waitFor();
    await page.getByText('No findings.').waitFor();
  });

  it('in German, where the browser asks for it', async () => {
    const context = await browser.newContext({ locale: 'de-DE', viewport: { width: 1280, height: 860 } });
    const page = await context.newPage();
    await page.goto(`${set.urlOf('ui')}/rehearse`);
    await page.getByLabel('Mit wem sprichst du?').fill('Marta, meine Teamleiterin');
    await page.getByLabel('Was willst du?').fill('freitags von zu Hause arbeiten');
    await page
      .getByLabel('Was fürchtet oder braucht dein Gegenüber?')
      .fill('dass jemand da ist, wenn ein Kunde anruft');
    await page.getByRole('button', { name: 'Szenario anlegen' }).click();
    const begin = page.getByRole('button', { name: 'Anfangen' });
    await begin.waitFor();
    await picture(page, 'briefing-de');
    await begin.click();
    const spoken = page.getByRole('log').locator('.line-npc');
    await spoken.first().waitFor();
    for (const [at, line] of GERMAN_LINES.entries()) {
      await page.getByRole('textbox').fill(line);
      await page.getByRole('button', { name: 'Sagen', exact: true }).click();
      await spoken.nth(at + 1).waitFor();
    }
    await page.getByRole('heading', { name: 'Ein nächster Schritt' }).waitFor();
    await picture(page, 'ending-de');
    await page.getByText('Auswertung lesen').click();
    await page.getByRole('button', { name: 'Überspringen' }).click();
    for (const dimension of ['Es sagen', 'Die andere Seite hören', 'Ein Schritt für beide'])
      await page.getByText(dimension).first().waitFor();
    await picture(page, 'letter-de');
    const { sessions } = (
      await set.call<{ sessions: { language: string; ending_type: string }[] }>('GET', '/api/sessions')
    ).body;
    expect(sessions[0]).toMatchObject({ language: 'de', ending_type: 'success' });
    await context.close();
  });
});
