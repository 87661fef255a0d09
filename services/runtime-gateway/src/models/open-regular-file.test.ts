import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { temporaryFolder, type TemporaryFolder } from '@parley/shared/testing';
import type { RuntimeModels } from '@parley/shared/contracts';
import { smallGguf } from '../../testing/small-gguf';
import { startGateway, type RunningGateway } from '../../testing/gateway-caller';
import { ModelFiles } from './model-files';
import { NotAFileError, openOwnFile, openRegularFile } from './open-regular-file';

let folder: TemporaryFolder;
let socket: Server | null;
let running: RunningGateway | null;

beforeEach(() => {
  folder = temporaryFolder('no-file');
  socket = null;
  running = null;
});
afterEach(async () => {
  await running?.stop();
  if (socket !== null) await new Promise((resolve) => socket?.close(resolve));
  folder.remove();
});

const at = (name: string): string => path.join(folder.path, name);
const pipe = (name: string): string => {
  execFileSync('mkfifo', [at(name)]);
  return at(name);
};
const link = (name: string, target: string): string => {
  symlinkSync(target, at(name));
  return at(name);
};
const listened = async (name: string): Promise<string> => {
  socket = createServer();
  await new Promise<void>((resolve) => socket?.listen(at(name), resolve));
  return at(name);
};
const inFolder = (name: string): string => {
  mkdirSync(at(name));
  return at(name);
};

/** What hangs is a failure, and must not hang the test. */
async function soon<T>(promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('no answer within 10 seconds')), 10_000);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

const KINDS: [string, () => string | Promise<string>][] = [
  ['a pipe', () => pipe('p')],
  ['a link to a pipe', () => link('l', pipe('p'))],
  ['a device', () => '/dev/zero'],
  ['a terminal', () => '/dev/ptmx'],
  ['a folder', () => inFolder('f')],
  ['a socket', () => listened('s')],
  ['a link in a circle', () => link('round', at('round'))],
];

describe('opening a file', () => {
  it.each(KINDS)('refuses %s at once', async (_kind, make) => {
    await expect(soon(openRegularFile(await make()))).rejects.toThrow(NotAFileError);
  });

  it.each([...KINDS, ['a link to a file', () => link('l', at('file'))] as const])(
    'does not write to %s, nor wait for it',
    async (_kind, make) => {
      writeFileSync(at('file'), 'kept');
      await expect(soon(openOwnFile(await make(), { begins: true }))).rejects.toThrow(NotAFileError);
      expect(readFileSync(at('file'), 'utf8')).toBe('kept');
    },
  );

  it('reads a file, also through a link, and says what the system says of one that is not there', async () => {
    writeFileSync(at('file'), 'text');
    for (const file of [at('file'), link('l', at('file'))]) {
      const handle = await openRegularFile(file);
      expect(await handle.readFile('utf8')).toBe('text');
      await handle.close();
    }
    await expect(openRegularFile(at('none'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('a models folder with things in it that are no files', () => {
  const models = (): string => at('models');
  const start = async (): Promise<RunningGateway> => {
    const server = { SIM_LOCAL_SERVER_BASE_URL: 'http://127.0.0.1:9' };
    running = await soon(startGateway({ SIM_RUNTIME_ID: 'fake', SIM_DATA_DIR: folder.path, ...server }));
    return running;
  };

  it('is listed again and again, without them', async () => {
    mkdirSync(models());
    writeFileSync(path.join(models(), 'good.gguf'), smallGguf());
    for (let count = 0; count < 8; count += 1) execFileSync('mkfifo', [path.join(models(), `p${count}.gguf`)]);
    symlinkSync('/dev/zero', path.join(models(), 'device.gguf'));
    symlinkSync(path.join(models(), 'gone'), path.join(models(), 'nowhere.gguf'));
    symlinkSync('round.gguf', path.join(models(), 'round.gguf'));
    mkdirSync(path.join(models(), 'folder.gguf'));
    const files = new ModelFiles(models());
    for (let round = 0; round < 3; round += 1)
      expect((await soon(files.list())).map((model) => model.id)).toEqual(['good.gguf']);
    await expect(files.remove('folder.gguf')).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND' });
    expect(readFileSync(path.join(models(), 'good.gguf')).length).toBeGreaterThan(0);
  });

  it('does not hold up the start, whatever lies where the list of installs should', async () => {
    mkdirSync(models());
    execFileSync('mkfifo', [path.join(models(), 'installs.json')]);
    const { body } = await (await start()).get('/runtime/models');
    expect((body as RuntimeModels).models.length).toBeGreaterThan(0);
  });

  it('an install from a pipe is refused with what to do', async () => {
    running = await soon(startGateway({ SIM_RUNTIME_ID: 'local_server', SIM_DATA_DIR: folder.path }));
    expect(await soon(running.send('POST', '/runtime/models/install', { file: pipe('p.gguf') }))).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', detail: expect.stringMatching(/no file but a pipe/) as string },
    });
  });
});
