import type { Page } from 'playwright-core';
import { waitUntil } from '@parley/shared/testing';
import { describePage } from './page-suite';

describePage('a second tab of the same talk', (current) => {
  const composer = (page: Page) => page.locator('.composer-field');
  const say = async (page: Page, words: string) => {
    await composer(page).fill(words);
    await composer(page).press('Enter');
  };

  /** Two tabs on a talk in which so many turns were played. */
  async function twoTabs(turns = 1) {
    const { page, api, go, openAlso } = current();
    const { session } = api.played(turns);
    await go(`/play/${session.id}`);
    const second = await openAlso(`/play/${session.id}`);
    for (const tab of [page, second]) await composer(tab).waitFor();
    return { first: page, second, api, id: session.id };
  }

  it('says who answers whom from the tokens that arrive, shows them, and has the turn when it is over', async () => {
    const { first, second, api } = await twoTabs();
    api.talk.holdAfterWords = 3;
    await say(first, 'Two things.');
    await second.locator('.composer').getByText('Dana is answering in another tab').waitFor();
    await second.locator('.line-live', { hasText: 'The freight figure' }).waitFor();
    expect(await second.getByRole('status').innerText()).toBe('Dana is answering in another tab');
    api.goOn();
    await second.getByRole('log').getByText('Ines can look that one up herself.').waitFor();
    await second.getByText('Your line 3 of 14').waitFor();
    expect(await second.getByRole('meter', { name: 'Trust' }).getAttribute('aria-valuenow')).toBe('51');
    await say(second, 'Fair question.');
    await second.getByText('Your line 4 of 14').waitFor();
    expect(await second.getByText('in another tab').count()).toBe(0);
  });

  it('that speaks while the first is answered gets its words back, and what was said meanwhile', async () => {
    const { first, second, api, id } = await twoTabs();
    api.talk.holdAfterWords = 0;
    await say(first, 'Two things.');
    await waitUntil('the turn to run', () => api.talk.isRunning(id));
    await say(second, 'Said in the second tab');
    await second.locator('.composer').getByText('Dana is answering in another tab').waitFor();
    expect(await composer(second).inputValue()).toBe('Said in the second tab');
    api.goOn();
    await second.getByRole('log').getByText('Ines can look that one up herself.').waitFor();
    expect(api.find(id).turns).toHaveLength(5);
    await composer(second).press('Enter');
    await second.getByRole('log').getByText('Said in the second tab').waitFor();
    await second.getByText('Your line 4 of 14').waitFor();
  });

  it('sees the end of a talk that the first one ends', async () => {
    const { first, second } = await twoTabs(4);
    await say(first, 'You have it by Friday noon.');
    await second.getByRole('heading', { name: 'A case she can carry' }).waitFor();
  });
});
