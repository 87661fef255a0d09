import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { describeInBrowser, openBrowser } from '@parley/shared/testing';
import { ParleySet } from '../set/parley-set';

/** What a page sees of an address that it loads as a picture: its width in pixels, or null when it gets none. */
const widthOf = ({ address, withOrigin }: { address: string; withOrigin: boolean }): Promise<number | null> =>
  new Promise((resolve) => {
    const picture = new Image();
    if (withOrigin) picture.crossOrigin = 'anonymous';
    picture.onload = () => resolve(picture.naturalWidth);
    picture.onerror = () => resolve(null);
    picture.src = address;
  });

describeInBrowser('Pictures of packs', (chromium) => {
  let set: ParleySet;
  let browser: Browser;
  let elsewhere: Server;
  beforeAll(async () => {
    set = await ParleySet.start({ withUi: true });
    elsewhere = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Another site</title>');
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    browser = await openBrowser(chromium);
  });
  afterAll(async () => {
    await browser?.close();
    elsewhere?.close();
    await set?.stop();
  });

  const portrait = async (host: string): Promise<string> => {
    const { npc } = await set.ask('getScenario', { params: { id: 'the_ask' } });
    return `http://${host}:${set.portOf('session_api')}${npc.portrait_url ?? ''}`;
  };

  it.each(['127.0.0.1', 'localhost'])('are shown by the page, opened as %s', async (host) => {
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    await page.goto(`http://${host}:${set.portOf('ui')}/`);
    await page.waitForFunction(() => {
      const pictures = [...document.images].filter((one) => one.src.includes('/assets/portraits/'));
      return pictures.length > 0 && pictures.every((one) => one.complete && one.naturalWidth > 0);
    });
    const shown = await page.evaluate(widthOf, { address: await portrait(host), withOrigin: true });
    expect([complaints, shown]).toEqual([[], expect.any(Number)]);
    await page.close();
  });

  it('tell another site nothing: one that is there fails like one that is not', async () => {
    const page = await browser.newPage();
    await page.goto(`http://localhost:${(elsewhere.address() as AddressInfo).port}/`);
    const there = await portrait('127.0.0.1');
    expect((await set.call('GET', new URL(there).pathname)).status).toBe(200);
    const missing = there.replace('the_ask', 'not_there');
    for (const withOrigin of [false, true])
      for (const address of [there, missing])
        expect([withOrigin, address, await page.evaluate(widthOf, { address, withOrigin })]).toEqual([
          withOrigin,
          address,
          null,
        ]);
    await page.close();
  });
});
