import { waitUntil } from '@parley/shared/testing';
import { describePage } from './page-suite';

describePage('what is kept', (current) => {
  const composer = () => current().page.locator('.composer-field');
  const slider = (name: RegExp) => current().page.getByRole('slider', { name });

  it('of a self-rating over a reload, though the debrief is ready by then', async () => {
    const { page, api, go } = current();
    const { session } = api.played(5);
    await go(`/sessions/${session.id}/debrief`);
    await slider(/A clear ask/).fill('40');
    await slider(/Finding her interests/).fill('75');
    await waitUntil('the debrief', () => api.find(session.id).session.flow_state === 'DebriefReady');
    // Looking away and back asks for the session again.
    const asked = page.waitForResponse((answer) => answer.url().endsWith(`/api/sessions/${session.id}`));
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
    await (await asked).finished();
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    expect(await slider(/A clear ask/).inputValue()).toBe('40');
    await page.reload();
    await slider(/A clear ask/).waitFor();
    expect(await slider(/A clear ask/).inputValue()).toBe('40');
    expect(await slider(/Finding her interests/).inputValue()).toBe('75');
    await page.getByRole('button', { name: 'Compare with the debrief' }).click();
    await page.getByText('You said 40').waitFor();
    await page.getByText('You said 75').waitFor();
    expect(api.find(session.id).selfRatings).toEqual({ clear_ask: 40, interests: 75 });
    await page.reload();
    await page.getByRole('heading', { name: 'Next time' }).waitFor();
  });

  it('of a self-rating only until it is given: who skipped it is not asked again', async () => {
    const { page, api, go } = current();
    const { session } = api.played(5);
    await go(`/sessions/${session.id}/debrief`);
    await slider(/A clear ask/).fill('40');
    await page.getByRole('button', { name: 'Skip' }).click();
    await page.getByRole('heading', { name: 'Next time' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Next time' }).waitFor();
    expect(await slider(/A clear ask/).count()).toBe(0);
  });

  it('of words that were typed until the very moment of an ending, in sight and over a reload', async () => {
    const { page, api, go } = current();
    const { session } = api.played(4);
    api.talk.holdAfterWords = 2;
    await go(`/play/${session.id}`);
    await composer().fill('You have it by Friday noon.');
    await composer().press('Enter');
    await page.locator('.line-live', { hasText: 'Friday noon' }).waitFor();
    await composer().pressSequentially('And one more thing, since');
    api.goOn();
    await page.getByRole('heading', { name: 'A case she can carry' }).waitFor();
    await page.getByText('Your unsent text').waitFor();
    await page.getByText('And one more thing, since').waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'A case she can carry' }).waitFor();
    await page.getByText('And one more thing, since').waitFor();
    expect(api.find(session.id).turns.at(-2)?.text).toBe('You have it by Friday noon.');
  });

  it('of such words in the tab alone where transcripts are not kept', async () => {
    const { page, api, go } = current();
    const one = api.played(4);
    one.session = { ...one.session, transcript_saved: false };
    api.talk.holdAfterWords = 2;
    await go(`/play/${one.session.id}`);
    await composer().fill('You have it by Friday noon.');
    await composer().press('Enter');
    await page.locator('.line-live', { hasText: 'Friday noon' }).waitFor();
    await composer().pressSequentially('Secret words');
    api.goOn();
    await page.getByText('Secret words').waitFor();
    await page.getByRole('heading', { name: 'A case she can carry' }).waitFor();
    await page.getByText('Secret words').waitFor();
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))).not.toContain('Secret');
  });
});
