import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePorts, temporaryFolder, tinyModel, waitUntil } from '@parley/shared/testing';
import { silentLogger } from '@parley/shared/service';
import { Sidecar as SidecarState } from '@parley/shared/contracts';
import { readConfig } from '../config';
import { ModelFiles } from '../models/model-files';
import { smallGguf } from '../../testing/small-gguf';
import { startGateway, type RunningGateway } from '../../testing/gateway-caller';
import { LeftOver } from './left-over';
import { Sidecar, type SidecarOptions } from './sidecar';
import { startGuarded } from './guarded-process';

const SERVER = path.join(__dirname, '..', '..', 'testing', 'scripted-model-server.cjs');
const GUARD = path.join(__dirname, '..', '..', 'guard', 'sidecar-guard.cjs');
const COMMAND = `"${process.execPath}" "${SERVER}"`;

const opened: (() => Promise<unknown> | void)[] = [];

afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

async function environmentFor(more: Record<string, string> = {}): Promise<Record<string, string>> {
  const [port = 0] = await freePorts(1);
  return { SIM_SIDECAR_COMMAND: COMMAND, SIM_LOCAL_SERVER_BASE_URL: `http://127.0.0.1:${port}`, ...more };
}

async function gateway(more: Record<string, string> = {}): Promise<RunningGateway> {
  const running = await startGateway({ SIM_RUNTIME_ID: 'local_server', ...(await environmentFor(more)) });
  opened.push(() => running.stop());
  return running;
}

const stateOf = async (running: RunningGateway): Promise<SidecarState> =>
  SidecarState.parse((await running.get('/runtime/sidecar')).body);

const reached = (running: RunningGateway, status: SidecarState['status']): Promise<SidecarState> =>
  waitUntil(`the sidecar to be ${status}`, async () => {
    const state = await stateOf(running);
    return state.status === status ? state : null;
  });

/** A sidecar without a gateway around it, that waits less between restarts. */
async function bareSidecar(
  more: Record<string, string>,
  options: Partial<SidecarOptions> = {},
  folder = temporaryFolder('sidecar'),
): Promise<Sidecar> {
  const { sidecar: settings } = readConfig(await environmentFor(more));
  const files = new ModelFiles(path.join(folder.path, 'models'));
  const sidecar = new Sidecar({
    ...{ settings, dataDir: folder.path, files, logger: silentLogger(), now: () => new Date() },
    ...{ restartMs: [10, 10, 10], ...options },
  });
  opened.push(
    () => folder.remove(),
    () => sidecar.close(),
  );
  return sidecar;
}

describe('the sidecar', () => {
  it('is stopped at first, and stopping it then changes nothing', async () => {
    const running = await gateway();
    expect(await stateOf(running)).toMatchObject({
      status: 'stopped',
      pid: null,
      command: COMMAND,
      model_id: null,
      last_exit: null,
    });
    expect((await running.send('POST', '/runtime/sidecar/stop')).body).toMatchObject({ status: 'stopped' });
  });

  it('starts, becomes healthy, is chatted with using its key, and stops without a trace', async () => {
    const running = await gateway();
    expect(await running.send('POST', '/runtime/sidecar/start', {})).toMatchObject({
      status: 200,
      body: { status: 'starting' },
    });
    const { pid, started_at } = await reached(running, 'running');
    expect(started_at).not.toBeNull();
    expect(isAlive(pid ?? 0)).toBe(true);
    expect((await running.get('/runtime/health')).body).toMatchObject({ status: 'READY' });
    expect((await running.chat()).items.at(-1)).toMatchObject({ type: 'final', text: 'All right.' });
    expect(await running.send('POST', '/runtime/sidecar/start', {})).toMatchObject({
      status: 409,
      body: { code: 'SIDECAR_RUNNING' },
    });
    expect(await running.send('POST', '/runtime/sidecar/stop')).toMatchObject({
      status: 200,
      body: { status: 'stopped', pid: null },
    });
    expect(isAlive(pid ?? 0)).toBe(false);
  });

  it('stays stopped when it is stopped while a start still looks for the model', async () => {
    const sidecar = await bareSidecar({});
    const starting = sidecar.start(null);
    expect(sidecar.state.status).toBe('starting');
    await sidecar.stop();
    expect(await starting).toMatchObject({ status: 'stopped', pid: null });
    await sidecar.start(null);
    await waitUntil('the sidecar to run', () => sidecar.state.status === 'running');
  });

  it.each([
    ['http://127.0.0.1:8080', '127.0.0.1'],
    ['http://localhost:8080', '127.0.0.1'],
    ['http://[::1]:8080', '::1'],
  ])('asked for at %s it listens on %s', async (address, host) => {
    const environment = await environmentFor({ SIM_LOCAL_SERVER_BASE_URL: address });
    expect(readConfig(environment).sidecar).toMatchObject({ host, port: 8080 });
  });

  it('says STARTING while the model loads', async () => {
    const running = await gateway({ SCRIPTED_LOAD_MS: '600000' });
    await running.send('POST', '/runtime/sidecar/start', {});
    await waitUntil(
      'STARTING',
      async () => ((await running.get('/runtime/health')).body as { status: string }).status === 'STARTING',
    );
    expect((await stateOf(running)).status).toBe('starting');
  });

  it('shows its output without the key', async () => {
    const running = await gateway({ SIM_LOCAL_SERVER_CONTEXT_LENGTH: '4096', SIM_LOCAL_SERVER_THREADS: '2' });
    await running.send('POST', '/runtime/sidecar/start', {});
    await reached(running, 'running');
    const { lines } = (await running.get('/runtime/sidecar/log')).body as { lines: string[] };
    expect(lines.join('\n')).toMatch(/started with .*-c 8192 -t 2/);
    expect(lines).toContain('the key is ***');
  });

  it('loads the model that is asked for, or the first that is installed, and keeps it from being deleted', async () => {
    const running = await gateway();
    mkdirSync(path.join(running.dataDir, 'models'));
    for (const name of ['b.gguf', 'a.gguf']) writeFileSync(path.join(running.dataDir, 'models', name), smallGguf());
    expect((await running.send('POST', '/runtime/sidecar/start', {})).body).toMatchObject({ model_id: 'a.gguf' });
    await running.send('POST', '/runtime/sidecar/stop');
    await running.send('POST', '/runtime/sidecar/start', { model_id: 'b.gguf' });
    expect(await reached(running, 'running')).toMatchObject({ model_id: 'b.gguf' });
    expect(await running.send('DELETE', '/runtime/models/b.gguf')).toMatchObject({
      status: 409,
      body: { code: 'MODEL_BUSY' },
    });
    expect((await running.send('DELETE', '/runtime/models/a.gguf')).status).toBe(204);
  });

  it('knows no model of another name', async () => {
    const running = await gateway();
    expect(await running.send('POST', '/runtime/sidecar/start', { model_id: 'none.gguf' })).toMatchObject({
      status: 404,
      body: { code: 'MODEL_NOT_FOUND' },
    });
    expect((await stateOf(running)).status).toBe('stopped');
  });

  it('says how to get the program when it is not installed', async () => {
    const running = await gateway({ SIM_SIDECAR_COMMAND: 'no-such-llama-server' });
    const { body } = await running.send('POST', '/runtime/sidecar/start', {});
    expect(body).toMatchObject({
      status: 'failed',
      last_exit: {
        code: null,
        message: expect.stringMatching(/no-such-llama-server was not found\. Install/) as string,
      },
    });
  });

  it('is failed with a message when it ends before it is ready, without another try', async () => {
    const running = await gateway({ SCRIPTED_EXIT: '3' });
    await running.send('POST', '/runtime/sidecar/start', {});
    const state = await reached(running, 'failed');
    expect(state).toMatchObject({
      pid: null,
      last_exit: { code: 3, message: expect.stringMatching(/code 3 before it was ready/) as string },
    });
    const { lines } = (await running.get('/runtime/sidecar/log')).body as { lines: string[] };
    expect(lines.join('\n')).toContain('failed to load model');
  });

  it('is failed when its model takes too long to load', async () => {
    const running = await gateway({ SCRIPTED_LOAD_MS: '600000', SIM_SIDECAR_START_TIMEOUT: '0.5' });
    await running.send('POST', '/runtime/sidecar/start', {});
    expect((await reached(running, 'failed')).last_exit?.message).toMatch(/not ready in time/);
  });

  it('does not take another program on its port for its own', async () => {
    const environment = await environmentFor();
    const port = Number(new URL(environment['SIM_LOCAL_SERVER_BASE_URL'] ?? '').port);
    const other = createServer().listen(port, '127.0.0.1');
    opened.push(() => new Promise((resolve) => other.close(resolve)));
    const running = await startGateway({ SIM_RUNTIME_ID: 'local_server', ...environment });
    opened.push(() => running.stop());
    const answer = await running.send('POST', '/runtime/sidecar/start', {});
    expect(answer).toMatchObject({
      status: 409,
      body: { code: 'SIDECAR_RUNNING', detail: expect.stringContaining(String(port)) as string },
    });
  });

  it('cannot start the server of another machine', async () => {
    const running = await gateway({ SIM_LOCAL_SERVER_BASE_URL: 'http://192.168.7.7:7356' });
    expect(await running.send('POST', '/runtime/sidecar/start', {})).toMatchObject({
      status: 409,
      body: { code: 'NOT_SUPPORTED_BY_RUNTIME' },
    });
  });

  it('is started again when it is killed', async () => {
    const sidecar = await bareSidecar({});
    await sidecar.start(null);
    await waitUntil('running', () => sidecar.state.status === 'running');
    const { pid } = sidecar.state;
    process.kill(pid ?? 0, 'SIGKILL');
    await waitUntil('another one', () => sidecar.state.status === 'running' && sidecar.state.pid !== pid);
    expect(sidecar.state.last_exit).toMatchObject({
      signal: 'SIGKILL',
      message: expect.stringMatching(/started again/) as string,
    });
  });

  it('is given up when it crashes again and again', async () => {
    const sidecar = await bareSidecar({ SCRIPTED_CRASH_AFTER: '700', SCRIPTED_LOAD_MS: '0' });
    await sidecar.start(null);
    await waitUntil('failed', () => sidecar.state.status === 'failed');
    expect(sidecar.state.last_exit).toMatchObject({
      code: 7,
      message: expect.stringMatching(/again and again/) as string,
    });
  });

  it('is started again with the next gateway, unless somebody has stopped it', async () => {
    const folder = temporaryFolder('sidecar');
    const begin = (): Promise<Sidecar> => bareSidecar({}, {}, folder);
    const first = await begin();
    await first.resume();
    expect(first.state.status).toBe('stopped');
    await first.start(null);
    await waitUntil('running', () => first.state.status === 'running');
    await first.close();
    const second = await begin();
    await second.resume();
    await waitUntil('running again', () => second.state.status === 'running');
    await second.stop();
    const third = await begin();
    await third.resume();
    expect(third.state.status).toBe('stopped');
  });

  it('is the model server that comes with Parley where nothing else is set or found', async () => {
    const nothing = { SIM_SIDECAR_COMMAND: '', PATH: '' };
    const bundled = await bareSidecar(nothing, { bundledCommand: () => COMMAND });
    await bundled.start(null);
    await waitUntil('running', () => bundled.state.status === 'running');
    expect(bundled.state.command).toBe(COMMAND);
    const none = await bareSidecar(nothing, { bundledCommand: () => null });
    expect(await none.start(null)).toMatchObject({
      status: 'failed',
      command: 'llama-server',
      last_exit: { message: expect.stringMatching(/model server that comes with Parley/) as string },
    });
  });

  it('is not started with a model that is cut off or that memory does not hold, and says so', async () => {
    const folder = temporaryFolder('sidecar');
    const file = path.join(folder.path, 'models', 'a.gguf');
    mkdirSync(path.dirname(file));
    writeFileSync(file, tinyModel());
    const sidecar = await bareSidecar(
      {},
      { machine: () => ({ cores: 2, memory_available_bytes: 200_000_000 }) },
      folder,
    );
    expect((await sidecar.start('a.gguf')).last_exit?.message).toMatch(
      /needs about .* are free\. Close other programs/,
    );
    writeFileSync(file, tinyModel().subarray(0, 100_000));
    expect((await sidecar.start('a.gguf')).last_exit?.message).toMatch(/cut off/);
    expect(sidecar.state).toMatchObject({ status: 'failed', pid: null });
  });

  it('starts and stops also where nothing about it can be written down', async () => {
    const folder = temporaryFolder('sidecar');
    // Neither writing nor removing works, whoever runs the test.
    for (const name of ['sidecar.json', 'sidecar-wish.json']) mkdirSync(path.join(folder.path, name));
    const sidecar = await bareSidecar({}, {}, folder);
    await sidecar.start(null);
    await waitUntil('the sidecar to run', () => sidecar.state.status === 'running');
    expect(await sidecar.stop()).toMatchObject({ status: 'stopped', pid: null });
  });

  it('is ended with the gateway', async () => {
    const running = await startGateway({ SIM_RUNTIME_ID: 'local_server', ...(await environmentFor()) });
    await running.send('POST', '/runtime/sidecar/start', {});
    const { pid } = await reached(running, 'running');
    await running.stop();
    expect(isAlive(pid ?? 0)).toBe(false);
  });
});

/** A script that runs the server as its child, as wrappers around a model server do, and writes down the child's pid. */
function wrapperScript(body: string): { script: string; childPid: () => number } {
  const folder = temporaryFolder('wrapper script');
  opened.push(() => folder.remove());
  const script = path.join(folder.path, 'run.sh');
  const pidFile = path.join(folder.path, 'pid');
  writeFileSync(script, body.replace('SERVER', `"${process.execPath}" "${SERVER}" "$@" & echo $! > "${pidFile}"`));
  chmodSync(script, 0o755);
  return { script, childPid: () => Number(readFileSync(pidFile, 'utf8')) };
}

describe('orphans', () => {
  const serverArguments = async (): Promise<string[]> => {
    const [port = 0] = await freePorts(1);
    return [SERVER, '--host', '127.0.0.1', '--port', String(port)];
  };

  it('are not left when the gateway is killed with SIGKILL', async () => {
    // A stand-in for the gateway that starts the guard as the gateway does, and is then killed.
    const script = `
      const guard = require('node:child_process').fork(${JSON.stringify(GUARD)}, ${JSON.stringify([process.execPath, ...(await serverArguments())])}, { silent: true });
      guard.on('message', (message) => message.pid && console.log(message.pid));`;
    const parent = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    const pid = await new Promise<number>((resolve) =>
      parent.stdout.once('data', (data: Buffer) => resolve(Number(data.toString()))),
    );
    expect(isAlive(pid)).toBe(true);
    parent.kill('SIGKILL');
    await waitUntil('the server to be ended', () => !isAlive(pid));
  });

  it('are not left when the command is a script around the server', async () => {
    const { script, childPid } = wrapperScript('#!/bin/sh\nSERVER\nwait\n');
    const running = await gateway({ SIM_SIDECAR_COMMAND: script });
    await running.send('POST', '/runtime/sidecar/start', {});
    await reached(running, 'running');
    expect(isAlive(childPid())).toBe(true);
    expect(await running.send('POST', '/runtime/sidecar/stop')).toMatchObject({ body: { status: 'stopped' } });
    await waitUntil('the server to be ended', () => !isAlive(childPid()));
  });

  it('are not left when such a script ends before the server does', async () => {
    const { script, childPid } = wrapperScript('#!/bin/sh\nSERVER\nsleep 1\nexit 3\n');
    const running = await gateway({ SIM_SIDECAR_COMMAND: script, SCRIPTED_LOAD_MS: '60000' });
    await running.send('POST', '/runtime/sidecar/start', {});
    expect((await reached(running, 'failed')).last_exit?.code).toBe(3);
    await waitUntil('the server to be ended', () => !isAlive(childPid()));
  });

  it('are not left when the guard is killed with SIGKILL', async () => {
    let pid = 0;
    const child = startGuarded({
      program: process.execPath,
      args: await serverArguments(),
      environment: {},
      onOutput: () => undefined,
      onPid: (started) => (pid = started),
    });
    await waitUntil('the server to run', () => pid > 0);
    const guardPid = Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
    process.kill(guardPid, 'SIGKILL');
    await child.ended;
    await waitUntil('the server to be ended', () => !isAlive(pid));
  });

  it('of a gateway and guard that were both killed are ended at the next start, and nothing else', async () => {
    const folder = temporaryFolder('left-over');
    opened.push(() => folder.remove());
    const orphan = spawn(process.execPath, await serverArguments(), { stdio: 'ignore' });
    const gone = new Promise((resolve) => orphan.once('exit', resolve));
    const leftOver = new LeftOver(folder.path);
    leftOver.remember(orphan.pid ?? 0);
    expect(new LeftOver(folder.path).sweep()).toBe(true);
    await gone;
    expect(leftOver.sweep()).toBe(false);
    writeFileSync(path.join(folder.path, 'sidecar.json'), JSON.stringify({ pid: process.pid, started: '1' }));
    expect(leftOver.sweep()).toBe(false);
  });
});
