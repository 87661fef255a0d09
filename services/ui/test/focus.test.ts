import type { ModelInstall, Recap } from '@parley/shared/contracts';
import { waitUntil } from '@parley/shared/testing';
import { describePage } from './page-suite';
import { writeJudgedDebrief } from './stand-in/stand-in-judged-debrief';

describePage('the focus stays with what the player does', (current) => {
  /** What the focus is on: its name, or the element where it has none. */
  const focused = () =>
    current().page.evaluate(() => {
      const element = document.activeElement;
      return element?.getAttribute('aria-label') ?? element?.textContent?.trim() ?? '';
    });
  const focusIs = (words: string) => waitUntil(`the focus on ${words}`, async () => (await focused()) === words);
  const tagOfFocus = () => current().page.evaluate(() => document.activeElement?.tagName);
  const confirm = (name: string) =>
    current().page.getByRole('dialog').getByRole('button', { name, exact: true }).click();

  it('on the button of a hint, which shows it and hides it again', async () => {
    const { page, api, go } = current();
    const { session } = api.played(2);
    await go(`/play/${session.id}`);
    const show = page.getByRole('button', { name: 'Show a hint' });
    await show.focus();
    await page.keyboard.press('Enter');
    await page.locator('.person-hint').waitFor();
    await focusIs('Hide the hint');
    expect(await page.getByRole('button', { name: 'Hide the hint' }).getAttribute('aria-expanded')).toBe('true');
    await page.keyboard.press('Enter');
    await focusIs('Show a hint');
    expect(await page.locator('.person-hint').isVisible()).toBe(false);
  });

  it('in the history after a session is deleted: on the next one, the one before, and at last the heading', async () => {
    const { page, api, go } = current();
    api.sessions.clear();
    for (const name of ['third', 'second', 'first']) {
      const one = api.played(1);
      api.sessions.delete(one.session.id);
      const id = `the-${name}-session-of-the-test`;
      one.session = { ...one.session, id };
      api.sessions.set(id, one);
    }
    await go('/history');
    const rows = page.locator('.history-row');
    const remove = async (at: number, left: number) => {
      await rows.nth(at).getByRole('button', { name: 'Delete: The ask' }).click();
      await confirm('Delete');
      await waitUntil(`${left} rows`, async () => (await rows.count()) === left);
    };
    const linkOfFocus = () => page.evaluate(() => document.activeElement?.getAttribute('href'));
    await waitUntil('three rows', async () => (await rows.count()) === 3);
    await remove(0, 2);
    await waitUntil('the next one', async () => (await linkOfFocus()) === '/play/the-second-session-of-the-test');
    await remove(1, 1);
    await waitUntil('the one before', async () => (await linkOfFocus()) === '/play/the-second-session-of-the-test');
    await remove(0, 0);
    await focusIs('History');
    expect(await tagOfFocus()).toBe('H1');
  });

  it('on the heading of the import when its buttons go', async () => {
    const { page, api, go } = current();
    api.pack.importState = { status: 'checking' };
    await go('/packs');
    await page.getByLabel('Or the path of a folder or zip on this machine').fill('/packs/one');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    const cancel = page.getByRole('button', { name: 'Cancel the import' });
    await cancel.focus();
    api.pack.importState = {
      status: 'failed',
      code: 'PACK_ALREADY_INSTALLED',
      message: 'My pack 1.0.0 is installed already.',
      details: { installed_version: '1.0.0', version: '1.1.0', replaceable: true },
    };
    await focusIs('Import a pack');
    const replace = page.getByRole('button', { name: 'Replace 1.0.0 with 1.1.0' });
    await replace.focus();
    api.pack.importState = { status: 'installing' };
    await page.keyboard.press('Enter');
    await focusIs('Import a pack');
    await waitUntil('nothing to cancel', async () => (await cancel.getAttribute('aria-disabled')) === 'true');
  });

  it('in the history after everything is deleted, and says how much that was', async () => {
    const { page, api, go } = current();
    api.sessions.clear();
    api.played(1);
    await go('/history');
    await page.getByRole('button', { name: 'Delete everything…' }).click();
    await page.getByLabel('Type “delete” to confirm').fill('delete');
    await confirm('Delete everything');
    await page.getByText('1 session was deleted.').first().waitFor();
    expect(await tagOfFocus()).not.toBe('BODY');
  });

  it('on the first row that came with more of the history', async () => {
    const { page, api, go } = current();
    api.sessions.clear();
    for (let made = 0; made < 3; made += 1) api.played(1);
    api.pageOfSessions = 2;
    await go('/history');
    const rows = page.locator('.history-row');
    await page.getByRole('button', { name: 'Show more' }).click();
    await waitUntil('all rows', async () => (await rows.count()) === 3);
    await rows.nth(2).locator('a:focus').waitFor();
    api.pageOfSessions = null;
  });

  it('in a plan that is edited, and in the search that was cleared', async () => {
    const { page, api, go } = current();
    api.debriefs.areKept = true;
    const one = api.debriefed(5, writeJudgedDebrief);
    await go(`/sessions/${one.session.id}/debrief`);
    const form = page.locator('.plan-form');
    await form.getByLabel('When', { exact: true }).fill('she says there is a freeze');
    await form.getByLabel('I will say').fill('What can you decide?');
    await form.getByRole('button', { name: 'Save this plan' }).click();
    await page.locator('.plan-section').getByRole('button', { name: 'Edit' }).click();
    await waitUntil('the first half', async () =>
      form.getByLabel('When', { exact: true }).evaluate((field) => field === document.activeElement),
    );
    await go('/');
    const search = page.getByRole('searchbox');
    await search.fill('nothing is called that');
    await page.getByRole('button', { name: 'Show all scenarios' }).click();
    await page.locator('input[type=search]:focus').waitFor();
    expect(await search.inputValue()).toBe('');
    api.debriefs.areKept = false;
  });

  it('in the packs after one is removed', async () => {
    const { page, api, go } = current();
    const kept = api.pack.packs;
    await go('/packs');
    await page.getByRole('button', { name: 'Remove: My pack' }).click();
    await confirm('Remove');
    await waitUntil('one pack', async () => (await page.locator('.packs-row').count()) === 1);
    await focusIs('The ask');
    api.pack.packs = kept;
  });

  it('in the packs where it was when one cannot be removed, and says why', async () => {
    const { page, api, go } = current();
    api.pack.isInUse = true;
    await go('/packs');
    await page.getByRole('button', { name: 'Remove: My pack' }).click();
    await confirm('Remove');
    await page.getByRole('alert').filter({ hasText: 'Talks with this pack are open: end them first.' }).waitFor();
    await focusIs('Remove: My pack');
    expect(await page.locator('.packs-row').count()).toBe(2);
    api.pack.isInUse = false;
  });

  it('in the notes after one is deleted', async () => {
    const { page, api, go } = current();
    const note = (npc: string): Recap => ({
      npc_id: npc,
      pack_id: 'the_ask',
      schema_version: '1',
      session_count: 1,
      last_session_at: '2026-01-05T10:00:00.000Z',
      key_observations: [],
      player_style_tags: [],
      last_outcome: 'success',
    });
    api.home.recaps = [note('dana'), note('piotr')];
    await go('/settings');
    await page.getByRole('button', { name: 'Delete what Dana remembers' }).click();
    await confirm('Delete');
    await focusIs('piotr');
    await page.getByRole('button', { name: 'Delete what piotr remembers' }).click();
    await confirm('Delete');
    await focusIs('Saved notes');
  });

  it('in the installs after one is taken off the list', async () => {
    const { page, api, go } = current();
    const install = (name: string): ModelInstall => ({
      id: name,
      model_id: name,
      status: 'failed',
      bytes_done: 0,
      bytes_total: null,
      message: null,
    });
    const demo = api.home.runtime;
    api.home.runtime = { ...demo, runtime_id: 'local_server', runtime_name: 'Model server' };
    api.models.reset();
    api.models.installs = [install('one.gguf'), install('two.gguf')];
    await go('/models');
    await page.getByRole('button', { name: 'Remove from list: one.gguf' }).click();
    await focusIs('two.gguf');
    api.models.reset();
    api.home.runtime = demo;
  });
});
