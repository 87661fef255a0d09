import { describePage } from './page-suite';

describePage('the pill', (current) => {
  const pill = () => current().page.locator('.pill');
  const shows = async (words: string | RegExp) => {
    await pill().getByText(words).waitFor();
    expect(await pill().getAttribute('data-tone')).toBe('trouble');
    expect(await pill().innerText()).not.toContain('Demo voice');
  };
  const well = () => {
    const { home } = current().api;
    Object.assign(home, { services: {}, storage: { status: 'ok', message: null, warnings: [] }, hangs: false });
    home.runtime = { ...home.runtime, runtime_id: 'fake', status: 'READY', message: null, model_id: null };
  };
  beforeEach(() => well());
  afterEach(() => well());

  it('says that the demo voice plays only while it does', async () => {
    const { go } = current();
    await go('/');
    await pill().getByText('Demo voice: canned replies.').waitFor();
    expect(await pill().getAttribute('data-tone')).toBe('quiet');
  });

  it("shows a model's name and not the path of its file", async () => {
    const { api, go } = current();
    api.home.runtime = { ...api.home.runtime, runtime_id: 'local_server', model_id: '/home/me/models/small-3b.gguf' };
    await go('/');
    await pill().getByText('small-3b').waitFor();
    expect(await pill().innerText()).not.toContain('/home/me');
  });

  it.each(['UNAVAILABLE', 'ERROR'] as const)(
    'says what is wrong with a runtime in %s, the demo voice too',
    async (status) => {
      const { api, go } = current();
      const message = 'The runtime gateway cannot be reached. Check that all of Parley runs with npm run status.';
      api.home.runtime = { ...api.home.runtime, status, message };
      await go('/');
      await shows(message);
    },
  );

  it.each([
    ['runtime_gateway', 'The part of Parley that plays the characters is not responding.'],
    ['pack_service', 'The part of Parley that reads the scenarios is not responding.'],
    ['debrief_worker', 'The part of Parley that writes debriefs is not responding.'],
  ] as const)('says that %s is down, and where to look', async (service, words) => {
    const { api, go } = current();
    api.home.services = { [service]: 'unavailable' };
    await go('/');
    await shows(words);
    expect(await pill().getByRole('link', { name: 'Diagnostics' }).getAttribute('href')).toBe('/diagnostics');
  });

  it('tells of a model server that is missing on Diagnostics, and not in the pill while others play', async () => {
    const { page, api, go } = current();
    const message = '1 of 3 model servers does not answer: http://b:7356.';
    api.home.runtime = { ...api.home.runtime, runtime_id: 'local_server', model_id: 'small.gguf', message };
    await go('/diagnostics');
    await page.getByRole('listitem').filter({ hasText: message }).waitFor();
    expect(await pill().textContent()).toContain('small');
    expect(await pill().textContent()).not.toContain('model servers');
  });

  it('says that nothing can be stored, what to do about it, and where to look', async () => {
    const { api, go } = current();
    const message =
      'The database cannot be written: give this user the right to write the data folder, then try again.';
    api.home.storage = { status: 'read_only', message, warnings: [{ code: 'database_read_only', message }] };
    await go('/');
    await shows('Conversations cannot be saved safely.');
    await shows(message);
    expect(await pill().getByRole('link', { name: 'Diagnostics' }).getAttribute('href')).toBe('/diagnostics');
  });

  it('says that talks that are not saved cannot be played while what several processes share is away', async () => {
    const { api, go } = current();
    const message = 'Redis does not answer: start it.';
    api.home.storage = { status: 'ok', message: null, warnings: [{ code: 'redis_unreachable', message }] };
    await go('/');
    await shows('Talks that are not saved cannot be played now.');
    await shows(message);
    expect(await pill().getByRole('link', { name: 'Diagnostics' }).getAttribute('href')).toBe('/diagnostics');
  });

  it('says that Parley is not responding when the question of health hangs, and recovers by itself', async () => {
    const { page, api, go } = current();
    api.home.hangs = true;
    await go('/');
    await shows('Parley is not responding');
    api.home.hangs = false;
    await pill().getByText('Demo voice: canned replies.').waitFor({ timeout: 30_000 });
    expect(await page.locator('.pill').getAttribute('data-tone')).toBe('quiet');
  });

  it('says so within seconds when Parley hangs while the page is open', async () => {
    const { page, api, go } = current();
    await page.clock.install();
    await go('/');
    await pill().getByText('Demo voice: canned replies.').waitFor();
    api.home.hangs = true;
    // The next question is asked after a quarter of a minute, and is given up ten seconds later.
    await page.clock.runFor(26_000);
    await shows('Parley is not responding');
  });

  it('does not hold up a talk for a health that nobody answers', async () => {
    const { page, api, go } = current();
    const { session } = api.played(1);
    api.home.hangs = true;
    await go(`/play/${session.id}`);
    await page.locator('.composer-field').fill('Two things.');
    await page.locator('.composer-field').press('Enter');
    await page.getByRole('log').getByText('The freight figure I can use.').waitFor();
  });
});
