import { waitUntil } from '@parley/shared/testing';
import { describePage } from './page-suite';

interface ListeningWindow {
  said: string[];
}

describePage('what a screen reader is told', (current) => {
  const composer = () => current().page.locator('.composer-field');
  const say = async (words: string) => {
    await composer().fill(words);
    await composer().press('Enter');
  };
  /** Everything that the statuses of the page said since the page was opened, in order. */
  const said = () => current().page.evaluate(() => (window as unknown as ListeningWindow).said);
  const spacesAside = (text: string) => text.replace(/\s+/g, ' ').trim();

  async function open(path: string) {
    const { page, go } = current();
    await page.addInitScript(() => {
      const heard: string[] = [];
      (window as unknown as ListeningWindow).said = heard;
      new MutationObserver(() => {
        for (const status of document.querySelectorAll('[role=status]')) {
          const text = status.textContent.trim();
          if (text !== '' && heard.at(-1) !== text) heard.push(text);
        }
      }).observe(document, { childList: true, subtree: true, characterData: true });
    });
    await go(path);
  }

  it('says once after a turn how the meters stand now and by how much they moved', async () => {
    const { page, api } = current();
    const { session } = api.played(1);
    await open(`/play/${session.id}`);
    await composer().waitFor();
    await waitUntil('the player’s turn', async () => (await said()).includes('Your turn'));
    await say('Two things.');
    await page.getByText('Your line 3 of 14').waitFor();
    await waitUntil('the meters', async () => (await said()).some((text) => text.includes('Trust')));
    expect((await said()).filter((text) => /Trust|Progress/.test(text))).toEqual([
      'Progress 20, up 10. Trust 51, up 5. Your turn',
    ]);
    await say('Fair question.');
    await page.getByText('Your line 4 of 14').waitFor();
    await waitUntil('the meters', async () => (await said()).some((text) => text.includes('Patience 66, down 4')));
    expect((await said()).join(' ')).not.toContain('Pressure');
  });

  it('says of an ending how the last turn moved the meters', async () => {
    const { page, api } = current();
    const { session } = api.played(4);
    await open(`/play/${session.id}`);
    await say('You have it by Friday noon.');
    await page.getByRole('heading', { name: 'A case she can carry' }).waitFor();
    await waitUntil('the meters', async () => (await said()).at(-1) === 'Progress 85, up 50. Trust 66, up 5');
  });

  it('says nothing of a model that is ready, and that it is loading where it is', async () => {
    const { api, page } = current();
    const { session } = api.played(1);
    await open(`/play/${session.id}`);
    await waitUntil('the player’s turn', async () => (await said()).includes('Your turn'));
    expect((await said()).filter((text) => /model/.test(text))).toEqual([]);

    const ready = api.home.runtime;
    api.home.runtime = { ...ready, runtime_id: 'local_server', status: 'STARTING' };
    await page.reload();
    await waitUntil('the model', async () => (await said()).some((text) => text.startsWith('The model is loading')));
    await page.getByText('The model is loading. This can take a minute the first time.').first().waitFor();
    api.home.runtime = ready;
    await waitUntil('the player’s turn', async () => (await said()).includes('Your turn'));
  });

  it('reads a hint out when it is asked for', async () => {
    const { page, api } = current();
    const { session } = api.played(2);
    await open(`/play/${session.id}`);
    await page.getByRole('button', { name: 'Show a hint' }).click();
    await waitUntil(
      'the hint',
      async () => (await said()).at(-1) === 'Hint: Ask what she would have to show, and to whom.',
    );
    await page.getByText('Ask what she would have to show, and to whom.').first().waitFor();
  });

  it('says why Enter sends nothing while the other speaks, keeps the words, and sends them afterwards', async () => {
    const { page, api } = current();
    const { session } = api.played(0);
    api.talk.holdAfterWords = 3;
    await open(`/play/${session.id}`);
    await say('I would like 53,000.');
    await page.locator('.line-live', { hasText: 'Fifty-three' }).waitFor();
    await say('Since March I do both.');
    const why = 'Dana is still speaking. Your text is kept; send it when it is your turn.';
    await page.locator('.composer').getByText(why).waitFor();
    await waitUntil('the reason', async () => (await said()).at(-1) === why);
    expect(await composer().inputValue()).toBe('Since March I do both.');
    api.goOn();
    await page.getByText('Your line 2 of 14').waitFor();
    expect(await page.locator('.composer').getByText(why).count()).toBe(0);
    expect(await composer().inputValue()).toBe('Since March I do both.');
    await composer().press('Enter');
    await page.getByRole('log').getByText('Since March I do both.').waitFor();
  });

  it('says why Enter sends nothing when there are no words, or too many', async () => {
    const { page, api } = current();
    const { session } = api.played(0);
    await open(`/play/${session.id}`);
    await composer().press('Enter');
    await page.locator('.composer').getByText('Type what you want to say first.').waitFor();
    await composer().fill('b'.repeat(2001));
    await composer().press('Enter');
    await page
      .locator('.composer')
      .getByText('That is too long to say at once. Shorten it to 2000 characters.')
      .waitFor();
    await composer().fill('b');
    expect(await page.locator('.composer').getByText('That is too long').count()).toBe(0);
    expect(spacesAside((await said()).join(' '))).toContain('Type what you want to say first.');
  });
});
