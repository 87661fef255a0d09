import { waitUntil } from '@parley/shared/testing';
import { describePage } from './page-suite';

describePage('the models page', (current) => {
  /** Opens the page with a runtime of the given id. */
  async function openWith(runtimeId: string) {
    const { api, go } = current();
    api.models.reset();
    api.home.runtime = {
      ...api.home.runtime,
      runtime_id: runtimeId,
      runtime_name: runtimeId === 'fake' ? 'Demo voice' : 'Mine',
    };
    await go('/models');
    await current().page.getByRole('heading', { name: 'Install a model' }).waitFor();
  }
  const button = (name: string | RegExp) => current().page.getByRole('button', { name, exact: true });

  it('says what the demo voice cannot do instead of offering it', async () => {
    const { page } = current();
    await openWith('fake');
    await page.getByText('cannot install or delete models').waitFor();
    await page.getByText('The current runtime does not use it.').waitFor();
    await page.getByText('small:2b').waitFor();
    for (const name of ['Install', 'Delete', 'Start']) expect(await button(name).count()).toBe(0);
  });

  it('installs by name, shows how far it is also after a reload, and says when it is done', async () => {
    const { page, api } = current();
    await openWith('local_native');
    await page.getByLabel('Ollama model name').fill('  small:2b ');
    await button('Install').click();
    const progress = page.getByRole('progressbar', { name: 'Progress of small:2b' });
    await progress.waitFor();
    expect(api.models.asked).toEqual([{ pull: 'small:2b' }]);
    await page.reload();
    await progress.waitFor();
    expect(await progress.getAttribute('value')).toBe('640000000');
    await page.getByText('Downloading · 640 MB of 2.5 GB').waitFor();

    api.models.installs = api.models.installs.map((one) => ({ ...one, status: 'verifying', bytes_total: null }));
    await page.getByText('Checking · 640 MB').waitFor();
    expect(await progress.getAttribute('value')).toBeNull();
    api.models.installs = api.models.installs.map((one) => ({ ...one, status: 'installed' }));
    await waitUntil('the end', async () => (await page.getByText('Installed', { exact: true }).count()) === 1);
    expect(await page.getByRole('status').first().innerText()).toBe('small:2b is installed.');
    await page.getByRole('button', { name: 'Remove from list: small:2b' }).click();
    await waitUntil('an empty list', async () => (await page.locator('.install').count()) === 0);
  });

  it('installs a suggested model by one press, and cancels it', async () => {
    const { page, api } = current();
    await openWith('local_native');
    await page.getByRole('button', { name: 'Install Large 12B' }).click();
    await page.getByRole('button', { name: 'Cancel the install of large:12b' }).click();
    await page.getByText('Cancelled', { exact: true }).waitFor();
    expect(api.models.asked).toEqual([{ pull: 'large:12b' }]);
    expect(await page.getByRole('progressbar').count()).toBe(0);
  });

  it('says what a suggested GGUF file is and where it comes from, and installs it by one press', async () => {
    const { page, api } = current();
    await openWith('local_server');
    const suggestion = page.locator('.models-suggested > li').filter({ hasText: 'Small 2B' });
    const source = 'Install downloads small-2b-q8.gguf (1.8 GB) from models.invalid,';
    await suggestion.getByText(source).waitFor();
    await suggestion.getByText('kept only if its SHA-256 matches').waitFor();
    const press = page.getByRole('button', {
      name: 'Install Small 2B',
      description: new RegExp(`^${source.replace(/[().]/g, '\\$&')}`),
    });
    await press.waitFor();
    expect(api.models.asked).toEqual([]);
    await press.click();
    await page.getByText('Installing small-2b-q8.gguf.').waitFor();
    await page.getByRole('progressbar', { name: 'Progress of small-2b-q8.gguf' }).waitFor();
    const { url = '', sha256 = '' } = { ...api.models.suggested[0]?.gguf };
    expect(api.models.asked).toEqual([{ url, sha256 }]);
  });

  it('offers no button for a suggestion without a GGUF file, nor for one that is here', async () => {
    const { page, api } = current();
    await openWith('local_server');
    const row = (name: string) => page.locator('.models-suggested > li').filter({ hasText: name });
    await row('Large 12B').getByText('No official GGUF file.').waitFor();
    expect(await row('Large 12B').getByRole('button').count()).toBe(0);
    const before = api.models.listed;
    api.models.listed = before.map((model) => ({ ...model, id: 'small-2b-q8.gguf' }));
    await page.reload();
    await row('Small 2B').getByText('Already installed.').waitFor();
    expect(await row('Small 2B').getByRole('button').count()).toBe(0);
    api.models.listed = before;
  });

  it('says that a suggested file without a known checksum is not checked, and asks for none', async () => {
    const { page, api, go } = current();
    await openWith('local_server');
    api.models.suggested = api.models.suggested.map((model) => ({
      ...model,
      gguf: model.gguf === null ? null : { ...model.gguf, sha256: null },
    }));
    await go('/models');
    await page.getByText('No SHA-256 is known for it, so only its size is checked.').waitFor();
    await page.getByRole('button', { name: 'Install Small 2B' }).click();
    await page.getByText('Installing small-2b-q8.gguf.').waitFor();
    expect(api.models.asked).toEqual([{ url: api.models.suggested[0]?.gguf?.url }]);
  });

  it('installs a file by its address with its checksum, or by its path, and shows why it failed', async () => {
    const { page, api } = current();
    await openWith('local_server');
    const sum = 'a'.repeat(64);
    await page.getByLabel('Address of a GGUF file').fill('https://models.invalid/small.gguf');
    await page.getByLabel('SHA-256 checksum').fill(sum);
    await button('Install').first().click();
    await page.getByText('Installing small.gguf.').waitFor();
    await page.getByLabel('Or the path of a GGUF file on this machine').fill('/models/large.gguf');
    await button('Install').last().click();
    await page.getByText('Installing large.gguf.').waitFor();
    expect(api.models.asked).toEqual([
      { url: 'https://models.invalid/small.gguf', sha256: sum },
      { file: '/models/large.gguf' },
    ]);
    api.models.installs = api.models.installs.map((one) => ({
      ...one,
      status: 'failed',
      message: 'The disk is full.',
    }));
    await page.getByText('The disk is full.').first().waitFor();
    expect(await page.getByText('Failed', { exact: true }).count()).toBe(2);
  });

  it('deletes a model after a question', async () => {
    const { page, api } = current();
    await openWith('local_server');
    const before = api.models.listed;
    await page.getByRole('button', { name: 'Delete fake-large' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await waitUntil('one model', async () => (await button(/^Delete fake/).count()) === 1);
    expect(api.models.listed.map((model) => model.id)).toEqual(['fake-small']);
    api.models.listed = before;
  });

  it('starts the model server with a chosen model, follows it until it runs, shows its log and stops it', async () => {
    const { page, api } = current();
    await openWith('local_server');
    await page.getByText('It is not running.').waitFor();
    await page.getByLabel('Model to load').selectOption('fake-large');
    await button('Start').click();
    await page.getByText('It is starting.').waitFor();
    expect(api.models.sidecar.model_id).toBe('fake-large');
    api.models.sidecar = { ...api.models.sidecar, status: 'running' };
    await page.getByText('It is running.').waitFor();
    await page.getByText('Port 7356, with fake-large').waitFor();
    await page.getByText('Show its log').click();
    await page.getByRole('region', { name: 'Log of the model server' }).getByText('starting llama-server').waitFor();
    await button('Stop').click();
    await page.getByText('It is not running.').waitFor();
  });

  it('says how the last run of the model server ended', async () => {
    const { page, api, go } = current();
    await openWith('local_server');
    const message = 'It ended with code 1 before it was ready; its log says why.';
    api.models.sidecar = {
      ...api.models.sidecar,
      status: 'failed',
      last_exit: { code: 1, signal: null, at: '2026-01-01T00:00:00.000Z', message },
    };
    await go('/models');
    await page.getByText('It keeps failing.').waitFor();
    await page.getByText(message).waitFor();
  });

  it('passes on in words what a runtime refuses because it has no such thing', async () => {
    const { page, api } = current();
    await openWith('somebody_elses');
    api.models.unable = 'Use the tools of that server instead.';
    await page.getByRole('button', { name: 'Install Small 2B' }).click();
    const refusal = page.getByRole('alert').filter({ hasText: 'The current runtime cannot do this.' });
    await refusal.getByText('Use the tools of that server instead.').waitFor();
  });

  it('shows no list of suggestions where the service has none', async () => {
    const { page, api, go } = current();
    await openWith('local_native');
    await page.getByRole('heading', { name: 'Which model?' }).waitFor();
    api.models.suggested = [];
    await go('/models');
    await page.getByText('It is not running.').waitFor();
    expect(await page.getByRole('heading', { name: 'Which model?' }).count()).toBe(0);
  });
});
