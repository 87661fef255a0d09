import { spawn, type ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import {
  describeWithModelServer,
  freePorts,
  loaded,
  startModelServer,
  temporaryFolder,
  tinyModel,
  waitUntil,
} from '@parley/shared/testing';
import { startGateway } from '../../testing/gateway-caller';
import { CONTRACT_CHECKS } from './contract-checks';
import { formatReport } from './format-report';
import { GatewayUnderTest } from './gateway-under-test';
import { runConformance, type ConformanceReport } from './run-conformance';
import { startScriptedModel, type Dialect } from './scripted-model';
import { troubleChecks } from './trouble-checks';

const opened: (() => Promise<unknown> | void)[] = [];

afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

const broken = (report: ConformanceReport): string[] =>
  report.results.filter((result) => !result.passed).map((result) => `${result.id}: ${result.remark ?? ''}`);

async function scripted(dialect: Dialect): ReturnType<typeof startScriptedModel> {
  const model = await startScriptedModel(dialect);
  opened.push(() => model.close());
  return model;
}

describe('the conformance kit', () => {
  it('passes our gateway with the demo runtime', async () => {
    const gateway = await startGateway();
    opened.push(() => gateway.stop());
    const report = await runConformance({ url: gateway.url, model: null, stallSeconds: null });
    expect(broken(report)).toEqual([]);
    expect(report.results.length).toBeGreaterThanOrEqual(16);
  });

  it.each([
    ['local_server', 'openai', 'SIM_LOCAL_SERVER'],
    ['local_native', 'native', 'SIM_NATIVE_SERVER'],
  ] as const)('passes our gateway with %s, in every trouble', async (runtime, dialect, prefix) => {
    const model = await scripted(dialect);
    const gateway = await startGateway({
      SIM_RUNTIME_ID: runtime,
      [`${prefix}_BASE_URL`]: model.url,
      [`${prefix}_CHAT_TIMEOUT`]: '0.5',
    });
    opened.push(() => gateway.stop());
    const report = await runConformance({ url: gateway.url, model, stallSeconds: 0.5 });
    expect(broken(report)).toEqual([]);
    expect(report.results.length).toBeGreaterThanOrEqual(24);
  });

  it('passes our gateway with several model servers, in every trouble', async () => {
    const model = await scripted('openai');
    // One server under two names: what it was asked is then in one list, which the checks look at.
    const gateway = await startGateway({
      SIM_RUNTIME_ID: 'local_server',
      SIM_LOCAL_SERVER_BASE_URL: [model.url, model.url.replace('127.0.0.1', 'localhost')].join(','),
      SIM_LOCAL_SERVER_CHAT_TIMEOUT: '0.5',
    });
    opened.push(() => gateway.stop());
    const report = await runConformance({ url: gateway.url, model, stallSeconds: 0.5 });
    expect(broken(report)).toEqual([]);
    expect(report.results.length).toBeGreaterThanOrEqual(24);
  });

  it('passes the example of another gateway', async () => {
    const model = await scripted('openai');
    const [port = 0] = await freePorts(1);
    const example = path.join(__dirname, '..', '..', '..', '..', 'docs', 'gateway', 'example-gateway.cjs');
    const child: ChildProcess = spawn(process.execPath, [example], {
      env: { ...process.env, EXAMPLE_PORT: String(port), EXAMPLE_MODEL_SERVER: model.url, EXAMPLE_QUIET_MS: '500' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    opened.push(() => new Promise((resolve) => (child.once('exit', resolve), child.kill())));
    let output = '';
    child.stdout?.on('data', (data: Buffer) => (output += data.toString()));
    await waitUntil('the example to listen', () => output.includes('listening'));
    const report = await runConformance({ url: `http://127.0.0.1:${port}`, model, stallSeconds: 0.5 });
    expect(broken(report)).toEqual([]);
  });

  it('finds a gateway out that keeps structured to itself, takes a lost connection for an end and dies of callers that leave', async () => {
    const final =
      '{"type": "final", "text": "{}", "model_id": "m", "input_tokens": 1, "output_tokens": 1, "structured": null}';
    let hasDied = false;
    const server = createServer((request, response) => {
      if (hasDied) return void response.destroy();
      response.once('close', () => (hasDied ||= !response.writableFinished));
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      response.write('{"type": "token", "text": "{}"}\n');
      setTimeout(() => response.end(`${final}\n`), 20);
      request.resume();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    opened.push(() => new Promise((resolve) => (server.close(resolve), server.closeAllConnections())));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const all = [...CONTRACT_CHECKS, ...troubleChecks(await scripted('openai'), null)];
    const underTest = new GatewayUnderTest(url);
    opened.push(() => underTest.close());
    const found: string[] = [];
    for (const id of ['chat.structured', 'trouble.cut', 'chat.cancel']) {
      const check = all.find((one) => one.id === id);
      await check?.run(underTest).catch(() => found.push(id));
    }
    expect(found).toEqual(['chat.structured', 'trouble.cut', 'chat.cancel']);
  });

  it('finds a gateway out that lets the model go on when its caller leaves before the first token', async () => {
    const model = await scripted('openai');
    const server = createServer((request, response) => {
      void text(request).then(async (body) => {
        const answer = await fetch(`${model.url}/v1/chat/completions`, { method: 'POST', body }).catch(() => null);
        response.end(await answer?.text());
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    opened.push(() => new Promise((resolve) => (server.close(resolve), server.closeAllConnections())));
    const underTest = new GatewayUnderTest(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    opened.push(() => underTest.close());
    const check = troubleChecks(model, null).find((one) => one.id === 'trouble.cancel-early');
    await expect(check?.run(underTest)).rejects.toThrow('nothing happened');
  });

  it('finds a server that is no gateway out, in all formats', async () => {
    const model = await scripted('openai');
    const report = await runConformance({ url: model.url, model: null, stallSeconds: null });
    expect(report.passed).toBe(false);
    expect(formatReport(report, 'text')).toMatch(/BROKEN runtime\.shape.*\n[\s\S]*does not conform/);
    expect(formatReport(report, 'tap')).toMatch(/^TAP version 13\n1\.\.\d+\nnot ok 1 - runtime\.shape/);
    expect(JSON.parse(formatReport(report, 'json'))).toMatchObject({ passed: false, url: model.url });
  });
});

describeWithModelServer('the conformance kit, with the model server that comes with Parley', () => {
  it('passes our gateway in front of it', async () => {
    const folder = temporaryFolder('conformance');
    opened.push(() => folder.remove());
    const file = path.join(folder.path, 'tiny.gguf');
    writeFileSync(file, tinyModel());
    const server = await startModelServer({ file, args: ['-c', '8192'], environment: { LLAMA_API_KEY: 'k' } });
    opened.push(() => server.stop());
    await loaded(server);
    const gateway = await startGateway({
      SIM_RUNTIME_ID: 'local_server',
      SIM_LOCAL_SERVER_BASE_URL: server.url,
      SIM_LOCAL_SERVER_API_KEY: 'k',
    });
    opened.push(() => gateway.stop());
    const report = await runConformance({ url: gateway.url, model: null, stallSeconds: null });
    expect(broken(report)).toEqual([]);
    expect(report.results.length).toBeGreaterThanOrEqual(16);
    const models = (await gateway.get('/runtime/models')).body;
    expect(models).toMatchObject({ models: [{ id: 'tiny.gguf', context_length: 4096, loaded: true }] });
  });
});
