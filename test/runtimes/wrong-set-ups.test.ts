import { execFile } from 'node:child_process';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { z } from 'zod';
import { RESOURCE_OFFER } from '@parley/shared/contracts';
import { describeInBrowser, npcTurnJson, openBrowser, waitUntil } from '@parley/shared/testing';
import { CONTRACT_CHECKS } from '../../services/runtime-gateway/src/conformance/contract-checks';
import { GatewayUnderTest } from '../../services/runtime-gateway/src/conformance/gateway-under-test';
import { startGateway, type RunningGateway } from '../../services/runtime-gateway/testing/gateway-caller';
import { ParleySet, PROJECT_ROOT, say, scriptedModelServer, startedSession, type ModelServer } from '../set';
import { LESSER_SERVERS, WRONG_SET_UPS, type WrongSetUp } from './wrong-set-ups';

const SAID = 'I can look at 50,000 in January. What would you need from me until then?';
const LINE = 'I would like 53,000. What limits you, and who decides about it?';

const DoctorReport = z.object({ checks: z.array(z.object({ name: z.string(), message: z.string() })) });

/** What `npm run doctor` says of the model runtime. */
function doctor(gatewayUrl: string, dataDir: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [path.join(PROJECT_ROOT, 'scripts', 'doctor.cjs'), '--json'],
      { env: { PATH: process.env['PATH'], SIM_DATA_DIR: dataDir, SIM_GATEWAY_URL: gatewayUrl } },
      // It may find faults of this machine, and then ends with 1.
      (error, stdout) => {
        if (stdout === '') return reject(error ?? new Error('the doctor said nothing'));
        const { checks } = DoctorReport.parse(JSON.parse(stdout));
        resolve(checks.find(({ name }) => name === 'model runtime')?.message ?? '');
      },
    );
  });
}

/** A set in front of a model server that can be made wrong; the gateway is in this process. */
interface Rig {
  readonly model: ModelServer;
  readonly gateway: RunningGateway;
  readonly set: ParleySet;
  readonly kit: GatewayUnderTest;
}

async function startRig(options: { withUi: boolean }): Promise<Rig> {
  const model = await scriptedModelServer();
  // As many people write it.
  const gateway = await startGateway({
    SIM_RUNTIME_ID: 'local_server',
    SIM_LOCAL_SERVER_BASE_URL: `${model.url}/v1`,
  });
  const set = await ParleySet.start({ ...options, gatewayUrl: gateway.url });
  return { model, gateway, set, kit: new GatewayUnderTest(gateway.url) };
}

async function stopRig(rig: Rig): Promise<void> {
  await rig.kit.close();
  await rig.set.stop();
  await rig.gateway.stop();
  rig.model.close();
}

const isWell = ({ model }: Rig): void =>
  model.answer(() => ({ kind: 'says', text: npcTurnJson({ npc_utterance: SAID }) }));
const isWrong = ({ model }: Rig, { status, error }: WrongSetUp): void =>
  model.answer(() => ({ kind: 'fails', status, body: JSON.stringify({ error }) }));

const healthOf = async ({ set }: Rig): Promise<{ status: string; message: string | null }> =>
  (await set.ask('getHealth', {})).runtime;
const seesHealth = (rig: Rig, status: string): Promise<unknown> =>
  waitUntil(`health to be ${status}`, async () => (await healthOf(rig)).status === status);

/** The kit's word on the gateway as it is now. */
async function honest(kit: GatewayUnderTest): Promise<void> {
  const check = CONTRACT_CHECKS.find(({ id }) => id === 'health.honest');
  if (check === undefined) throw new Error('the kit no longer asks whether health is honest');
  await check.run(kit);
}

const errorsOf = async ({ set }: Rig): Promise<number> =>
  (await set.ask('getDiagnostics', {})).recent_errors.find(({ code }) => code === 'RUNTIME_ERROR')?.count ?? 0;

describe('a model server that is set up wrongly', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig({ withUi: false });
  });
  afterAll(() => stopRig(rig));

  it.each(WRONG_SET_UPS)('($what) is said in health and by the doctor, until a chat succeeds', async (wrong) => {
    const { set, gateway } = rig;
    isWell(rig);
    const { id } = await startedSession(set);
    expect((await say(set, id, LINE)).body).toMatchObject({ used_fallback: false, npc_turn: { text: SAID } });
    await seesHealth(rig, 'READY');
    const before = await errorsOf(rig);

    isWrong(rig, wrong);
    expect((await say(set, id, LINE)).body).toMatchObject({ used_fallback: true });
    expect((await gateway.get('/runtime/health')).body).toMatchObject({ status: 'ERROR', message: wrong.sentence });
    await seesHealth(rig, 'ERROR');
    expect(await healthOf(rig)).toMatchObject({ message: wrong.sentence, model_id: 'small' });
    expect(await doctor(gateway.url, set.folder.path)).toContain(wrong.sentence);
    expect(await errorsOf(rig)).toBe(before + 1);
    await honest(rig.kit);

    isWell(rig);
    expect((await say(set, id, LINE)).body).toMatchObject({ used_fallback: false });
    await honest(rig.kit);
    await seesHealth(rig, 'READY');
    expect(await doctor(gateway.url, set.folder.path)).toContain('small plays');
  });

  it.each(WRONG_SET_UPS)('($what) is known before the first line, since the prompt is read ahead', async (wrong) => {
    isWell(rig);
    await rig.gateway.chat();
    isWrong(rig, wrong);
    await startedSession(rig.set);
    await waitUntil('health to know it', async () => (await healthOf(rig)).message === wrong.sentence);
  });
});

describe('a model server that takes', () => {
  it.each(LESSER_SERVERS)('($what) plays all the same, and is asked like that from then on', async (lesser) => {
    const model = await scriptedModelServer();
    const gateway = await startGateway({ SIM_RUNTIME_ID: 'local_server', SIM_LOCAL_SERVER_BASE_URL: model.url });
    const kit = new GatewayUnderTest(gateway.url);
    let asked = 0;
    model.answer((_isDebrief, request) => {
      asked += 1;
      const message = lesser.refuses(request);
      return message === null
        ? { kind: 'says', text: npcTurnJson({ npc_utterance: SAID }) }
        : { kind: 'fails', status: 400, body: JSON.stringify({ error: { message } }) };
    });
    const plays = async (): Promise<void> => {
      const { items } = await gateway.chat({ json_schema: { type: 'object', properties: {} } });
      expect(items.at(-1)).toMatchObject({ type: 'final', structured: { npc_utterance: SAID } });
    };
    try {
      await plays();
      expect(asked).toBe(lesser.tries);
      await plays();
      expect(asked).toBe(lesser.tries + 1);
      expect((await gateway.get('/runtime/health')).body).toMatchObject({ status: 'READY', message: null });
      await honest(kit);
    } finally {
      await kit.close();
      await gateway.stop();
      model.close();
    }
  });
});

describeInBrowser('on the page', (chromium) => {
  let rig: Rig;
  let browser: Browser;
  beforeAll(async () => {
    rig = await startRig({ withUi: true });
    browser = await openBrowser(chromium);
  });
  afterAll(async () => {
    await browser?.close();
    await stopRig(rig);
  });

  const sayOnPage = async (page: Page): Promise<void> => {
    await page.getByRole('textbox').fill(LINE);
    await page.getByRole('button', { name: 'Say it' }).click();
  };

  const begin = async ({ set }: Rig = rig): Promise<Page> => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
    await page.goto(set.urlOf('ui'));
    const scenario = page.getByRole('link', { name: /the ask/i });
    await scenario.first().click();
    await page.getByRole('button', { name: 'Begin' }).click();
    return page;
  };

  it("a model's false alarm ends no talk: help stands quietly below the line, also after a reload", async () => {
    const safety = { action: 'stop_with_resource_message', reason: 'The player may harm themselves.' };
    rig.model.answer(() => ({ kind: 'says', text: npcTurnJson({ npc_utterance: SAID, safety }) }));
    const page = await begin();
    await page.getByRole('textbox').fill('This deadline is killing me, and I would like 53,000.');
    await page.getByRole('button', { name: 'Say it' }).click();
    await page.getByRole('log').getByText(SAID).waitFor();
    const help = page.locator('.help-note').getByText(RESOURCE_OFFER, { exact: true });
    await help.waitFor();
    expect(await page.getByText(safety.reason).count()).toBe(0);
    expect(await page.getByText('The talk is steered back.').count()).toBe(0);
    await page.reload();
    await help.waitFor();
    isWell(rig);
    await sayOnPage(page);
    await page.locator('.line-npc').nth(2).waitFor();
    await page.close();
  });

  it.each(WRONG_SET_UPS)('($what) stands in the pill and beside the stand-in line', async (wrong) => {
    isWell(rig);
    await rig.gateway.chat();
    await seesHealth(rig, 'READY');
    const page = await begin();
    await sayOnPage(page);
    await page.getByRole('log').getByText(SAID).waitFor();
    expect(await page.locator('.line-reason').count()).toBe(0);

    isWrong(rig, wrong);
    await sayOnPage(page);
    await page.locator('.line-reason').getByText(wrong.sentence, { exact: true }).waitFor();
    await page.locator('.pill-message').getByText(wrong.sentence, { exact: true }).waitFor();
    await page.close();
  });

  it('a context that the talk has no room in is said before the first line, also where the server would take it', async () => {
    const small = await startRig({ withUi: true });
    try {
      isWell(small);
      small.model.lists({ data: [{ id: 'small', meta: { n_ctx: 2048 } }] });
      const page = await begin(small);
      const sentence =
        /This talk needs a context of about 2,\d{3} tokens and the model has 2,048; choose another model, or start it with a larger context\./;
      const alert = page.getByRole('alert').filter({ hasText: sentence });
      await alert.getByText(/^The model is not working\. This talk/).waitFor();
      await page.locator('.pill-message').getByText(sentence).waitFor();
      expect(await page.getByRole('textbox').count()).toBe(0);
      await alert.getByRole('button', { name: 'Continue anyway' }).click();
      await page.locator('.pill-message').getByText(sentence).waitFor();
      // What the model answers to its end had room.
      await sayOnPage(page);
      await page.getByRole('log').getByText(SAID).waitFor();
      await seesHealth(small, 'READY');
      await page.close();
    } finally {
      await stopRig(small);
    }
  });
});
