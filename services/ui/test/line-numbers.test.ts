import { describePage } from './page-suite';

describePage('one numbering: the player’s own lines', (current) => {
  /** Everything that is read or read out on the page. */
  const allWords = () =>
    current().page.evaluate(() => {
      for (const details of document.querySelectorAll('details')) details.open = true;
      const named = [...document.querySelectorAll('[aria-label]')].map((one) => one.getAttribute('aria-label'));
      return `${document.body.innerText} ${named.join(' ')}`;
    });

  async function openLetter() {
    const { page, api, go } = current();
    const one = api.played(5);
    await go(`/sessions/${one.session.id}/debrief`);
    await page.getByRole('button', { name: 'Skip' }).click();
    await page.getByRole('heading', { name: 'Next time' }).waitFor();
    return one;
  }

  it('is the only one in the letter: no number of a turn is left in it', async () => {
    const { page } = current();
    await openLetter();
    expect(await allWords()).not.toMatch(/\bturns?\s\d/i);
    await page.getByText('After your line 2, offer a second way').waitFor();
    await page.getByText('In your line 1 you said one figure').waitFor();
    await page.getByRole('button', { name: 'Retry from your line 2' }).waitFor();
  });

  it('leads from the letter to the words in the transcript, which carries the same numbers', async () => {
    const { page } = current();
    await openLetter();
    await page.getByRole('button', { name: 'Answer to your line 3' }).click();
    expect(await page.locator('#turn-7').getAttribute('data-shown')).toBe('true');
    await page.getByRole('button', { name: 'Your line 1', exact: true }).click();
    expect(await page.locator('#turn-2').getAttribute('data-shown')).toBe('true');
    const numbers = page.locator('.debrief-script .debrief-number');
    expect(await numbers.allInnerTexts()).toEqual(['', '1', '', '2', '', '3', '', '4', '', '5', '']);
    expect(await page.locator('#turn-4').getAttribute('aria-label')).toBe('Your line 2');
  });

  it('counts the axis of the chart and the rows of its table', async () => {
    const { page } = current();
    await openLetter();
    await page.getByText('Show as a table').click();
    expect(await page.locator('.chart-tick').allTextContents()).toEqual(['Start', '1', '2', '3', '4', '5']);
    expect(await page.locator('.chart-table tbody th').allInnerTexts()).toEqual(['Start', '1', '2', '3', '4', '5']);
    await page.getByRole('columnheader', { name: 'After your line' }).waitFor();
    expect(await page.locator('.chart-axis').textContent()).toBe('After your line');
  });

  it('says from which line a retry went its own way, and retries from the right one', async () => {
    const { page, api, go } = current();
    const first = await openLetter();
    await page.getByRole('button', { name: 'Retry from your line 2' }).click();
    await page.waitForURL(/\/play\//);
    await page.locator('.composer-field').waitFor();
    const fork = [...api.sessions.values()].at(-1);
    expect(fork?.session.forked_from).toEqual({ session_id: first.session.id, turn: 3 });
    await page.getByRole('button', { name: 'Retry from your line 1' }).click();
    await page.getByRole('heading', { name: 'Try again from your line 1?' }).waitFor();
    const retry = api.retried(first, 3);
    await go(`/sessions/${retry.session.id}/debrief`);
    await page.getByText('Both talks are the same up to the answer to your line 1.').waitFor();
    expect(await allWords()).not.toMatch(/\bturns?\s\d/i);
  });
});
