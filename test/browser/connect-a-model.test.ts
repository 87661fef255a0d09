import { mkdirSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { findChromium, npcTurnJson, openBrowser, waitUntil } from '@parley/shared/testing';
import { startGateway, type RunningGateway } from '../../services/runtime-gateway/src/testing/gateway-caller';
import { ParleySet } from '../set/parley-set';

/** Where the pictures go that a person may look at after a run. */
const PICTURES = path.join(__dirname, '..', '..', 'test-results', 'connect');

const SAID = {
  ollama: 'I can look at 50,000 in January. What would you need from me until then?',
  llama: 'The freeze holds me to three percent now. Tell me what Ines would have to see.',
} as const;

/** A model server that says one line, a few characters at a time, and keeps the chats that it got. */
interface TalkingServer {
  readonly url: string;
  readonly chats: Record<string, unknown>[];
  close(): void;
}

const BETWEEN_PIECES_MS = 12;

async function talkingServer(
  text: string,
  reads: Readonly<Record<string, unknown>>,
  line: (piece: string | null) => string,
): Promise<TalkingServer> {
  const chats: Record<string, unknown>[] = [];
  const stream = async (response: ServerResponse, isTurn: boolean): Promise<void> => {
    const whole = isTurn ? npcTurnJson({ npc_utterance: text }) : 'Good morning, I slept well.';
    for (const piece of whole.match(/[^]{1,6}/gu) ?? []) {
      response.write(line(piece));
      await sleep(BETWEEN_PIECES_MS);
    }
    response.end(line(null));
  };
  const server: Server = createServer((request, response) => {
    let sent = '';
    request.on('data', (data: Buffer) => (sent += data.toString('utf8')));
    request.on('end', () => {
      if (request.method === 'GET') {
        const answer = reads[request.url ?? ''];
        response.statusCode = answer === undefined ? 404 : 200;
        response.end(typeof answer === 'string' ? answer : JSON.stringify(answer ?? {}));
        return;
      }
      const chat = JSON.parse(sent === '' ? '{}' : sent) as Record<string, unknown>;
      if (!request.url?.endsWith('/chat') && !request.url?.endsWith('/completions')) return response.end('{}');
      chats.push(chat);
      const isSse = request.url.endsWith('/completions');
      response.writeHead(200, { 'content-type': isSse ? 'text/event-stream' : 'application/x-ndjson' });
      void stream(response, sent.includes('npc_utterance'));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    chats,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

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

const chromium = findChromium();
const mayBeMissing = chromium === null && process.env['CI'] !== 'true';
if (mayBeMissing)
  process.stderr.write('No Chromium was found: no model is connected in a browser. Install the package chromium.\n');
const describeInBrowser = mayBeMissing ? describe.skip : describe;

describeInBrowser('a person connects a model in the browser', () => {
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
    if (chromium === null) throw new Error('CI needs Chromium; install the package chromium.');
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
  const open = async (): Promise<Page> => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
    page.on('console', (message) => {
      // A refusal of the service is an answer that the page knows what to do with.
      const isRefusal = message.text().startsWith('Failed to load resource');
      if (['error', 'warning'].includes(message.type()) && !isRefusal) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    // Every text that the line being spoken ever had, as a person could have seen it.
    await page.addInitScript(() => {
      const seen: string[] = [];
      (window as unknown as { seenLive: string[] }).seenLive = seen;
      new MutationObserver(() => {
        const text = document.querySelector('.line-live .line-words')?.textContent ?? '';
        if (text !== '' && seen.at(-1) !== text) seen.push(text);
      }).observe(document, { subtree: true, childList: true, characterData: true });
    });
    return page;
  };

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
    const live = await page.evaluate(() => (window as unknown as { seenLive: string[] }).seenLive);
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
