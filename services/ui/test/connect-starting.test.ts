import { describePage } from './page-suite';

const STARTS = 'The model server is starting. A large model takes a minute or two to load.';

describePage('the model server that starts while somebody looks', (current) => {
  /** What was chosen is the server that Parley runs, and it is being started without a press. */
  beforeEach(() => {
    const { api } = current();
    api.choice.reset();
    api.models.reset();
    api.choice.state = {
      ...api.choice.state,
      decided_by: 'choice',
      runtime_id: 'local_server',
      base_url: `http://127.0.0.1:${api.models.sidecar.port}`,
    };
    api.models.sidecar = { ...api.models.sidecar, status: 'starting', pid: 4711, model_id: 'tiny.gguf' };
    api.home.runtime = {
      ...api.home.runtime,
      runtime_id: 'local_server',
      runtime_name: 'Local model server',
      status: 'UNAVAILABLE',
      model_id: null,
      message: 'The local model server cannot be reached.',
    };
  });

  it('is said to be starting, not to be away, and cannot be started a second time', async () => {
    const { page, api, go } = current();
    await go('/connect');
    const note = page.locator('#content').getByRole('status').getByText(STARTS);
    await note.waitFor();
    expect(await page.locator('#content').getByText('cannot be reached').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Start the model server' }).count()).toBe(0);

    // It answers its probe and loads: still the same words, and the pill has them in its own.
    api.home.runtime = {
      ...api.home.runtime,
      status: 'STARTING',
      message: 'The local model server is loading its model; this can take a minute.',
    };
    await page.locator('.pill').getByText('The model is loading').waitFor();
    await note.waitFor();

    api.models.sidecar = { ...api.models.sidecar, status: 'running' };
    api.home.runtime = { ...api.home.runtime, status: 'READY', model_id: 'tiny.gguf', message: null };
    await page.locator('.pill').getByText('Played by tiny').waitFor();
    await note.waitFor({ state: 'hidden' });
  });

  it('and fails is said to be away, with a button to start it', async () => {
    const { page, api, go } = current();
    api.models.sidecar = { ...api.models.sidecar, status: 'failed', pid: null };
    await go('/connect');
    await page.locator('#content').getByText('The local model server cannot be reached.').waitFor();
    await page.getByRole('button', { name: 'Start the model server' }).waitFor();
    expect(await page.getByText(STARTS).count()).toBe(0);
  });
});
