import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { streamChat } from '@parley/shared/client';
import type { ServiceError } from '@parley/shared/contracts';
import { freePorts, waitUntil } from '@parley/shared/testing';
import { askFor, startScriptedModel, type Behaviour } from '../../conformance/scripted-model';
import {
  chunkOf,
  LAST_CHUNK,
  plainAnswer,
  startScriptedUpstream,
  streamHead,
  type Script,
  type ScriptedUpstream,
} from '../../conformance/scripted-upstream';
import { startGateway, type RunningGateway } from '../../../testing/gateway-caller';
import { smallGguf } from '../../../testing/small-gguf';

type Model = Awaited<ReturnType<typeof startScriptedModel>>;

const opened: { close?(): Promise<void>; stop?(): Promise<void> }[] = [];

afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await (one.stop?.() ?? one.close?.());
});

async function models(count: number): Promise<Model[]> {
  const started = await Promise.all(Array.from({ length: count }, () => startScriptedModel('openai')));
  opened.push(...started);
  return started;
}

async function upstream(script: Script): Promise<ScriptedUpstream> {
  const server = await startScriptedUpstream(script);
  opened.push(server);
  return server;
}

async function gatewayTo(urls: readonly string[], environment: Record<string, string> = {}): Promise<RunningGateway> {
  const gateway = await startGateway({
    SIM_RUNTIME_ID: 'local_server',
    SIM_LOCAL_SERVER_BASE_URL: urls.join(', '),
    ...environment,
  });
  opened.push(gateway);
  return gateway;
}

const messages = (behaviour: Behaviour): { role: 'user'; content: string }[] => [
  { role: 'user', content: askFor(behaviour) },
];

/** Plays one chat as session-api does; answers its text or the code of its error. */
async function play(
  gateway: RunningGateway,
  talk?: string,
  behaviour: Behaviour = 'usual',
  signal?: AbortSignal,
): Promise<string> {
  try {
    const final = await streamChat(gateway.url, { messages: messages(behaviour) }, () => undefined, {
      quietTimeoutMs: 30_000,
      ...(talk === undefined ? {} : { affinity: talk }),
      ...(signal === undefined ? {} : { signal }),
    });
    return final.text;
  } catch (error) {
    return (error as ServiceError).code ?? 'gone';
  }
}

const prewarm = (gateway: RunningGateway, talk: string): Promise<{ status: number }> =>
  gateway.send('POST', '/runtime/prewarm', { messages: messages('usual') }, { 'x-parley-affinity': talk });

const SAID = 'Tea is best hot.';
const counts = (servers: readonly Model[]): number[] => servers.map(({ chats }) => chats.length);
const TALKS = Array.from({ length: 60 }, (_, at) => `talk-${at}`);

/** Plays a talk once and answers which server it has. */
async function homeOf(gateway: RunningGateway, servers: readonly Model[], talk: string): Promise<number> {
  const before = counts(servers);
  expect(await play(gateway, talk)).toBe(SAID);
  return counts(servers).findIndex((count, at) => count > (before[at] ?? 0));
}

const metric = async (gateway: RunningGateway, name: string, url: string): Promise<string | undefined> => {
  const text = await (await fetch(`${gateway.url}/metrics`)).text();
  return new RegExp(`^${name}\\{server="${url}"[^}]*\\} (\\S+)$`, 'm').exec(text)?.[1];
};
const isUp = (gateway: RunningGateway, url: string): Promise<boolean> =>
  metric(gateway, 'parley_model_server_up', url).then((value) => value === '1');

describe('a pool of local servers', () => {
  it('keeps a talk at its server, spreads the talks, and reads ahead where the talk is', async () => {
    const servers = await models(3);
    const gateway = await gatewayTo(servers.map(({ url }) => url));
    const homes = new Set<number>();
    for (const talk of TALKS) {
      const home = await homeOf(gateway, servers, talk);
      homes.add(home);
      const before = servers[home]?.chats.length ?? 0;
      expect((await prewarm(gateway, talk)).status).toBe(204);
      expect(servers[home]?.chats.length).toBe(before + 1);
      expect(await homeOf(gateway, servers, talk)).toBe(home);
    }
    expect([...homes].sort()).toEqual([0, 1, 2]);
  });

  it('is the same behind two gateways, whatever the order of their lists', async () => {
    const servers = await models(3);
    const urls = servers.map(({ url }) => url);
    const [one, other] = [await gatewayTo(urls), await gatewayTo([...urls].reverse().map((url) => `${url}/v1/`))];
    for (const talk of TALKS) expect(await homeOf(other, servers, talk)).toBe(await homeOf(one, servers, talk));
  });

  it('divides chats of no talk evenly, and counts what runs', async () => {
    const servers = await models(3);
    const gateway = await gatewayTo(servers.map(({ url }) => url));
    const leaver = new AbortController();
    const running: Promise<string>[] = [];
    for (let at = 1; at <= 6; at += 1) {
      running.push(play(gateway, undefined, 'stall', leaver.signal));
      await waitUntil('the chat to run', () => counts(servers).reduce((sum, count) => sum + count) === at);
    }
    expect(counts(servers)).toEqual([2, 2, 2]);
    for (const { url } of servers) expect(await metric(gateway, 'parley_model_server_running', url)).toBe('2');
    leaver.abort();
    await Promise.all(running);
    for (const { url } of servers)
      await waitUntil(
        'nothing to run',
        async () => (await metric(gateway, 'parley_model_server_running', url)) === '0',
      );
  });

  it('passes over the server of a talk while it has clearly more to do than the others', async () => {
    const servers = await models(3);
    const gateway = await gatewayTo(servers.map(({ url }) => url));
    const home = await homeOf(gateway, servers, 'talk');
    const leaver = new AbortController();
    const running: Promise<string>[] = [];
    const at = (): number => servers[home]?.chats.filter(({ behaviour }) => behaviour === 'stall').length ?? 0;
    for (const count of [1, 2]) {
      running.push(play(gateway, 'talk', 'stall', leaver.signal));
      await waitUntil('the chat to run', () => at() === count);
    }
    expect(await homeOf(gateway, servers, 'talk')).not.toBe(home);
    leaver.abort();
    await Promise.all(running);
    const { url } = servers[home] as Model;
    await waitUntil('them to end', async () => (await metric(gateway, 'parley_model_server_running', url)) === '0');
    expect(await homeOf(gateway, servers, 'talk')).toBe(home);
  });

  it('plays without a server that is dead at the start, and says so', async () => {
    const servers = await models(2);
    const [port] = await freePorts(1);
    const dead = `http://127.0.0.1:${port}`;
    const gateway = await gatewayTo([`http://me:secret@127.0.0.1:${port}`, ...servers.map(({ url }) => url)]);
    for (const talk of TALKS) expect(await play(gateway, talk)).toBe(SAID);
    expect((await gateway.get('/runtime/health')).body).toMatchObject({
      status: 'READY',
      model_id: 'scripted',
      message: `1 of 3 model servers does not answer: ${dead}.`,
    });
    expect(await metric(gateway, 'parley_model_server_up', dead)).toBe('0');
    expect((await gateway.get('/runtime/models')).body).toMatchObject({ models: [{ id: 'scripted' }] });
  });

  it('moves only the talks of a server that dies between chats, and brings them back when it is back', async () => {
    const servers = await models(3);
    const gateway = await gatewayTo(servers.map(({ url }) => url));
    const homes = new Map<string, number>();
    for (const talk of TALKS) homes.set(talk, await homeOf(gateway, servers, talk));
    const [dying] = servers as [Model, ...Model[]];
    await dying.close();
    for (const talk of TALKS) {
      const now = await homeOf(gateway, servers, talk);
      if (homes.get(talk) === 0) expect([1, 2]).toContain(now);
      else expect(now).toBe(homes.get(talk));
    }
    expect(await isUp(gateway, dying.url)).toBe(false);
    const again = await startScriptedModel('openai', Number(new URL(dying.url).port));
    opened.push(again);
    await waitUntil('it to be taken back', () => isUp(gateway, dying.url));
    expect((await gateway.get('/runtime/health')).body).toMatchObject({ status: 'READY', message: null });
    const back = [again, ...servers.slice(1)];
    for (const talk of TALKS) expect(await homeOf(gateway, back, talk)).toBe(homes.get(talk));
  });

  it('reads ahead at another server too when the first is gone, where the turn then goes', async () => {
    const servers = await models(2);
    const gateway = await gatewayTo(servers.map(({ url }) => url));
    const home = await homeOf(gateway, servers, 'talk');
    await servers[home]?.close();
    const before = servers[1 - home]?.chats.length ?? 0;
    expect((await prewarm(gateway, 'talk')).status).toBe(204);
    expect(await homeOf(gateway, servers, 'talk')).toBe(1 - home);
    expect(servers[1 - home]?.chats.length).toBe(before + 2);
  });

  it('goes on elsewhere when the connection is lost before the first token, and when the model is still loading', async () => {
    const losing = await upstream((call, line) =>
      call.path === '/health' ? line.write(plainAnswer(500, '{}')) : line.reset(),
    );
    const loading = await upstream((_call, line) =>
      line.write(plainAnswer(503, '{"error":{"message":"Loading model"}}')),
    );
    const [server] = (await models(1)) as [Model];
    const gateway = await gatewayTo([losing.url, loading.url, server.url]);
    for (const talk of TALKS) expect(await play(gateway, talk)).toBe(SAID);
    expect(server.chats).toHaveLength(TALKS.length);
    const chatsOf = ({ calls }: ScriptedUpstream): number => calls.filter(({ method }) => method === 'POST').length;
    // Asked again only if it was found well in between, which neither was.
    expect([chatsOf(losing), chatsOf(loading)]).toEqual([1, 1]);
    await waitUntil('both to be told of', async () => {
      const { message } = (await gateway.get('/runtime/health')).body as { message: string | null };
      return (
        message ===
        `1 of 3 model servers is loading its model: ${loading.url}. 1 of 3 model servers answers wrongly: ${losing.url}.`
      );
    });
  });

  it('leaves an error an error once a token was heard', async () => {
    const servers = await models(2);
    const gateway = await gatewayTo(servers.map(({ url }) => url));
    const { status, items } = await gateway.chat({ messages: messages('cut') });
    expect([status, items[0], items.at(-1)]).toMatchObject([
      200,
      { type: 'token', text: 'Tea ' },
      { type: 'error', code: 'RUNTIME_UNAVAILABLE' },
    ]);
    expect(counts(servers).reduce((sum, count) => sum + count)).toBe(1);
  });

  it.each([
    ['was silent for too long', 'TURN_TIMEOUT', () => undefined],
    ['speaks no HTTP', 'RUNTIME_ERROR', (_call, line) => line.write('hello\r\n\r\n')],
  ] as [string, string, Script][])(
    'asks a server that %s how it is, and plays elsewhere if it is not well',
    async (_what, code, script) => {
      const silent = await upstream((call, line) =>
        call.path === '/health' ? line.write(plainAnswer(500, '{}')) : script(call, line),
      );
      const [server] = (await models(1)) as [Model];
      const gateway = await gatewayTo([silent.url, server.url], { SIM_LOCAL_SERVER_CHAT_TIMEOUT: '0.2' });
      const met: string[] = [];
      for (const talk of TALKS) if (met.length === 0 && (await play(gateway, talk)) === code) met.push(talk);
      expect(met).toHaveLength(1);
      await waitUntil('it to be left out', async () => !(await isUp(gateway, silent.url)));
      expect(await play(gateway, met[0])).toBe(SAID);
    },
  );

  it('answers as a single server does when all are gone, and plays again at once when one is back', async () => {
    const ports = await freePorts(2);
    const urls = ports.map((port) => `http://127.0.0.1:${port}`);
    const [pool, single] = [await gatewayTo(urls), await gatewayTo(urls.slice(0, 1))];
    for (const gateway of [pool, single]) expect((await gateway.chat()).status).toBe(503);
    const [ours, theirs] = [await pool.chat(), await single.chat()];
    expect([ours.status, ours.problem?.code, ours.problem?.detail]).toEqual([
      theirs.status,
      theirs.problem?.code,
      theirs.problem?.detail,
    ]);
    const health = async (gateway: RunningGateway): Promise<unknown> => {
      const { status, message, model_id, latency_ms } = (await gateway.get('/runtime/health')).body as Record<
        string,
        unknown
      >;
      return { status, message, model_id, latency_ms };
    };
    expect(await health(pool)).toEqual(await health(single));
    expect(await pool.get('/runtime/models')).toMatchObject({ status: 503, body: { code: 'RUNTIME_UNAVAILABLE' } });
    opened.push(await startScriptedModel('openai', ports[1]));
    await waitUntil('a chat to be played', async () => (await play(pool, 'talk')) === SAID);
  });

  it('does not hold it against a server when the caller goes away, before and after the first token', async () => {
    const servers = await models(2);
    const gateway = await gatewayTo(servers.map(({ url }) => url));
    const early = new AbortController();
    const running = play(gateway, 'talk', 'stall', early.signal);
    await waitUntil('the chat to run', () => counts(servers).includes(1));
    early.abort();
    await running;
    const late = new AbortController();
    const answer = await gateway.openChat({ messages: messages('stall-later') }, late.signal);
    answer.body.on('error', () => undefined);
    late.abort();
    for (const { url } of servers)
      await waitUntil(
        'nothing to run',
        async () => (await metric(gateway, 'parley_model_server_running', url)) === '0',
      );
    for (const { url } of servers) expect(await isUp(gateway, url)).toBe(true);
    expect(counts(servers).reduce((sum, count) => sum + count)).toBe(2);
  });

  it('plays at the server of each talk all the same while none is found well', async () => {
    const said = `data: {"choices":[{"delta":{"content":"${SAID}"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`;
    const script: Script = (call, line) =>
      line.write(
        call.method === 'POST' ? streamHead('text/event-stream') + chunkOf(said) + LAST_CHUNK : plainAnswer(500, '{}'),
      );
    const servers = [await upstream(script), await upstream(script)];
    const gateway = await gatewayTo(servers.map(({ url }) => url));
    expect((await gateway.get('/runtime/health')).body).toMatchObject({ status: 'ERROR' });
    const played = (): number[] => servers.map(({ calls }) => calls.filter(({ method }) => method === 'POST').length);
    for (const talk of TALKS) {
      const before = played();
      expect([await play(gateway, talk), await play(gateway, talk)]).toEqual([SAID, SAID]);
      expect(played().map((count, at) => count - (before[at] ?? 0))).toContain(2);
    }
    expect(played()).not.toContain(0);
  });
});

describe('what a pool has no use for', () => {
  it('is a model server that Parley starts, and a choice of an address', async () => {
    const gateway = await gatewayTo(['http://127.0.0.1:7991', 'http://127.0.0.1:7992'], { SIM_RUNTIME_ID: '' });
    const choose = (body: object): Promise<{ status: number; body: unknown }> =>
      gateway.send('PUT', '/runtime/choice', body);
    expect(await choose({ runtime_id: 'local_server' })).toMatchObject({
      status: 200,
      body: { runtime_id: 'local_server', base_url: null, variables: ['SIM_LOCAL_SERVER_BASE_URL'] },
    });
    expect(await choose({ runtime_id: 'local_server', base_url: 'http://127.0.0.1:7991' })).toMatchObject({
      status: 400,
      body: { code: 'SETTING_READ_ONLY' },
    });
    expect(await gateway.send('POST', '/runtime/sidecar/start', {})).toMatchObject({
      status: 409,
      body: { code: 'NOT_SUPPORTED_BY_RUNTIME', detail: expect.stringContaining('several model servers') as string },
    });
  });

  it.each(['local_server', ''])('is a file for a model server, with SIM_RUNTIME_ID=%s', async (runtime) => {
    const gateway = await gatewayTo(['http://127.0.0.1:7991', 'http://127.0.0.1:7992'], { SIM_RUNTIME_ID: runtime });
    expect(await gateway.send('POST', '/runtime/models/install', { file: '/none.gguf' })).toMatchObject({
      status: 409,
      body: { code: 'NOT_SUPPORTED_BY_RUNTIME', detail: expect.stringContaining('one address') as string },
    });
  });

  it('is a file that lies here: servers elsewhere do not have it', async () => {
    const [server] = (await models(1)) as [Model];
    const pool = await gatewayTo([server.url, server.url.replace('127.0.0.1', 'localhost')]);
    const listed = async (gateway: RunningGateway): Promise<string[]> => {
      mkdirSync(path.join(gateway.dataDir, 'models'), { recursive: true });
      writeFileSync(path.join(gateway.dataDir, 'models', 'here.gguf'), smallGguf());
      const { body } = await gateway.get('/runtime/models');
      return (body as { models: { id: string }[] }).models.map(({ id }) => id);
    };
    expect(await listed(await gatewayTo([server.url]))).toEqual(['scripted', 'here.gguf']);
    expect(await listed(pool)).toEqual(['scripted']);
  });
});
