import { waitUntil } from '@parley/shared/testing';
import { drawn, holdNext } from './in-browser';
import { describePage } from './page-suite';
import { writeJudgedDebrief } from './stand-in/stand-in-judged-debrief';

describePage('answers that are slow or do not come', (current) => {
  const button = (name: string) => current().page.getByRole('button', { name, exact: true });
  const confirm = (name: string) => current().page.getByRole('dialog').getByRole('button', { name }).click();

  it('say that a talk could not be ended, and end it at the next press', async () => {
    const { page, api, go } = current();
    const { session } = api.played(2);
    await go(`/play/${session.id}`);
    await page.route('**/end', (route) => route.abort(), { times: 1 });
    await button('End the talk').click();
    await confirm('End it');
    await page.getByRole('alert').getByText('The talk could not be ended.').waitFor();
    await button('Go on with the talk').click();
    await page.locator('.composer-field').waitFor();
    await page.route('**/end', (route) => route.abort(), { times: 1 });
    await button('End the talk').click();
    await confirm('End it');
    await button('Try again').click();
    await page.getByRole('heading', { name: 'You ended the talk' }).waitFor();
  });

  it('leave the way to end a talk whose model is away', async () => {
    const { page, api, go } = current();
    const { session } = api.played(2);
    api.talk.failNextTurn = 'RUNTIME_UNAVAILABLE';
    await go(`/play/${session.id}`);
    await page.locator('.composer-field').fill('Anybody there?');
    await page.locator('.composer-field').press('Enter');
    await page.getByRole('alert').getByText('The model runtime cannot be reached.').waitFor();
    await button('End the talk').click();
    await confirm('End it');
    await page.getByRole('heading', { name: 'You ended the talk' }).waitFor();
  });

  it('do not hold up a rating while the debrief is being written', async () => {
    const { page, api, go } = current();
    const { session } = api.played(5);
    const debrief = await holdNext(page, '**/api/sessions/*/debrief');
    await go(`/sessions/${session.id}/debrief`);
    await page.getByRole('slider', { name: /A clear ask/ }).fill('40');
    await debrief.asked;
    await button('Compare with the debrief').click();
    await page.getByText('The debrief is being written…').first().waitFor();
    expect(api.find(session.id).selfRatings).toEqual({ clear_ask: 40 });
    await debrief.letGo();
    await page.getByText('You said 40').waitFor();
  });

  it('take no page away that stands already, with what was typed on it', async () => {
    const { page, api, go } = current();
    api.debriefs.areKept = true;
    const { session } = api.debriefed(5, writeJudgedDebrief);
    await go(`/sessions/${session.id}/moment`);
    const composer = page.locator('.composer-field');
    await composer.fill('What can you decide yourself?');
    let failed = 0;
    page.on('requestfailed', () => (failed += 1));
    const address = `**/api/sessions/${session.id}`;
    await page.route(address, (route) => route.abort());
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
    // Asked once, and once more.
    await waitUntil('both to fail', () => failed === 2);
    await drawn(page);
    expect(await composer.inputValue()).toBe('What can you decide yourself?');
    expect(await page.getByRole('alert').count()).toBe(0);
    api.debriefs.areKept = false;
  });

  it('are asked for again, all that a letter lacks', async () => {
    const { page, api, go } = current();
    api.debriefs.areKept = true;
    const { session } = api.debriefed(5, writeJudgedDebrief);
    await page.route('**/transcript', (route) => route.abort());
    await go(`/sessions/${session.id}/debrief`);
    await page.getByRole('alert').waitFor();
    await page.unroute('**/transcript');
    await button('Try again').click();
    await page.locator('#turn-2').waitFor();
    api.debriefs.areKept = false;
  });

  it('make one retry, however often it is asked for, and take nobody along who has left', async () => {
    const { page, api, go } = current();
    api.debriefs.areKept = true;
    const { session } = api.debriefed(5, writeJudgedDebrief);
    await go(`/sessions/${session.id}/debrief`);
    const retry = page.getByRole('button', { name: /^Retry from your line/ }).first();
    await retry.waitFor();
    const before = api.sessions.size;
    const fork = await holdNext(page, '**/fork');
    await retry.click();
    await fork.asked;
    await retry.click({ force: true });
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByRole('heading', { name: 'History', level: 1 }).waitFor();
    await fork.letGo();
    expect(new URL(page.url()).pathname).toBe('/history');
    expect(api.sessions.size).toBe(before + 1);
    api.debriefs.areKept = false;
  });
});
