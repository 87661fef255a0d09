import { waitUntil } from '@parley/shared/testing';
import { describePage } from './page-suite';

describePage('help, and ways that lead nowhere', (current) => {
  it('explains at /help how a talk works, and is found from every page', async () => {
    const { page, go } = current();
    await go('/');
    await page.getByRole('link', { name: 'Help' }).click();
    await page.waitForURL(/\/help$/);
    await waitUntil('the focus', () => page.evaluate(() => document.activeElement?.tagName === 'H1'));
    for (const heading of [
      'How a talk works',
      'The meters',
      'Hints',
      'Trying again',
      'The debrief',
      'Where your data is',
      'Keyboard',
    ])
      await page.getByRole('heading', { name: heading }).waitFor();
    for (const key of ['Enter', 'Shift+Enter', 'Tab', 'Escape'])
      await page.locator('kbd', { hasText: key }).first().waitFor();
    const { session } = current().api.played(1);
    await go(`/play/${session.id}`);
    await page.getByRole('link', { name: 'Help' }).waitFor();
  });

  it('names the typefaces with their licences, which are there to be read', async () => {
    const { page, go } = current();
    await go('/help');
    for (const name of ['Literata', 'Figtree']) {
      const href = await page.getByRole('link', { name: `Licence of ${name}` }).getAttribute('href');
      const answer = await page.goto(new URL(href ?? '', page.url()).href);
      expect(await answer?.text()).toContain('SIL OPEN FONT LICENSE Version 1.1');
      await go('/help');
    }
  });

  it.each(['/halp', '/history/', '/play', '/scenarios/the_ask/more', '/index.html'])(
    'answers %s with the page, which says that there is no such page',
    async (path) => {
      const { page, go } = current();
      const answer = (await go(path)) as { status(): number };
      expect(answer.status()).toBe(404);
      await page.getByRole('heading', { name: 'Page not found' }).waitFor();
      await page.getByRole('link', { name: 'Go to the library' }).click();
      await page.getByRole('link', { name: 'The ask' }).waitFor();
    },
  );
});
