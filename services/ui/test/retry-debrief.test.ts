import { describePage } from './page-suite';

describePage('the debrief of a retry', (current) => {
  const rowOf = (name: string) =>
    current()
      .page.getByRole('region', { name: 'Compared with the first try' })
      .getByRole('row', { name: new RegExp(`^${name}`) })
      .getByRole('cell')
      .allInnerTexts();

  it('stands beside the first try: endings, scores and variables with their change, and the way to its debrief', async () => {
    const { page, api, go } = current();
    const first = api.played(5);
    await go(`/sessions/${first.session.id}/debrief`);
    await page.getByRole('button', { name: 'Skip' }).click();
    await page.getByRole('heading', { name: 'Next time' }).waitFor();
    expect(await page.getByText('Compared with the first try').count()).toBe(0);
    if (first.debrief !== null)
      first.debrief = {
        ...first.debrief,
        overall_score: 52,
        dimensions: first.debrief.dimensions.map((one) => (one.id === 'interests' ? { ...one, score: 70 } : one)),
      };

    const retry = api.retried(first, 3);
    await go(`/sessions/${retry.session.id}/debrief`);
    await page.getByText('Both talks are the same up to the answer to your line 1.').waitFor();
    expect(await rowOf('How it ended')).toEqual(['A case she can carry', 'A case she can carry', '']);
    expect(await rowOf('Overall')).toEqual(['52', '64', '▲12\n12 more']);
    expect(await rowOf('Finding her interests')).toEqual(['70', '62', '▼8\n8 less']);
    expect(await rowOf('A clear ask')).toEqual(['72', '72', '0\nno change']);
    expect(await rowOf('Options and a close')).toEqual(['Not observed', 'Not observed', '–\nunknown']);
    expect(await rowOf('Trust')).toEqual(['66', '55', '▼11\n11 less']);
    await page.getByRole('link', { name: 'Read the debrief of the first try' }).click();
    await page.waitForURL(new RegExp(`/sessions/${first.session.id}/debrief$`));
  });

  it('says in words that the first try was deleted', async () => {
    const { page, api, go } = current();
    const first = api.played(5);
    const retry = api.retried(first, 3);
    api.sessions.delete(first.session.id);
    await go(`/sessions/${retry.session.id}/debrief`);
    await page.getByText('The first try was deleted, so there is nothing to compare with.').waitFor();
    expect(await page.locator('.first-try table').count()).toBe(0);
  });

  it('says in words that the first try has no debrief, or is not over, and shows what there is', async () => {
    const { page, api, go } = current();
    const over = api.retried(api.played(5), 3);
    await go(`/sessions/${over.session.id}/debrief`);
    await page.getByText('The first try has no debrief yet').waitFor();
    expect(await rowOf('Overall')).toEqual(['no score', '64', '–\nunknown']);

    const running = api.played(2);
    const retry = api.retried(running, 3);
    await go(`/sessions/${retry.session.id}/debrief`);
    await page.getByText('The first try is not finished yet.').waitFor();
    await page.getByRole('link', { name: 'Continue the first try' }).click();
    await page.waitForURL(new RegExp(`/play/${running.session.id}$`));
  });

  it('can be exported as JSON and as Markdown', async () => {
    const { page, api, go } = current();
    const retry = api.retried(api.played(5), 3);
    await go(`/sessions/${retry.session.id}/debrief`);
    const addressOf = (name: string) => page.getByRole('link', { name }).getAttribute('href');
    expect(await addressOf('Export as JSON')).toMatch(new RegExp(`/api/sessions/${retry.session.id}/export$`));
    expect(await addressOf('Export as Markdown')).toMatch(/\/export\?format=markdown$/);
  });
});
