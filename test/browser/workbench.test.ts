import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, openBrowser } from '@parley/shared/testing';
import { ParleySet } from '../set/parley-set';

/** Where the pictures go that a person may look at after a run. */
const PICTURES = path.join(__dirname, '..', '..', 'test-results', 'workbench');
const SCENARIO = 'scenarios/fridays_at_home.yaml';
/** What somebody says who has read the briefing. */
const LINES = [
  "Thank you for the time. I'd like to work from home on Fridays, because I write best where it is quiet.",
  'What would worry you about that?',
  'I hear that somebody has to be there when a customer calls. What if I take those calls at home?',
  "Let's look at it again on the first Friday in December. Does that work for you?",
];

const picture = (page: Page, name: string) =>
  page.screenshot({ path: path.join(PICTURES, `${name}.png`), fullPage: true });

/** A tab that writes down what it complains about, broken policies among them. */
async function openTab(browser: Browser, complaints: string[]): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  page.setDefaultTimeout(20_000);
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (line) => {
    if (line.type() === 'error' && !/Failed to load resource/.test(line.text())) complaints.push(line.text());
  });
  return page;
}

async function fillForm(page: Page): Promise<void> {
  await page.getByLabel('Who are you talking to?').fill('Marta, my team lead');
  await page.getByLabel('What do you want from them?').fill('work from home on Fridays');
  await page.getByLabel('What do they fear or need?').fill('that someone is there when a customer calls');
  await page.getByLabel('What is it called?').fill('Fridays at home');
  await page.getByLabel('Who wrote it?').fill('Kim');
}

/** Says a line in the talk of the workbench; `count` lines are answered then. */
async function sayInDraft(page: Page, line: string, count: number): Promise<void> {
  await page.getByLabel('Your line').fill(line);
  await page.getByRole('button', { name: 'Say it' }).click();
  await page.locator('.workbench-lines > li').nth(count).waitFor();
}

/** From the briefing to the ending that a skilled player reaches. */
async function play(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Begin' }).click();
  const spoken = page.getByRole('log').locator('.line-npc');
  await spoken.first().waitFor();
  for (const [at, line] of LINES.entries()) {
    await page.getByRole('textbox').fill(line);
    await page.getByRole('button', { name: 'Say it' }).click();
    await spoken.nth(at + 1).waitFor();
  }
  await page.getByRole('heading', { name: 'A next step' }).waitFor();
}

describeInBrowser('a pack is written on the page', (chromium) => {
  let set: ParleySet;
  let other: ParleySet;
  let browser: Browser;
  beforeAll(async () => {
    mkdirSync(PICTURES, { recursive: true });
    set = await ParleySet.start({ withUi: true });
    other = await ParleySet.start({ withUi: true });
    browser = await openBrowser(chromium);
  });
  afterAll(async () => {
    await browser?.close();
    await other?.stop();
    await set?.stop();
  });

  it('made from the form, mended, played from a set state, recorded, exported, and played elsewhere', async () => {
    const complaints: string[] = [];
    const page = await openTab(browser, complaints);
    await page.goto(set.urlOf('ui'));
    await page.getByRole('link', { name: 'Packs', exact: true }).click();
    await page.getByRole('link', { name: 'Open the workbench' }).click();
    await fillForm(page);
    await picture(page, 'list');
    await page.getByRole('button', { name: 'Create the draft' }).click();
    await page.getByRole('heading', { name: 'Fridays at home' }).waitFor();
    await page.getByText('No findings.').waitFor();

    await page.getByRole('button', { name: 'fridays_at_home.yaml' }).click();
    const editor = page.getByRole('textbox', { name: `Text of ${SCENARIO}` });
    await editor.click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('emoton: x');
    await page.getByText('1 error, 0 warnings').first().waitFor();
    await page.getByText('Fix the errors first').waitFor();
    await picture(page, 'finding');
    await page.getByRole('button', { name: 'manifest.yaml' }).click();
    await page.getByRole('textbox', { name: 'Text of manifest.yaml' }).waitFor();
    await page.getByRole('button', { name: new RegExp(`^${SCENARIO}:\\d+:1$`) }).click();
    await editor.getByText('emoton').waitFor();
    // The cursor stands in the line that the finding names.
    await page.keyboard.press('Control+Shift+K');
    await page.getByText('No findings.').waitFor();

    await page.getByRole('button', { name: 'Story' }).click();
    await page.getByRole('row').filter({ hasText: 'a_next_step' }).waitFor();
    await picture(page, 'story');

    await page.getByRole('button', { name: 'Talk', exact: true }).click();
    await page.getByText('Where it begins').click();
    await page.getByLabel('Patience').fill('40');
    await page.getByLabel('Lines already said by the player').fill('6');
    await page.getByRole('checkbox', { name: 'said_it' }).check();
    await page.getByRole('button', { name: 'Start from here' }).click();
    await sayInDraft(page, 'What would worry you about it?', 1);
    await sayInDraft(page, "I hear that. Let's try it for a month. Shall we look at it again on Friday at ten?", 2);
    await page.getByText('Record as a playthrough').click();
    await page.getByLabel('Name (a–z, 0–9 and _)').fill('late_ask');
    await page.getByLabel('Who plays here, and how it goes').fill('Asks late, with little patience left.');
    await page.getByRole('button', { name: 'Record', exact: true }).click();
    await page.getByText('Recorded in tests/late_ask.yaml.').waitFor();
    await picture(page, 'talk');
    // The other voice: what plays here is the gateway, with the runtime that is chosen.
    await page.getByRole('radio', { name: 'The model' }).check();
    await page.getByRole('button', { name: 'Start from here' }).click();
    await page.locator('.workbench-lines > li').nth(1).waitFor({ state: 'detached' });
    await sayInDraft(page, 'What would worry you about it?', 1);
    await page.setViewportSize({ width: 320, height: 800 });
    await picture(page, 'talk-320');
    await page.getByRole('button', { name: 'Story' }).click();
    await page.getByRole('row').filter({ hasText: 'a_next_step' }).waitFor();
    await picture(page, 'story-320');
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole('button', { name: 'Files', exact: true }).click();
    await page.getByText('late_ask as expected').waitFor();

    await page.getByRole('button', { name: 'Install', exact: true }).click();
    await page.getByText('Installed. Play it:').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export zip' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('my.fridays_at_home.zip');
    const zip = path.join(set.folder.path, 'exported.zip');
    await download.saveAs(zip);
    await page.setViewportSize({ width: 320, height: 800 });
    await picture(page, 'draft-320');

    const there = await openTab(browser, complaints);
    await there.goto(`${other.urlOf('ui')}/packs`);
    await there.getByLabel('Choose a zip file').setInputFiles(zip);
    await there.getByText('Fridays at home is installed.').waitFor();
    await there.getByRole('link', { name: 'Library' }).click();
    await there.getByRole('link', { name: 'Fridays at home' }).first().click();
    await play(there);
    expect(complaints).toEqual([]);
  });
});
