import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { ServiceError, type FittingModel, type ModelInstall } from '@parley/shared/contracts';
import { waitUntil } from '@parley/shared/testing';
import { describePage } from './page-suite';
import { LLAMA, MODEL, OLLAMA } from './stand-in/stand-in-choice';

/** Where the pictures go that a person may look at after a run. */
const PICTURES = path.join(__dirname, '..', '..', '..', 'test-results', 'connect');

const BIGGER: FittingModel = { ...MODEL, name: 'Medium 4B', pull: 'medium:4b', gguf: null };

describePage('connecting a model', (current) => {
  beforeAll(() => mkdirSync(PICTURES, { recursive: true }));
  beforeEach(() => {
    const { api } = current();
    api.choice.reset();
    api.models.reset();
    api.home.runtime = { ...api.home.runtime, runtime_id: 'fake', runtime_name: 'Demo voice', model_id: null };
  });

  const button = (name: string | RegExp) => current().page.getByRole('button', { name });
  const picture = (name: string) =>
    current().page.screenshot({ path: path.join(PICTURES, `${name}.png`), fullPage: true });
  const focusIs = (words: string) =>
    waitUntil(`the focus on ${words}`, async () => {
      const text = await current().page.evaluate(() => document.activeElement?.textContent);
      return text === words;
    });
  /** What is being installed goes on as the change says. */
  const install = (change: Partial<ModelInstall>) => {
    const { models } = current().api;
    models.installs = models.installs.map((one) => ({ ...one, ...change }));
  };
  /** The page says so before it asks for the start, and only that has the stand-in's server begin. */
  const serverStarts = async () => {
    const { page, api } = current();
    await page.getByText('A large model takes a minute or two to load.').waitFor();
    await waitUntil('the start to be asked for', () => api.models.sidecar.status === 'starting');
  };
  const offer = (...models: FittingModel[]) => {
    const { choice } = current().api;
    choice.fitting = { ...choice.fitting, models };
  };

  it('takes three clicks from the demo voice to a talk with what was found', async () => {
    const { page, api, go } = current();
    api.choice.found = [OLLAMA, LLAMA];
    await go('/');
    await page.locator('.pill').getByRole('link', { name: 'Connect a model' }).click();
    await page.getByRole('heading', { name: 'Connect a model', level: 1 }).waitFor();
    await button('Use this one: llama-server at http://127.0.0.1:8080').waitFor();
    await picture('found');
    await button('Use this one: llama-server at http://127.0.0.1:8080').click();
    await page.getByRole('heading', { name: 'llama-server is ready' }).waitFor();
    await page.getByText('Like a stone, thank you!').waitFor();
    await page.getByText('First word after 0.4 seconds.').waitFor();
    await focusIs('llama-server is ready');
    expect(api.choice.chosen).toEqual([{ runtime_id: 'local_server', base_url: LLAMA.base_url }]);
    await page.locator('.pill').getByText('Played by the-model').waitFor();
    await picture('ready');
    await page.getByRole('link', { name: 'Play', exact: true }).click();
    await page.locator('.scenario-card').first().waitFor();
  });

  it('has one of several models play', async () => {
    const { page, api, go } = current();
    api.choice.found = [OLLAMA];
    await go('/connect');
    await page.getByLabel('Model of Ollama').selectOption('large:8b');
    await button(/^Use this one: Ollama/).click();
    await page.getByRole('heading', { name: 'Ollama is ready' }).waitFor();
    expect(api.choice.chosen.at(-1)).toMatchObject({ model_id: 'large:8b' });
  });

  it('looks when it is opened and when it is told to, and not by itself', async () => {
    const { page, api, go } = current();
    await go('/');
    await page.locator('.scenario-card').first().waitFor();
    expect(api.choice.looks).toBe(0);
    await go('/connect');
    await page.getByText('No Ollama, llama-server or LM Studio was found').waitFor();
    expect(api.choice.looks).toBe(1);
    api.choice.found = [OLLAMA];
    await button('Look again').click();
    await button(/^Use this one: Ollama/).waitFor();
    expect(api.choice.looks).toBe(2);
    await focusIs('Look again');
  });

  it('says of a program that cannot play what to do, and offers no button for it', async () => {
    const { page, api, go } = current();
    api.choice.found = [{ ...LLAMA, models: [], problem: 'It is loading its model; look again in a minute.' }];
    await go('/connect');
    await page.getByText('It is loading its model; look again in a minute.').waitFor();
    expect(await button(/^Use this/).count()).toBe(0);
  });

  it('says why a line could not be had, and tries again', async () => {
    const { page, api, go } = current();
    api.choice.found = [LLAMA];
    api.choice.trialFails = new ServiceError('RUNTIME_ERROR', 'The local model server asks for another key; set it.');
    await go('/connect');
    await button(/^Use this one: llama-server/).click();
    await page.getByRole('heading', { name: 'llama-server was chosen but is not responding' }).waitFor();
    await page.getByText('The local model server asks for another key; set it.').waitFor();
    await picture('failed');
    api.choice.trialFails = null;
    await button('Try again').click();
    await page.getByRole('heading', { name: 'llama-server is ready' }).waitFor();
  });

  it('takes the /v1 off an address that was typed with it', async () => {
    const { page, api, go } = current();
    await go('/connect');
    await page.getByText('It uses another port').click();
    await page.getByLabel('Address').fill('http://127.0.0.1:8081/v1/');
    await button('Connect').click();
    await page.getByRole('heading', { name: /is ready$/ }).waitFor();
    expect(api.choice.chosen.at(-1)).toMatchObject({ runtime_id: 'local_server', base_url: 'http://127.0.0.1:8081' });
  });

  it('passes on what is wrong with an address that was typed', async () => {
    const { page, go } = current();
    await go('/connect');
    await page.getByText('It uses another port').click();
    await page.getByLabel('Address').fill('http://192.168.0.4:11434/');
    await page.getByLabel('Type').selectOption('local_native');
    await button('Connect').click();
    await page.getByText('give the address of a model server on this machine').waitFor();
  });

  it('fetches a model, also over a reload, starts it, tries it and plays', async () => {
    const { page, api, go } = current();
    offer(MODEL, BIGGER);
    api.choice.modelServer = null;
    await go('/connect');
    await page.getByText('1.8 GB to download · 3.3 GB of memory · Apache-2.0').first().waitFor();
    await page.getByText('about 4.5 to 11 words a second').first().waitFor();
    await page.getByText('Only 2 of them fit.').waitFor();
    await page.getByText('brew install llama.cpp').waitFor();
    await picture('get');
    await button('Get this model: Small 2B').click();
    await page.getByRole('progressbar').waitFor();
    const { url = '', sha256 = '' } = { ...MODEL.gguf };
    expect(api.models.asked).toEqual([{ url, sha256 }]);
    await page.getByText('640 MB of 2.5 GB').waitFor();
    await picture('fetching');
    await page.reload();
    await page.getByRole('heading', { name: 'Connecting Small 2B' }).waitFor();
    await page.getByText('640 MB of 2.5 GB').waitFor();
    install({ status: 'verifying' });
    await page.getByText('Checking the download…').waitFor();
    install({ status: 'installed' });
    await serverStarts();
    expect(api.models.sidecar.model_id).toBe('small-2b.gguf');
    api.models.sidecar = { ...api.models.sidecar, status: 'running' };
    await page.getByRole('heading', { name: 'Small 2B is ready' }).waitFor();
    expect(api.models.asked).toHaveLength(1);
    expect(api.choice.chosen).toEqual([{ runtime_id: 'local_server' }]);
  });

  it('fetches the program that runs a model along with it', async () => {
    const { page, api, go } = current();
    offer(MODEL);
    api.choice.modelServer = {
      ...(api.choice.modelServer as NonNullable<typeof api.choice.modelServer>),
      installed: false,
      command_found: null,
    };
    await go('/connect');
    await page.getByText('(llama.cpp, MIT, 62 MB) is downloaded too').waitFor();
    await button('Get this model: Small 2B').click();
    await page.getByText('fetching', { exact: true }).waitFor();
    api.choice.modelServer = { ...api.choice.modelServer, installing: null, message: 'The disk is full.' };
    await page.getByText('The program could not be installed.').waitFor();
    await page.getByText('The disk is full.').waitFor();
    api.choice.modelServer = { ...api.choice.modelServer, installed: true, command_found: 'bundled', message: null };
    await button('Try again').click();
    await page.getByRole('progressbar').waitFor();
    install({ status: 'installed' });
    await serverStarts();
    expect(api.models.asked).toHaveLength(1);
  });

  it('cancels what it began, in the service too', async () => {
    const { page, api, go } = current();
    offer(MODEL);
    await go('/connect');
    await button('Get this model: Small 2B').click();
    await page.getByRole('progressbar').waitFor();
    await button('Cancel').click();
    await page.getByText('Cancelled.').waitFor();
    await waitUntil('the install to be cancelled', () => api.models.installs[0]?.status === 'cancelled');
    await focusIs('Small 2B is not connected');
    await button('Close').click();
    await button('Get this model: Small 2B').waitFor();
  });

  it('cancels the install of the program as well', async () => {
    const { page, api, go } = current();
    offer(MODEL);
    api.choice.modelServer = { ...api.choice.server(), installed: false, command_found: null };
    await go('/connect');
    await button('Get this model: Small 2B').click();
    await page.getByText('fetching', { exact: true }).waitFor();
    await button('Cancel').click();
    await waitUntil('it to be cancelled', () => api.choice.modelServer?.installing === null);
    await button('Close').click();
    await page.locator('h1:focus').waitFor();
  });

  it('says why a model could not be fetched or started', async () => {
    const { page, api, go } = current();
    offer(MODEL);
    await go('/connect');
    await button('Get this model: Small 2B').click();
    await page.getByRole('progressbar').waitFor();
    install({ status: 'failed', message: 'The connection was lost; try again to continue.' });
    await page.getByText('The connection was lost; try again to continue.').waitFor();
    await button('Try again').click();
    await waitUntil('it to be asked for again', () => api.models.asked.length === 2);
    install({ status: 'installed' });
    await serverStarts();
    const exit = { code: 1, signal: null, at: '2026-01-01T00:00:00.000Z', message: 'Choose a smaller one.' };
    api.models.sidecar = { ...api.models.sidecar, status: 'failed', last_exit: exit };
    await page.getByText('It could not be started.').waitFor();
    await page.getByText('Choose a smaller one.').waitFor();
    expect(api.choice.chosen).toEqual([]);
  });

  it('has an Ollama without a model fetch one itself', async () => {
    const { page, api, go } = current();
    offer(MODEL);
    api.choice.found = [{ ...OLLAMA, models: [], problem: 'It has no model on this machine yet; get one below.' }];
    await go('/connect');
    await page.getByText('It downloads the one you choose').waitFor();
    await button('Get this model: Small 2B, with Ollama').click();
    await page.getByRole('progressbar').waitFor();
    expect(api.models.asked).toEqual([{ pull: 'small:2b' }]);
    install({ status: 'installed' });
    await page.getByRole('heading', { name: 'Small 2B is ready' }).waitFor();
    expect(api.choice.chosen).toEqual([
      { runtime_id: 'local_native', base_url: OLLAMA.base_url, model_id: 'small:2b' },
    ]);
  });

  it('says what is needed where no model fits', async () => {
    const { page, api, go } = current();
    api.choice.fitting = { ...api.choice.fitting, memory_available_bytes: 1_200_000_000 };
    await go('/connect');
    await page.getByText('the smallest needs 3.3 GB of free memory, and 1.2 GB is free').waitFor();
    expect(await button(/^Get /).count()).toBe(0);
    api.choice.fitting = { ...api.choice.fitting, memory_available_bytes: 6_000_000_000 };
  });

  it('leaves it to the environment, or to another gateway, where they decide', async () => {
    const { page, api, go } = current();
    api.choice.found = [OLLAMA];
    offer(MODEL);
    api.choice.state = {
      ...api.choice.state,
      decided_by: 'environment',
      variables: ['SIM_RUNTIME_ID'],
      can_change: false,
    };
    await go('/connect');
    await page.getByText('SIM_RUNTIME_ID is set, so it decides.').waitFor();
    await page.getByText('http://127.0.0.1:11434').waitFor();
    expect(await button(/^(Use|Get) /).count()).toBe(0);
    await picture('environment');
    api.choice.state = { ...api.choice.state, decided_by: 'gateway', variables: ['SIM_GATEWAY_URL'] };
    await go('/connect');
    await page.getByText('The gateway at SIM_GATEWAY_URL decides').waitFor();
    expect(await button(/^(Use|Get|Look) /).count()).toBe(0);
  });

  it('goes back to the demo voice, and starts the model server again', async () => {
    const { page, api, go } = current();
    api.choice.state = {
      ...api.choice.state,
      decided_by: 'choice',
      runtime_id: 'local_server',
      base_url: 'http://127.0.0.1:7356',
    };
    const message = 'The local model server cannot be reached.';
    api.home.runtime = {
      ...api.home.runtime,
      runtime_id: 'local_server',
      runtime_name: 'Local model server',
      status: 'UNAVAILABLE',
      message,
    };
    await go('/connect');
    await page.locator('#content').getByText(message).waitFor();
    await button('Start the model server').click();
    await serverStarts();
    api.home.runtime = { ...api.home.runtime, status: 'READY', message: null };
    api.models.sidecar = { ...api.models.sidecar, status: 'running' };
    await page.getByRole('heading', { name: 'the model server is ready' }).waitFor();
    await button('Use the demo voice').click();
    await page.getByText('The demo voice, with canned replies.').waitFor();
    await page.locator('.pill').getByText('Demo voice: canned replies.').waitFor();
  });

  it('is reached from the settings, the models and the help', async () => {
    const { page, go } = current();
    for (const place of ['/settings', '/models', '/help']) {
      await go(place);
      await page
        .locator('#content')
        .getByRole('link', { name: /^Connect a model/ })
        .first()
        .click();
      await page.getByRole('heading', { name: 'Connect a model', level: 1 }).waitFor();
    }
  });
});
