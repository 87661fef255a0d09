import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { silentLogger } from '@parley/shared/service';
import { temporaryFolder, waitUntil } from '@parley/shared/testing';
import { startGateway, type RunningGateway } from '../../testing/gateway-caller';
import { ModelServerInstall } from './model-server-install';

const LOCK = {
  packages: {
    '': {},
    'node_modules/node-llama-cpp': { version: '3.0.0' },
    'node_modules/@node-llama-cpp/any': { version: '3.0.0' },
    'node_modules/only-elsewhere': { version: '1.0.0', os: ['nowhere'] },
    'node_modules/@node-llama-cpp/gpu': { link: true },
  },
};

/** Programs in the place of npm: they run in the folder that is being put together. */
const NPM = {
  works: `
    const fs = require('node:fs');
    if (process.argv[2] !== 'ci' || !process.argv.includes('--ignore-scripts')) process.exit(9);
    console.error('npm http fetch GET 200 https://registry.example/node-llama-cpp/-/node-llama-cpp-3.0.0.tgz 12ms (cache miss)');
    fs.writeFileSync('node_modules/.package-lock.json', fs.readFileSync('package-lock.json'));`,
  waits: `
    console.error('npm http cache @node-llama-cpp/any@https://registry.example/any-3.0.0.tgz 5ms (cache hit)');
    setInterval(() => undefined, 1000);`,
  'is offline': `console.error('npm error code ENOTFOUND'); process.exit(1);`,
  'has no room': `console.error('npm error ENOSPC: no space left on device'); process.exit(1);`,
  'leaves half': `require('node:fs').mkdirSync('node_modules/node-llama-cpp');`,
  'has no build': `
    const lock = JSON.parse(require('node:fs').readFileSync('package-lock.json', 'utf8'));
    delete lock.packages['node_modules/@node-llama-cpp/any'];
    require('node:fs').writeFileSync('node_modules/.package-lock.json', JSON.stringify(lock));`,
} as const;

const opened: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

function installWith(npm: keyof typeof NPM, PATH = ''): { install: ModelServerInstall; folder: string } {
  const folder = temporaryFolder('model-server-install');
  opened.push(() => folder.remove());
  const program = path.join(folder.path, 'npm.cjs');
  writeFileSync(program, NPM[npm]);
  const place = path.join(folder.path, 'model-server');
  mkdirSync(path.join(place, 'dist'), { recursive: true });
  writeFileSync(path.join(place, 'dist', 'service.cjs'), '');
  writeFileSync(path.join(place, 'package.json'), '{}');
  writeFileSync(path.join(place, 'package-lock.json'), JSON.stringify(LOCK));
  const install = new ModelServerInstall({
    environment: { PATH },
    logger: silentLogger(),
    now: () => new Date('2026-11-22T12:00:00Z'),
    folder: place,
    npm: program,
  });
  return { install, folder: place };
}

async function gateway(modelServer: ModelServerInstall): Promise<RunningGateway> {
  const running = await startGateway({}, { modelServer });
  opened.push(() => running.stop());
  return running;
}

const leftOvers = (folder: string): string[] => readdirSync(folder).filter((name) => name.startsWith('.installing-'));

describe('the model server that comes with Parley', () => {
  it('is installed on request, and then is what would be started', async () => {
    const { install, folder } = installWith('works');
    const running = await gateway(install);
    expect((await running.get('/runtime/model-server')).body).toEqual({
      installed: false,
      installing: null,
      size_bytes: 115_000_000,
      licence: 'MIT',
      command_found: null,
      message: null,
    });
    const begun = await running.send('POST', '/runtime/model-server/install');
    expect(begun).toMatchObject({
      status: 202,
      body: { installed: false, installing: { started_at: '2026-11-22T12:00:00.000Z', packages_total: 2 } },
    });
    await waitUntil('the install', () => install.state.installed && install.state.installing === null);
    expect((await running.get('/runtime/model-server')).body).toMatchObject({
      command_found: 'bundled',
      message: null,
    });
    expect(install.command).toBe(`"${process.execPath}" "${path.join(folder, 'dist', 'service.cjs')}"`);
    expect(leftOvers(folder)).toEqual([]);
    expect(await running.send('POST', '/runtime/model-server/install')).toMatchObject({
      status: 202,
      body: { installed: true, installing: null },
    });
  });

  it('says how far it is, is not begun twice, answers a repeat, and leaves nothing when it is cancelled', async () => {
    const { install, folder } = installWith('waits');
    const running = await gateway(install);
    const headers = { 'idempotency-key': 'press-1234' };
    const begun = await running.send('POST', '/runtime/model-server/install', undefined, headers);
    await waitUntil('progress', () => install.state.installing?.packages_done === 1);
    expect(install.state.installing).toMatchObject({ packages_total: 2, line: '@node-llama-cpp/any' });
    expect(await running.send('POST', '/runtime/model-server/install', undefined, headers)).toEqual(begun);
    expect(await running.send('POST', '/runtime/model-server/install')).toMatchObject({
      status: 409,
      body: { code: 'MODEL_BUSY' },
    });
    expect((await running.send('DELETE', '/runtime/model-server/install')).status).toBe(204);
    expect(install.state).toMatchObject({ installed: false, installing: null, message: null });
    expect(leftOvers(folder)).toEqual([]);
    expect((await running.send('DELETE', '/runtime/model-server/install')).status).toBe(204);
  });

  it.each([
    ['is offline', /registry cannot be reached; connect this machine/],
    ['has no room', /disk is full/],
    ['leaves half', /without having installed everything/],
    ['has no build', /no build of the model server for this system/],
  ] as const)('is not installed when npm %s, and says what to do', async (npm, message) => {
    const { install, folder } = installWith(npm);
    await install.install();
    await waitUntil('the end', () => install.state.installing === null);
    expect(install.state).toMatchObject({ installed: false, command_found: null });
    expect(install.state.message).toMatch(message);
    expect(existsSync(path.join(folder, 'node_modules'))).toBe(false);
    expect(leftOvers(folder)).toEqual([]);
  });

  it('removes what a killed install left', async () => {
    const { install, folder } = installWith('works');
    mkdirSync(path.join(folder, '.installing-killed', 'node_modules'), { recursive: true });
    await install.install();
    await waitUntil('the install', () => install.state.installed && install.state.installing === null);
    expect(leftOvers(folder)).toEqual([]);
  });

  it('does not take half of an install for one', () => {
    const { install, folder } = installWith('works');
    mkdirSync(path.join(folder, 'node_modules', 'node-llama-cpp'), { recursive: true });
    expect(install.state.installed).toBe(false);
  });

  it('comes after llama-server from the PATH', () => {
    const tools = temporaryFolder('tools');
    opened.push(() => tools.remove());
    writeFileSync(path.join(tools.path, 'llama-server'), '', { mode: 0o755 });
    expect(installWith('works', tools.path).install.state.command_found).toBe('llama-server');
  });

  it('says when this copy of Parley comes without it', async () => {
    const without = new ModelServerInstall({
      environment: {},
      logger: silentLogger(),
      now: () => new Date(),
      folder: null,
    });
    expect(await (await gateway(without)).send('POST', '/runtime/model-server/install')).toMatchObject({
      status: 409,
      body: { code: 'NOT_SUPPORTED_BY_RUNTIME' },
    });
  });
});
