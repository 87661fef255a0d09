import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import type { Session, SessionList } from '@parley/shared/contracts';
import { describeInBrowser, openBrowser, waitUntil } from '@parley/shared/testing';
import { ParleySet } from '../set/parley-set';

/** Where the pictures go that a person may look at after a run. */
const PICTURES = path.join(__dirname, '..', '..', 'test-results', 'browser');

/** What a skilled player says, over and over: figures, questions, an offer, a next step. */
const LINES = [
  'I would like 53,000. The reorder sheet cut stock-outs from 31 to 9 a month. What limits you here?',
  'I understand the freeze puts you in a hard place. What would Ines need to see from us?',
  'How about one page with three results by Friday, and a step to grade 6 in January?',
  'Thank you. I write the page by Thursday noon and you take it to Ines on Friday. Does that work for you?',
];

describeInBrowser('a person plays the_ask in the browser, against the whole set on the demo runtime', (chromium) => {
  let set: ParleySet;
  let browser: Browser;
  beforeAll(async () => {
    mkdirSync(PICTURES, { recursive: true });
    // Words come one by one, as from a model, so that what streams can be seen.
    set = await ParleySet.start({ withUi: true, environment: { SIM_FAKE_WORD_DELAY_MS: '15' } });
    browser = await openBrowser(chromium);
  });
  afterAll(async () => {
    await browser?.close();
    await set?.stop();
  });

  const complaints: string[] = [];
  const open = async (): Promise<Page> => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    // Every text that the line being spoken ever had, as a person could have seen it.
    await page.addInitScript(() => {
      const seen: string[] = [];
      (window as unknown as { seenLive: string[] }).seenLive = seen;
      new MutationObserver(() => {
        const text = document.querySelector('.line-live .line-words')?.textContent ?? '';
        if (text !== '' && seen.at(-1) !== text) seen.push(text);
      }).observe(document, { subtree: true, childList: true, characterData: true });
    });
    return page;
  };
  const newestSession = async (): Promise<Session> => {
    const list = (await set.call<SessionList>('GET', '/api/sessions?limit=1')).body;
    return list.sessions[0] as Session;
  };
  const say = async (page: Page, text: string): Promise<void> => {
    const before = (await newestSession()).turn_count;
    const box = page.getByRole('textbox');
    await box.fill(text);
    await page.getByRole('button', { name: 'Say it' }).click();
    await waitUntil('the turn to be stored', async () => (await newestSession()).turn_count === before + 2).catch(
      async (error: unknown) => {
        await page.screenshot({ path: path.join(PICTURES, 'stuck.png') });
        throw error;
      },
    );
  };

  it('from the library to the debrief, with words seen streaming, and a reload in the middle', async () => {
    const page = await open();
    await page.goto(set.urlOf('ui'));
    await page
      .getByRole('link', { name: /the ask/i })
      .first()
      .click();
    await page.getByRole('button', { name: 'Begin' }).click();
    await page.getByText('push the samples off the chair').first().waitFor();

    await say(page, LINES[0] as string);
    const spoken = page.getByRole('log').locator('.line-npc');
    await spoken.nth(1).waitFor();
    const final = (await spoken.nth(1).locator('.line-words').textContent()) ?? '';
    const live = await page.evaluate(() => (window as unknown as { seenLive: string[] }).seenLive);
    const partial = live.filter((text) => text.length < final.length && final.startsWith(text.trim()));
    expect(partial.length).toBeGreaterThan(0);

    await page.getByRole('textbox').fill('A draft that must survive');
    await page.reload();
    await page.getByText('push the samples off the chair').first().waitFor();
    await page
      .getByText(LINES[0] as string)
      .first()
      .waitFor();
    expect(await page.getByRole('textbox').inputValue()).toBe('A draft that must survive');
    expect(await page.getByRole('meter').count()).toBeGreaterThanOrEqual(4);
    await page.screenshot({ path: path.join(PICTURES, 'stage.png') });

    for (let turn = 1; turn < 14; turn += 1) {
      if ((await newestSession()).flow_state === 'Ended') break;
      await say(page, LINES[turn % LINES.length] as string);
      await page.getByRole('textbox').or(page.getByText('Read the debrief')).first().waitFor();
    }
    const ended = await newestSession();
    expect([ended.flow_state, ended.ending_type, ended.ending_id]).toEqual([
      'Ended',
      'success',
      'a_case_she_can_carry',
    ]);
    await page.getByRole('heading', { name: 'A case she can carry' }).waitFor();
    await page.screenshot({ path: path.join(PICTURES, 'ending.png') });

    await page.getByText('Go back to the deciding moment').click();
    await page.getByRole('heading', { name: 'The moment again' }).waitFor();
    await page.getByRole('textbox').fill(LINES[0] as string);
    await page.getByRole('button', { name: 'Try this line' }).click();
    await page.getByText('2 of 3 tries left').waitFor();
    await page.screenshot({ path: path.join(PICTURES, 'moment.png'), fullPage: true });

    await page.getByText('Read the debrief').click();
    const skip = page.getByRole('button', { name: 'Skip' });
    await skip.click();
    for (const dimension of ['A clear ask', 'Evidence she can check', 'Finding her interests', 'Options and a close'])
      await page.getByText(dimension).first().waitFor();
    expect((await newestSession()).flow_state).toBe('DebriefReady');
    await page.screenshot({ path: path.join(PICTURES, 'debrief.png') });
    await page.screenshot({ path: path.join(PICTURES, 'debrief-whole.png'), fullPage: true });
    expect(complaints).toEqual([]);
  });
});
