import type { Recap } from '@parley/shared/contracts';
import { waitUntil } from '@parley/shared/testing';
import { describePage } from './page-suite';

const recap = (npc: string, pack: string, more: Partial<Recap> = {}): Recap => ({
  npc_id: npc,
  pack_id: pack,
  schema_version: '1',
  session_count: 3,
  last_session_at: '2026-01-05T10:00:00.000Z',
  key_observations: ['Offer a second way that fits inside her three percent.'],
  player_style_tags: ['strong: a clear ask'],
  last_outcome: 'success',
  ...more,
});

describePage('what characters remember', (current) => {
  const notes = () => current().page.locator('.memory-note');

  it('is explained, is off at first, and can be switched on', async () => {
    const { page, api, go } = current();
    api.home.recaps = [];
    await go('/settings');
    await page.getByText('Never what was said.').waitFor();
    await page.getByText('No saved notes.').waitFor();
    const remember = page.getByRole('switch', { name: /Characters remember you/ });
    expect(await remember.isChecked()).toBe(false);
    await remember.check();
    await waitUntil('the service', () => api.home.settings.relationship_memory_enabled);
    await waitUntil(
      'the browser',
      async () =>
        (await page.evaluate(() => localStorage.getItem('sim.privacy.relationship_memory_enabled'))) === 'true',
    );
    await remember.uncheck();
    await waitUntil('the service', () => !api.home.settings.relationship_memory_enabled);
  });

  it('is shown note by note, by the names of people; one is deleted after a question', async () => {
    const { page, api, go } = current();
    api.home.recaps = [
      recap('dana', 'the_ask'),
      recap('old_friend', 'gone_pack', { session_count: 1, last_outcome: 'odd_end' }),
    ];
    await go('/settings');
    await waitUntil('both notes', async () => (await notes().count()) === 2);
    const [first = '', second = ''] = await notes().allInnerTexts();
    expect(first).toMatch(/Dana\s+3 talks, last on Jan 5, 2026: You got there\s/);
    expect(first).toContain('strong: a clear ask');
    expect(first).toContain('Offer a second way that fits inside her three percent.');
    expect(second).toMatch(/old friend\s+1 talk, last on .*: odd end/);

    await page.getByRole('button', { name: 'Delete what Dana remembers' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect(api.home.recaps).toHaveLength(2);
    await page.getByRole('button', { name: 'Delete what Dana remembers' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await waitUntil('one note', async () => (await notes().count()) === 1);
    expect(api.home.recaps.map((one) => one.npc_id)).toEqual(['old_friend']);
    expect(await page.getByRole('status').first().innerText()).toBe('1 note was deleted.');
  });

  it('is deleted all at once after a question', async () => {
    const { page, api, go } = current();
    api.home.recaps = [recap('dana', 'the_ask'), recap('jules', 'kitchen_rota')];
    await go('/settings');
    await page.getByRole('button', { name: 'Delete all notes…' }).click();
    expect(api.home.recaps).toHaveLength(2);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No saved notes.').waitFor();
    expect(api.home.recaps).toEqual([]);
  });
});
