import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import {
  describeWithModelServer,
  describeInBrowser,
  freePorts,
  openBrowser,
  tinyModel,
  waitUntil,
} from '@parley/shared/testing';
import { startGateway, type RunningGateway } from '../../services/runtime-gateway/testing/gateway-caller';
import { isAlive, parentOf, ParleySet } from '../set';
import { servedFile, type ServedFile } from './served-file';
import { talkingServer, type TalkingServer } from './talking-server';
import { seenLive, watchedPage } from './watched-page';

/** Where the pictures go that a person may look at after a run. */
const PICTURES = path.join(__dirname, '..', '..', 'test-results', 'connect');

const SAID = {
  ollama: 'I can look at 50,000 in January. What would you need from me until then?',
  llama: 'The freeze holds me to three percent now. Tell me what Ines would have to see.',
} as const;

const ollama = (): Promise<TalkingServer> =>
  talkingServer(
    SAID.ollama,
    {
      '/': 'Ollama is running',
      '/api/ps': { models: [] },
      '/api/tags': {
        models: [
          { name: 'huge:cloud', remote_host: 'https://models.example' },
          { name: 'small:1b' },
          { name: 'large:8b' },
        ],
      },
    },
    (piece) =>
      `${JSON.stringify(piece === null ? { done: true, done_reason: 'stop' } : { message: { content: piece }, done: false })}\n`,
  );

const llamaServer = (): Promise<TalkingServer> =>
  talkingServer(
    SAID.llama,
    { '/health': { status: 'ok' }, '/v1/models': { data: [{ id: '/models/tiny-Q4.gguf', owned_by: 'llamacpp' }] } },
    (piece) => `data: ${piece === null ? '[DONE]' : JSON.stringify({ choices: [{ delta: { content: piece } }] })}\n\n`,
  );

describeInBrowser('a person connects a model in the browser', (chromium) => {
  let set: ParleySet;
  let gateway: RunningGateway;
  let browser: Browser;
  let servers: { ollama: TalkingServer; llama: TalkingServer };

  beforeAll(async () => {
    mkdirSync(PICTURES, { recursive: true });
    servers = { ollama: await ollama(), llama: await llamaServer() };
    // In this process, since nothing but a test may say where to look.
    gateway = await startGateway(
      {},
      {
        places: [
          { product: 'ollama', base_url: servers.ollama.url },
          { product: 'llama_server', base_url: servers.llama.url },
        ],
      },
    );
    set = await ParleySet.start({ withUi: true, gatewayUrl: gateway.url });
    browser = await openBrowser(chromium);
  });
  afterAll(async () => {
    await browser?.close();
    await set?.stop();
    await gateway?.stop();
    servers?.ollama.close();
    servers?.llama.close();
  });

  const complaints: string[] = [];
  const open = (): Promise<Page> => watchedPage(browser, complaints);

  /** Begins a talk, says a line, and sees the answer come word by word. */
  const playALine = async (page: Page, said: string): Promise<void> => {
    await page.getByRole('link', { name: 'Play', exact: true }).click();
    await page
      .getByRole('link', { name: /the ask/i })
      .first()
      .click();
    await page.getByRole('button', { name: 'Begin' }).click();
    await page.getByRole('textbox').fill('I would like 53,000. What limits you, and who decides about it?');
    await page.getByRole('button', { name: 'Say it' }).click();
    await page.getByRole('log').getByText(said).waitFor();
    const live = await seenLive(page);
    expect(live.filter((text) => text.length < said.length && said.startsWith(text.trim())).length).toBeGreaterThan(3);
  };

  const connectWith = async (page: Page, product: string, shot: string): Promise<void> => {
    await page.getByRole('button', { name: new RegExp(`^Use this one: ${product} at `) }).click();
    await page.getByRole('heading', { name: `${product} is ready` }).waitFor();
    await page.getByText('Good morning, I slept well.').waitFor();
    await page.screenshot({ path: path.join(PICTURES, `${shot}.png`) });
  };

  it('from the demo voice to Ollama, and on to llama-server, by clicks alone', async () => {
    const page = await open();
    await page.goto(set.urlOf('ui'));
    await page.locator('.pill').getByText('Demo voice: canned replies.').waitFor();
    await page.locator('.pill').getByRole('link', { name: 'Connect a model' }).click();
    const models = page.getByLabel('Model of Ollama');
    await models.waitFor();
    expect(await models.locator('option').allTextContents()).toEqual(['small:1b', 'large:8b']);
    await models.selectOption('large:8b');
    await page.screenshot({ path: path.join(PICTURES, 'set-found.png') });
    await connectWith(page, 'Ollama', 'set-ollama');
    await page.locator('.pill').getByText('Played by large:8b').waitFor();
    await playALine(page, SAID.ollama);
    expect(servers.ollama.chats.map((chat) => chat['model'])).toEqual(servers.ollama.chats.map(() => 'large:8b'));
    await page.screenshot({ path: path.join(PICTURES, 'set-stage.png') });

    const asked = servers.ollama.chats.length;
    await page.goto(`${set.urlOf('ui')}/connect`);
    await page.getByText('In use now.').waitFor();
    await connectWith(page, 'llama-server', 'set-llama');
    await page.locator('.pill').getByText('Played by tiny-Q4').waitFor();
    await playALine(page, SAID.llama);
    expect(servers.ollama.chats).toHaveLength(asked);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('back to the demo voice, and says what is wrong with one that is gone', async () => {
    const page = await open();
    servers.llama.close();
    await page.goto(`${set.urlOf('ui')}/connect`);
    await page.locator('#content').getByText('The local model server cannot be reached.').waitFor();
    expect(await set.ask('getRuntimeChoice', {})).toMatchObject({ runtime_id: 'local_server', decided_by: 'choice' });
    await page.getByRole('button', { name: 'Use the demo voice' }).click();
    await page.locator('.pill').getByText('Demo voice: canned replies.').waitFor();
    await waitUntil('the demo voice to play', async () => (await set.ask('listModels', {})).runtime_id === 'fake');
    await page.close();
  });
});

describeInBrowser('a person without any model server', (chromium) => {
  describeWithModelServer('gets a model in the browser', () => {
    /** A random model: it writes no sense, but as any other model would. */
    const FILE = tinyModel({ end: 0 });
    /** Polite, and nothing more: the talk goes on until its lines are used up. */
    const LINES = ['Thank you.', 'It is late again.', 'I see.', 'That may be so.', 'There it comes.'];
    let host: ServedFile;
    let gateway: RunningGateway;
    let set: ParleySet;
    let browser: Browser;

    beforeAll(async () => {
      mkdirSync(PICTURES, { recursive: true });
      host = await servedFile('tiny.gguf', FILE);
      const [port = 0] = await freePorts(1);
      // In this process, since nothing but a test may say where to look and what to offer.
      gateway = await startGateway(
        { SIM_LOCAL_SERVER_BASE_URL: `http://127.0.0.1:${port}` },
        {
          places: [],
          machine: () => ({ memory_available_bytes: 8e9, cores: 4 }),
          suggested: [
            {
              name: 'Tiny',
              memory_gb: 4,
              license: 'Apache-2.0',
              size_gb: 0.1,
              pull: 'tiny',
              gguf: {
                repository: 'nobody/tiny',
                file: 'tiny.gguf',
                url: host.url,
                size_bytes: FILE.length,
                sha256: host.sha256,
              },
              note: 'Speaks nonsense.',
            },
          ],
        },
      );
      set = await ParleySet.start({ withUi: true, gatewayUrl: gateway.url });
      browser = await openBrowser(chromium);
    });
    let stopping: Promise<void> | null = null;
    const stop = (): Promise<void> =>
      (stopping ??= (async () => {
        await set?.stop();
        await gateway?.stop();
      })());
    afterAll(async () => {
      await browser?.close();
      await stop();
      host?.close();
    });

    const newest = async () => (await set.ask('listSessions', { query: { limit: 1 } })).sessions[0];

    it('by three clicks, plays a talk with it to its letter, and leaves no process behind', async () => {
      const complaints: string[] = [];
      const page = await watchedPage(browser, complaints);
      await page.goto(set.urlOf('ui'));
      await page.locator('.pill').getByText('Demo voice: canned replies.').waitFor();
      await page.locator('.pill').getByRole('link', { name: 'Connect a model' }).click();
      expect(readdirSync(gateway.dataDir)).not.toContain('models');
      await page.getByRole('button', { name: 'Get this model: Tiny' }).click();
      await page.getByRole('heading', { name: 'Tiny is ready' }).waitFor();
      await page.getByText('It said:').waitFor();
      await page.screenshot({ path: path.join(PICTURES, 'set-own-server.png') });
      expect(readFileSync(path.join(gateway.dataDir, 'models', 'tiny.gguf')).equals(FILE)).toBe(true);
      expect(host.asked()).toBe(1);
      await page.locator('.pill').getByText('Played by tiny').waitFor();
      const { status, pid } = await set.ask('getSidecar', {});
      expect(status).toBe('running');

      await page.getByRole('link', { name: 'Play', exact: true }).click();
      await page
        .getByRole('link', { name: /first words/i })
        .first()
        .click();
      await page.getByRole('button', { name: 'Begin' }).click();
      for (const [at, line] of LINES.entries()) {
        await page.getByRole('textbox').fill(line);
        await page.getByRole('button', { name: 'Say it' }).click();
        await waitUntil('the turn to be stored', async () => (await newest())?.player_turn_count === at + 1);
        await page.getByRole('textbox').or(page.getByText('Read the debrief')).first().waitFor();
        if ((await newest())?.flow_state === 'Ended') break;
      }
      const ended = await newest();
      expect(ended?.flow_state).toBe('Ended');
      expect(ended?.demo).toBeUndefined();
      // Several texts of one line, each going on from the one before: words that came as they were said.
      const live = await seenLive(page);
      const growing = live.filter((text, at) => at > 0 && text.startsWith(live[at - 1] ?? '')).length;
      expect(growing).toBeGreaterThan(3);

      await page.getByText('Read the debrief').first().click();
      await page.getByRole('button', { name: 'Skip' }).click();
      await page.getByRole('heading', { name: 'The scores' }).waitFor();
      await page.screenshot({ path: path.join(PICTURES, 'set-own-letter.png'), fullPage: true });
      expect((await newest())?.flow_state).toBe('DebriefReady');
      expect(complaints).toEqual([]);
      await page.close();

      const guard = parentOf(pid ?? 0);
      expect(isAlive(pid ?? 0)).toBe(true);
      await stop();
      await waitUntil('no process to be left', () => !isAlive(pid ?? 0) && !isAlive(guard));
    }, 180_000);
  });
});
