import { startGateway, type RunningGateway } from '../../testing/gateway-caller';
import { fileNameOf } from './install-source';

const opened: RunningGateway[] = [];

afterEach(async () => {
  for (const running of opened.splice(0)) await running.stop();
});

async function gateway(runtime: string): Promise<RunningGateway> {
  const running = await startGateway({ SIM_RUNTIME_ID: runtime });
  opened.push(running);
  return running;
}

describe('what the runtime cannot do', () => {
  it.each([
    ['fake', { pull: 'qwen3:4b' }],
    ['fake', { url: 'https://models.example/a.gguf' }],
    ['local_server', { pull: 'qwen3:4b' }],
    ['local_native', { url: 'https://models.example/a.gguf' }],
  ])('%s is asked for %j: NOT_SUPPORTED_BY_RUNTIME', async (runtime, body) => {
    const running = await gateway(runtime);
    expect(await running.send('POST', '/runtime/models/install', body)).toMatchObject({
      status: 409,
      body: { code: 'NOT_SUPPORTED_BY_RUNTIME' },
    });
  });

  it('deletes no model that it brought along, and no file outside of the folder', async () => {
    expect(await (await gateway('fake')).send('DELETE', '/runtime/models/fake-small')).toMatchObject({ status: 409 });
    const running = await gateway('local_server');
    for (const id of ['..%2F..%2Fsecret.gguf', 'installs.json', '.gguf', 'a.gguf%00'])
      expect((await running.send('DELETE', `/runtime/models/${id}`)).status).toBe(404);
  });

  it.each(['http://models.example/a.gguf', 'nonsense', 'file:///etc/passwd'])(
    '%s is no address to fetch from',
    async (url) => {
      expect(await (await gateway('local_server')).send('POST', '/runtime/models/install', { url })).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_ERROR' },
      });
    },
  );
});

describe('fileNameOf', () => {
  it.each([
    ['/a/b/Model-Q4_K_M.gguf', 'Model-Q4_K_M.gguf'],
    ['C:\\models\\x.GGUF', 'x.gguf'],
    ['/a/%2e%2e%2fevil.gguf', 'evil.gguf'],
    ['/', 'model.gguf'],
    ['/...', 'model.gguf'],
    ['/model', 'model.gguf'],
    ['/x..gguf', 'x.gguf'],
    [`/${'a'.repeat(139)}.b.gguf`, `${'a'.repeat(139)}.gguf`],
  ])('%s is kept as %s', (location, name) => expect(fileNameOf(location)).toBe(name));

  it('keeps names apart that differ only in letters that not every system takes', () => {
    const names = ['/模型.gguf', '/语言.gguf', '/модель-q4.gguf', '/язык-q4.gguf', '/%E6%A8%A1%E5%9E%8B.gguf'].map(
      fileNameOf,
    );
    expect(names[4]).toBe(names[0]);
    expect(new Set(names).size).toBe(4);
    for (const name of names) expect(name).toMatch(/^[a-z0-9][a-z0-9-]*-[0-9a-f]{8}\.gguf$/);
  });
});
