import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  RuntimeChoiceState,
  RuntimeHealth,
  RuntimeInfo,
  type Problem,
  type RuntimeChoice,
} from '@parley/shared/contracts';
import { migrate, openDatabase, putRuntimeChoice } from '@parley/shared/store';
import { readStoredChoice } from '@parley/shared/stored-choice';
import { temporaryFolder, waitUntil } from '@parley/shared/testing';
import { readChatLines } from '../../testing/read-chat-lines';
import { startGateway, type RunningGateway } from '../../testing/gateway-caller';
import {
  chunkOf,
  LAST_CHUNK,
  plainAnswer,
  startScriptedUpstream,
  streamHead,
  type Script,
  type ScriptedUpstream,
} from '../conformance/scripted-upstream';

const opened: { close?(): Promise<void>; stop?(): Promise<void>; remove?(): void }[] = [];

afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await (one.stop?.() ?? one.close?.() ?? one.remove?.());
});

async function started(...parameters: Parameters<typeof startGateway>): Promise<RunningGateway> {
  const gateway = await startGateway(...parameters);
  opened.push(gateway);
  return gateway;
}

async function upstreamOf(script: Script): Promise<ScriptedUpstream> {
  const upstream = await startScriptedUpstream(script);
  opened.push(upstream);
  return upstream;
}

const event = (content: string): string =>
  chunkOf(`data: {"choices":[{"delta":{"content":${JSON.stringify(content)}}}]}\n\n`);

/** A model server that says these words, the last of them when it is let. */
function speaking(words: readonly string[], until: Promise<void> = Promise.resolve()): Script {
  return async (call, line) => {
    if (call.path !== '/v1/chat/completions')
      return line.write(plainAnswer(200, '{"status":"ok","data":[{"id":"m"}]}'));
    await line.write(streamHead('text/event-stream') + words.slice(0, -1).map(event).join(''));
    await until;
    await line.write(event(words.at(-1) ?? '') + chunkOf('data: [DONE]\n\n') + LAST_CHUNK);
  };
}

const choose = (gateway: RunningGateway, choice: unknown): Promise<{ status: number; body: unknown }> =>
  gateway.send('PUT', '/runtime/choice', choice);

const nameOf = async (gateway: RunningGateway): Promise<string> =>
  RuntimeInfo.parse((await gateway.get('/runtime')).body).id;

const spoken = async (gateway: RunningGateway): Promise<string | undefined> => {
  const final = (await gateway.chat()).items.at(-1);
  return final?.type === 'final' ? final.text : undefined;
};

/** A data folder in which a choice is stored already. */
async function folderWith(choice: RuntimeChoice | null): Promise<string> {
  const folder = temporaryFolder('choice');
  opened.push(folder);
  const database = await openDatabase({ dataDir: folder.path });
  await migrate(database);
  await database.write((transaction) => putRuntimeChoice(transaction, choice));
  await database.close();
  return folder.path;
}

describe('the choice of the runtime', () => {
  it('is the demo voice while nobody has chosen, and says so', async () => {
    const gateway = await started();
    expect(RuntimeChoiceState.parse((await gateway.get('/runtime/choice')).body)).toEqual({
      decided_by: 'default',
      runtime_id: 'fake',
      base_url: null,
      model_id: null,
      variables: [],
      can_change: true,
    });
  });

  it('changes what plays without a restart, there and back', async () => {
    const upstream = await upstreamOf(speaking(['Good ', 'morning.']));
    const gateway = await started();
    const chosen = await choose(gateway, { runtime_id: 'local_server', base_url: upstream.url });
    expect([chosen.status, RuntimeChoiceState.parse(chosen.body)]).toMatchObject([
      200,
      { decided_by: 'choice', runtime_id: 'local_server', base_url: upstream.url, can_change: true },
    ]);
    expect(await nameOf(gateway)).toBe('local_server');
    expect(await spoken(gateway)).toBe('Good morning.');
    await choose(gateway, { runtime_id: 'fake' });
    expect(await nameOf(gateway)).toBe('fake');
    expect(upstream.calls.filter((call) => call.method === 'POST')).toHaveLength(1);
  });

  it('lets a chat that runs finish where it began, then closes its connections', async () => {
    let finish = (): void => undefined;
    const held = new Promise<void>((resolve) => (finish = resolve));
    const [old, next] = [await upstreamOf(speaking(['One ', 'two.'], held)), await upstreamOf(speaking(['Other.']))];
    const gateway = await started();
    await choose(gateway, { runtime_id: 'local_server', base_url: old.url });
    const running = await gateway.openChat();
    await waitUntil('the chat to run', () => old.calls.some((call) => call.method === 'POST'));
    await choose(gateway, { runtime_id: 'local_server', base_url: next.url });
    expect(await spoken(gateway)).toBe('Other.');
    const connection = old.calls.find((call) => call.method === 'POST')?.closed;
    expect(connection?.aborted).toBe(false);
    finish();
    expect(readChatLines(await running.body.text()).at(-1)).toMatchObject({ type: 'final', text: 'One two.' });
    await waitUntil('the old connection to be closed', () => connection?.aborted);
  });

  it('stays with the chosen one when that is ill, and says what is wrong', async () => {
    const upstream = await upstreamOf(speaking(['Good.']));
    const gateway = await started();
    await choose(gateway, { runtime_id: 'local_server', base_url: upstream.url });
    await upstream.close();
    const health = RuntimeHealth.parse((await gateway.get('/runtime/health')).body);
    expect(health).toMatchObject({ runtime_id: 'local_server', status: 'UNAVAILABLE' });
    expect((await gateway.chat()).problem?.code).toBe('RUNTIME_UNAVAILABLE');
    expect(await nameOf(gateway)).toBe('local_server');
  });

  it('forgets what the runtime before refused', async () => {
    const upstream = await upstreamOf((call, line) =>
      line.write(call.method === 'POST' ? plainAnswer(401, '{}') : plainAnswer(200, '{"status":"ok"}')),
    );
    const gateway = await started();
    await choose(gateway, { runtime_id: 'local_server', base_url: upstream.url });
    await gateway.chat();
    expect(RuntimeHealth.parse((await gateway.get('/runtime/health')).body).status).toBe('ERROR');
    await choose(gateway, { runtime_id: 'fake' });
    expect(RuntimeHealth.parse((await gateway.get('/runtime/health')).body).status).toBe('READY');
  });

  it('names the chosen model to Ollama, and says when it is gone', async () => {
    const tags = { models: [{ name: 'a:1b' }, { name: 'b:2b' }] };
    const upstream = await upstreamOf((call, line) =>
      line.write(
        call.path === '/api/chat'
          ? plainAnswer(200, '{"message":{"content":"Yes."},"done":true}\n', 'application/x-ndjson')
          : plainAnswer(200, JSON.stringify(tags)),
      ),
    );
    const gateway = await started();
    await choose(gateway, { runtime_id: 'local_native', base_url: upstream.url, model_id: 'b:2b' });
    expect(RuntimeHealth.parse((await gateway.get('/runtime/health')).body)).toMatchObject({ model_id: 'b:2b' });
    expect(await spoken(gateway)).toBe('Yes.');
    const chat = upstream.calls.find((call) => call.path === '/api/chat');
    expect(JSON.parse(chat?.body ?? '{}')).toMatchObject({ model: 'b:2b' });
    tags.models.pop();
    const health = RuntimeHealth.parse((await gateway.get('/runtime/health')).body);
    expect([health.status, health.message]).toEqual(['ERROR', expect.stringContaining('no model b:2b')]);
  });

  it.each([
    ['another machine', { runtime_id: 'local_server', base_url: 'http://192.168.0.7:8080' }, /on this machine/],
    ['a name', { runtime_id: 'local_server', base_url: 'http://models.example:8080' }, /on this machine/],
    [
      'an address with its version',
      { runtime_id: 'local_server', base_url: 'http://127.0.0.1:8080/v1' },
      /leave out the \/v1/,
    ],
    ['a port that is none', { runtime_id: 'local_native', base_url: 'http://127.0.0.1:70000' }, /on this machine/],
    ['a name and password', { runtime_id: 'local_server', base_url: 'http://a:b@127.0.0.1:80' }, /on this machine/],
    ['a password with a %', { runtime_id: 'local_native', base_url: 'http://me:50%@127.0.0.1:80' }, /on this machine/],
    ['an unknown runtime', { runtime_id: 'gpt' }, /runtime_id/],
    ['an address of the demo voice', { runtime_id: 'fake', base_url: 'http://127.0.0.1:1' }, /neither an address/],
  ])('cannot be %s', async (_what, choice, why) => {
    const gateway = await started();
    const { status, body } = await choose(gateway, choice);
    expect([status, (body as Problem).code]).toEqual([400, 'VALIDATION_ERROR']);
    expect((body as Problem).detail).toMatch(why);
    expect(await nameOf(gateway)).toBe('fake');
  });
});

describe('the environment and the choice', () => {
  it('SIM_RUNTIME_ID wins over a stored choice and lets nothing be chosen', async () => {
    const dataDir = await folderWith({ runtime_id: 'local_native' });
    const gateway = await started({ SIM_RUNTIME_ID: 'fake', SIM_DATA_DIR: dataDir });
    expect((await gateway.get('/runtime/choice')).body).toMatchObject({
      decided_by: 'environment',
      runtime_id: 'fake',
      variables: ['SIM_RUNTIME_ID'],
      can_change: false,
    });
    const { status, body } = await choose(gateway, { runtime_id: 'local_native' });
    expect([status, (body as Problem).code]).toEqual([400, 'SETTING_READ_ONLY']);
    expect((body as Problem).detail).toMatch(/^SIM_RUNTIME_ID decides who plays/);
  });

  it('an address that is set is the one of its runtime, and no other can be chosen for it', async () => {
    const upstream = await upstreamOf(speaking(['Here.']));
    const stored: RuntimeChoice = { runtime_id: 'local_server', base_url: 'http://127.0.0.1:1' };
    const gateway = await started({ SIM_LOCAL_SERVER_BASE_URL: upstream.url, SIM_DATA_DIR: await folderWith(stored) });
    expect(await spoken(gateway)).toBe('Here.');
    const refused = await choose(gateway, stored);
    expect((refused.body as Problem).detail).toMatch(/^SIM_LOCAL_SERVER_BASE_URL decides the address/);
    expect((await choose(gateway, { runtime_id: 'local_server', base_url: upstream.url })).status).toBe(200);
    const state = RuntimeChoiceState.parse((await choose(gateway, { runtime_id: 'local_server' })).body);
    expect(state).toMatchObject({ base_url: upstream.url, variables: ['SIM_LOCAL_SERVER_BASE_URL'] });
  });

  it('a model that is set is the one that is asked for', async () => {
    const upstream = await upstreamOf(speaking(['Here.']));
    const gateway = await started({ SIM_LOCAL_SERVER_MODEL_ID: 'set.gguf' });
    const refused = await choose(gateway, { runtime_id: 'local_server', base_url: upstream.url, model_id: 'other' });
    expect((refused.body as Problem).detail).toMatch(/^SIM_LOCAL_SERVER_MODEL_ID decides the model/);
    await choose(gateway, { runtime_id: 'local_server', base_url: upstream.url });
    await spoken(gateway);
    expect(JSON.parse(upstream.calls.find((call) => call.method === 'POST')?.body ?? '')).toMatchObject({
      model: 'set.gguf',
    });
  });
});

describe('what was chosen before the start', () => {
  it('plays from the first chat on', async () => {
    const upstream = await upstreamOf(speaking(['Still ', 'here.']));
    const SIM_DATA_DIR = await folderWith({ runtime_id: 'local_server', base_url: upstream.url });
    expect(await spoken(await started({ SIM_DATA_DIR }))).toBe('Still here.');
  });

  it('is nothing without a file, a table or a row, and the file stays untouched', async () => {
    const empty = temporaryFolder('choice');
    opened.push(empty);
    expect(await readStoredChoice({ dataDir: empty.path })).toBeNull();
    expect(await readStoredChoice({ dataDir: await folderWith(null) })).toBeNull();
    const bare = path.join(empty.path, 'data');
    mkdirSync(bare);
    writeFileSync(path.join(bare, 'parley.sqlite'), '');
    expect(await readStoredChoice({ dataDir: bare })).toBeNull();
    await expect(readStoredChoice({ dataDir: bare, url: 'mysql://127.0.0.1/parley' })).rejects.toThrow(
      /^SIM_DATABASE_URL begins with mysql:/,
    );
  });

  it('is found where SIM_DATABASE_URL says, and while the database is being written', async () => {
    const dataDir = await folderWith({ runtime_id: 'local_native', model_id: 'b:2b' });
    const database = await openDatabase({ dataDir });
    opened.push(database);
    await database.write(async (transaction) => {
      await putRuntimeChoice(transaction, { runtime_id: 'fake' });
      const read = await readStoredChoice({
        dataDir: '/nowhere',
        url: `sqlite:${path.join(dataDir, 'parley.sqlite')}`,
      });
      expect(read).toEqual({ runtime_id: 'local_native', model_id: 'b:2b' });
    });
    expect(await readStoredChoice({ dataDir })).toEqual({ runtime_id: 'fake' });
  });
});
