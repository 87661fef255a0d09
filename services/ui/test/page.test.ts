import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, openBrowser, waitUntil } from '@parley/shared/testing';
import { openTab, type Tab } from './in-browser';
import { startPage, type StartedPage } from './start-page';

describeInBrowser('the page in Chromium', (executablePath) => {
  let started: StartedPage;
  let browser: Browser;
  let tab: Tab;
  let page: Page;

  beforeAll(async () => {
    started = await startPage();
    browser = await openBrowser(executablePath);
  });

  afterAll(async () => {
    await browser?.close();
    await started?.stop();
  });

  beforeEach(async () => {
    tab = await openTab(browser);
    page = tab.page;
  });

  afterEach(async () => {
    started.api.goOn();
    await tab.context.close();
    expect(tab.complaints).toEqual([]);
  });

  const go = (path: string) => page.goto(started.url + path);
  const composer = () => page.locator('.composer-field');
  const say = async (words: string) => {
    await composer().fill(words);
    await composer().press('Enter');
  };
  const logText = () => page.locator('[role=log]').innerText();
  const liveText = () => page.locator('.line-live .line-words').innerText();

  it('goes from the library over the briefing to the opening line', async () => {
    await go('/');
    await page.getByRole('link', { name: 'The ask' }).click();
    await page.locator('h1:focus').waitFor();
    await page.getByLabel('Finding her interests').check();
    await page.getByLabel('A bad month').check();
    await page.getByRole('button', { name: 'Begin' }).click();
    await page.waitForURL(/\/play\//);
    await page.getByRole('log').getByText('Come in, push the samples off the chair.').waitFor();
    const made = [...started.api.sessions.values()].at(-1)?.session;
    expect(made).toMatchObject({ difficulty: 'hard', focus_dimension: 'interests', flow_state: 'PlayerTurnListening' });
    expect(await page.title()).toBe('The ask · Parley');
  });

  it('shows tokens as they stream, outside of the log, and the finished turn inside it', async () => {
    const { session } = started.api.played(0);
    started.api.talk.holdAfterWords = 3;
    await go(`/play/${session.id}`);
    await say('I would like 53,000.');
    await waitUntil('three words', async () => (await liveText()).trim() === 'Fifty-three. All right,');
    expect(await logText()).not.toContain('Fifty-three');
    expect(await page.locator('.line-live').getAttribute('aria-hidden')).toBe('true');
    expect(await page.getByRole('status').innerText()).toBe('Dana is replying');
    expect(await page.getByText('Dana is speaking').count()).toBe(1);
    started.api.goOn();
    await page.getByRole('log').getByText('Fifty-three. All right,').waitFor();
    expect(await page.locator('.line-live').count()).toBe(0);
    expect(await logText()).toContain('I would like 53,000.');
  });

  it('moves the meters, the emotion, the portrait and the turn with the answer', async () => {
    const { session } = started.api.played(1);
    await go(`/play/${session.id}`);
    await page.getByText('Your line 2 of 14').waitFor();
    await say('Two things.');
    await page.getByText('Your line 3 of 14').waitFor();
    const trust = page.getByRole('meter', { name: 'Trust' });
    expect(await trust.getAttribute('aria-valuenow')).toBe('51');
    expect(await trust.getAttribute('aria-valuetext')).toBe('51 of 100, up 5');
    expect(await page.locator('.person-emotion').innerText()).toBe('curious');
    expect(await page.locator('.person-portrait').getAttribute('src')).toContain('curious.svg');
    const width = await page
      .locator('.person-portrait')
      .evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth));
    expect(width).toBeGreaterThan(0);
    expect(await page.getByRole('meter', { name: 'Pressure' }).count()).toBe(0);
  });

  it('shows an event as a stage direction, also after a reload', async () => {
    const { session } = started.api.played(3);
    await go(`/play/${session.id}`);
    await say('So you can sign for three percent.');
    await page.locator('.script-direction', { hasText: 'Dana’s laptop chimes.' }).waitFor();
    await page.reload();
    await page.locator('.script-direction', { hasText: 'Dana’s laptop chimes.' }).waitFor();
  });

  it('resumes a turn that was under way when the page was reloaded, without sending it twice', async () => {
    const one = started.api.played(0);
    started.api.talk.holdAfterWords = 2;
    started.api.talk.keys.length = 0;
    await go(`/play/${one.session.id}`);
    await say('Sent before the reload');
    await page.locator('.line-live').waitFor();
    await page.reload();
    started.api.goOn();
    await page.getByRole('log').getByText('Sent before the reload').waitFor();
    await waitUntil('the player’s turn', async () => (await composer().count()) === 1);
    expect(one.turns.map((turn) => turn.role)).toEqual(['npc', 'player', 'npc']);
    expect(new Set(started.api.talk.keys).size).toBe(1);
    expect(started.api.talk.keys[0]).toMatch(/^[a-f0-9]{32}$/);
  });

  it('keeps the draft over a reload', async () => {
    const { session } = started.api.played(0);
    await go(`/play/${session.id}`);
    await composer().fill('Half a thought');
    await page.reload();
    await composer().waitFor();
    expect(await composer().inputValue()).toBe('Half a thought');
  });

  it('breaks the line with Shift+Enter and counts down from 1800 characters', async () => {
    const { session } = started.api.played(0);
    await go(`/play/${session.id}`);
    await composer().fill('a');
    await composer().press('Shift+Enter');
    expect(await composer().inputValue()).toBe('a\n');
    await composer().fill('😀'.repeat(1800));
    await page.getByText('200 characters left').waitFor();
    await composer().fill('b'.repeat(2001));
    await page.getByText('1 too many').waitFor();
    await composer().press('Enter');
    expect(started.api.find(session.id).turns).toHaveLength(1);
  });

  it('gives the words back after Stop', async () => {
    const { session } = started.api.played(0);
    started.api.talk.holdAfterWords = 1;
    await go(`/play/${session.id}`);
    await say('Wait, let me think');
    await page.getByRole('button', { name: 'Stop' }).click();
    await waitUntil('the words', async () => (await composer().inputValue()) === 'Wait, let me think');
    expect(started.api.find(session.id).turns).toHaveLength(1);
  });

  it('says what happened when the model is away, and sends again with the same key', async () => {
    const { session } = started.api.played(0);
    started.api.talk.keys.length = 0;
    started.api.talk.failNextTurn = 'RUNTIME_UNAVAILABLE';
    await go(`/play/${session.id}`);
    await say('Anybody there?');
    await page.getByRole('alert').getByText('The model runtime cannot be reached.').waitFor();
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByRole('log').getByText('Anybody there?').waitFor();
    expect(started.api.talk.keys).toHaveLength(2);
    expect(new Set(started.api.talk.keys).size).toBe(1);
  });

  it('reconnects after a lost socket and fetches what it missed', async () => {
    const one = started.api.played(1);
    await go(`/play/${one.session.id}`);
    await composer().waitFor();
    started.api.sockets.cut();
    await page.getByText('Connection lost. Reconnecting…').waitFor();
    one.turns.push({ ...(one.turns[1] as (typeof one.turns)[number]), index: 4, text: 'Said elsewhere' });
    one.session = { ...one.session, turn_count: 4 };
    await page.getByRole('log').getByText('Said elsewhere').waitFor();
  });

  it('fetches the state when a number of the socket is missing', async () => {
    const one = started.api.played(1);
    await go(`/play/${one.session.id}`);
    await composer().waitFor();
    await waitUntil('the socket', () => one.seq > 0);
    one.turns.push({ ...(one.turns[1] as (typeof one.turns)[number]), index: 4, text: 'Said in the gap' });
    one.session = { ...one.session, turn_count: 4 };
    started.api.skipSeq(one.session.id);
    started.api.sockets.send(one, { type: 'npc.token', payload: { text: '' } });
    await page.getByRole('log').getByText('Said in the gap').waitFor();
  });

  it('ends a talk after a confirmation and puts the focus on the ending', async () => {
    const { session } = started.api.played(1);
    await go(`/play/${session.id}`);
    await page.getByRole('button', { name: 'End the talk' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect(started.api.find(session.id).session.flow_state).toBe('PlayerTurnListening');
    await page.getByRole('button', { name: 'End the talk' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End it' }).click();
    await page.getByRole('heading', { name: 'You ended the talk' }).waitFor();
    await page.locator(':focus', { hasText: /^You ended the talk$/ }).waitFor();
  });

  it('plays to an ending and reads its debrief: own ratings first, letter, scores, chart, transcript', async () => {
    const { session } = started.api.played(4);
    await go(`/play/${session.id}`);
    await say('You have it by Friday noon.');
    await page.getByRole('heading', { name: 'A case she can carry' }).waitFor();
    await page.getByRole('link', { name: 'Read the debrief' }).click();
    await page.getByRole('slider', { name: /A clear ask/ }).fill('40');
    expect(await page.getByText('64').count()).toBe(0);
    await page.getByRole('button', { name: 'Compare with the debrief' }).click();
    await page.getByRole('heading', { name: 'Next time' }).waitFor();
    await page.getByText('You said 40').waitFor();
    expect(await page.getByText('Not observed').count()).toBe(1);
    await page.getByText('You name one figure within your first five lines').waitFor();
    expect(await page.locator('.chart .chart-line').count()).toBe(5);
    await page.getByText('Show as a table').click();
    expect(await page.locator('.chart-table tbody tr').count()).toBe(6);
    await page.getByRole('button', { name: 'Answer to your line 3' }).click();
    expect(await page.locator('#turn-7').getAttribute('data-shown')).toBe('true');
    const href = await page.getByRole('link', { name: 'Export as JSON' }).getAttribute('href');
    expect(href).toMatch(new RegExp(`/api/sessions/${session.id}/export$`));
  });

  it('retries from a turn in a new session, from the debrief and from the stage', async () => {
    const one = started.api.played(5);
    await go(`/sessions/${one.session.id}/debrief`);
    await page.getByRole('button', { name: 'Skip' }).click();
    await page.getByRole('button', { name: 'Retry from your line 2' }).click();
    await page.waitForURL(/\/play\//);
    await composer().waitFor();
    const fork = [...started.api.sessions.values()].at(-1)?.session;
    expect(fork).toMatchObject({ attempt: 'retry', forked_from: { session_id: one.session.id, turn: 3 } });
    await page.getByRole('button', { name: 'Retry from your line 1' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Try again from here' }).click();
    await waitUntil('another fork', () => [...started.api.sessions.values()].at(-1)?.turns.length === 1);
  });

  it('finds, deletes one and deletes all sessions, the latter only when the word was typed', async () => {
    started.api.sessions.clear();
    started.api.played(1);
    started.api.played(2);
    await go('/history');
    await waitUntil('two sessions', async () => (await page.locator('.history-row').count()) === 2);
    await page.getByLabel('Search transcripts').fill('Stock-outs');
    await waitUntil('one hit', async () => (await page.locator('.history-row').count()) === 1);
    await page.getByRole('button', { name: 'Delete: The ask' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No saved transcript matches.').waitFor();
    await page.getByLabel('Search transcripts').fill('');
    await page.getByRole('button', { name: 'Delete everything…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Delete everything' }).click({ force: true });
    expect(started.api.sessions.size).toBe(1);
    await dialog.getByLabel('Type “delete” to confirm').fill('delete');
    await dialog.getByRole('button', { name: 'Delete everything' }).click();
    await waitUntil('nothing left', () => started.api.sessions.size === 0);
    await page.getByText('No sessions yet.').waitFor();
  });

  it('changes a privacy switch in the service and remembers it in the browser', async () => {
    await go('/settings');
    const keep = page.getByRole('switch', { name: /Keep transcripts/ });
    await keep.uncheck();
    await waitUntil('the service', () => !started.api.home.settings.save_transcripts);
    await waitUntil(
      'the browser',
      async () => (await page.evaluate(() => localStorage.getItem('sim.privacy.save_transcripts'))) === 'false',
    );
    await go('/scenarios/the_ask');
    await page.getByText('The transcript is not kept').waitFor();
    await page.getByRole('button', { name: 'Begin' }).click();
    await composer().fill('Nothing of this on disk');
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('Nothing of this');
    started.api.home.settings = { ...started.api.home.settings, save_transcripts: true };
  });

  it('says what to do when the catalogue cannot be read, and reads it when asked again', async () => {
    started.api.pack.away.add('listScenarios');
    await go('/');
    await page.getByRole('alert').getByText('The pack service cannot be reached.').waitFor();
    started.api.pack.away.clear();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('link', { name: 'The ask' }).waitFor();
  });

  it('filters the library by words, and offers all of it when nothing fits', async () => {
    await go('/');
    await page.getByLabel('Search').fill('jules');
    await waitUntil('one card', async () => (await page.locator('.scenario-card').count()) === 1);
    await page.getByLabel('Search').fill('nobody');
    await page.getByRole('button', { name: 'Show all scenarios' }).click();
    await waitUntil('all cards', async () => (await page.locator('.scenario-card').count()) === 2);
  });

  it('shows what the check of a pack found', async () => {
    await go('/packs');
    await page.getByLabel('Or the path of a folder or zip on this machine').fill('/packs/broken');
    await page.getByRole('button', { name: 'Import' }).click();
    await page.getByText('scenarios/one.yaml:12:8 ref.unknown').waitFor();
    await page.getByText('Did you mean npcs/ana.yaml?').waitFor();
  });

  it('shows how far an import is, and cancels it', async () => {
    started.api.pack.importState = { status: 'checking', files_done: 120, files_total: 2_014 };
    await go('/packs');
    await page
      .getByLabel('Choose a zip file')
      .setInputFiles({ name: 'a.zip', mimeType: 'application/zip', buffer: Buffer.from('PK') });
    await page.getByText('120 of 2014 files').waitFor();
    const progress = page.getByLabel('Progress of the import');
    expect([await progress.getAttribute('value'), await progress.getAttribute('max')]).toEqual(['120', '2014']);
    await page.getByRole('button', { name: 'Cancel the import' }).click();
    await page.getByText('The import was cancelled. Nothing was installed.').waitFor();
    expect(await progress.count()).toBe(0);
  });

  it('offers to replace a lower version, and says what was installed', async () => {
    started.api.pack.importState = {
      status: 'failed',
      code: 'PACK_ALREADY_INSTALLED',
      message: 'My pack 1.0.0 is installed already.',
      details: { installed_version: '1.0.0', version: '1.1.0', replaceable: true },
    };
    started.api.pack.importQueries.length = 0;
    await go('/packs');
    await page.getByLabel('Or the path of a folder or zip on this machine').fill('/packs/higher');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('My pack 1.0.0 is installed already.').waitFor();
    started.api.pack.importState = { status: 'installed', pack_id: 'my_pack', files_done: 7, files_total: 7 };
    await page.getByRole('button', { name: 'Replace 1.0.0 with 1.1.0' }).click();
    await page.getByText('My pack is installed.', { exact: true }).waitFor();
    expect(started.api.pack.importQueries).toEqual(['', 'replace=true']);
  });

  it('shows progress with first attempts and retries apart', async () => {
    const point = { session_id: 'a-session-of-the-test-1', ended_at: '2026-01-01T00:00:00.000Z' };
    started.api.home.progress = {
      skills: [],
      suggestions: [],
      scenarios: [
        {
          scenario_id: 'the_ask',
          title: 'The ask',
          attempts: [
            {
              ...point,
              attempt: 'first',
              difficulty: 'standard',
              coaching: false,
              finished: true,
              ending_type: 'failure',
              overall_score: 48,
              dimensions: { clear_ask: 48 },
            },
          ],
        },
      ],
      dimensions: [
        {
          id: 'clear_ask',
          name: 'A clear ask',
          points: [
            { ...point, attempt: 'first', score: 48 },
            { ...point, session_id: 'a-session-of-the-test-2', attempt: 'retry', score: 71 },
          ],
        },
      ],
    };
    await go('/progress');
    await page.getByRole('img', { name: 'A clear ask: 48, 71 (Retry), oldest first' }).waitFor();
    expect(await page.locator('.dot-first').count()).toBe(1);
    expect(await page.locator('.dot-hollow').count()).toBe(1);
    await page.getByRole('cell', { name: 'It did not work out' }).waitFor();
    await go('/');
    await page.getByText('Last score: 48').waitFor();
  });

  it('shows words of a character as text, whatever they look like', async () => {
    const one = started.api.played(1);
    const nasty = '<img src=x onerror="document.title=\'owned\'"> **bold** [a](javascript:alert(1))';
    one.turns[2] = { ...(one.turns[2] as (typeof one.turns)[number]), text: nasty };
    await go(`/play/${one.session.id}`);
    await page.getByRole('log').getByText(nasty, { exact: true }).waitFor();
    expect(await page.locator('[role=log] img, [role=log] a, [role=log] strong').count()).toBe(0);
    expect(await page.title()).toBe('The ask · Parley');
  });

  it('loads nothing from anywhere but its own server and the API', async () => {
    const hosts = new Set<string>();
    page.on('request', (request) => hosts.add(new URL(request.url()).hostname));
    await go('/');
    await page.getByRole('link', { name: 'The ask' }).waitFor();
    expect([...hosts]).toEqual(['127.0.0.1']);
  });
});
