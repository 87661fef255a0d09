import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { MAX_PLAYER_TEXT, REPLAY_CAP, type Finding, type Recap } from '@parley/shared/contracts';
import { scriptedGateway, temporaryFolder, type ScriptedGateway, type TemporaryFolder } from '@parley/shared/testing';
import {
  LONG_TALK,
  asTurn,
  debriefFor,
  endedSession,
  installSamplePack,
  playToEnd,
  sampleFile,
  say,
  scriptTurns,
  sessionOf,
  startParleySet,
  startedSession,
  type ParleySet,
} from '../set';

const conversation = (messages: readonly { role: string; content: string }[]): string[] =>
  messages.slice(1, -1).map((message) => message.content);

/** docs/contract.md, Limits: one test a row. */
describe('Limits', () => {
  let gateway: ScriptedGateway;
  let set: ParleySet;
  let folder: TemporaryFolder;
  beforeAll(async () => {
    folder = temporaryFolder('limits');
    gateway = await scriptedGateway();
    set = await startParleySet({ gatewayUrl: gateway.url });
    await installSamplePack(set, path.join(folder.path, 'sample'));
  });
  afterAll(async () => {
    await set.stop();
    await gateway.service.close();
    folder.remove();
  });
  beforeEach(() => scriptTurns(gateway));

  it('player text length: 1 to 2000 characters after trimming', async () => {
    const { id } = await startedSession(set, LONG_TALK);
    const statuses: [number, number][] = [];
    for (const length of [0, 1, MAX_PLAYER_TEXT, MAX_PLAYER_TEXT + 1])
      statuses.push([length, (await say(set, id, ` ${'\u{1F600}'.repeat(length)} `)).status]);
    expect(statuses).toEqual([
      [0, 400],
      [1, 200],
      [2000, 200],
      [2001, 400],
    ]);
  });

  it('transcript window in the prompt: the last 12 turns, however long the session is', async () => {
    const { id } = await startedSession(set, LONG_TALK);
    for (let turn = 1; turn <= 20; turn += 1) {
      scriptTurns(gateway, asTurn({ npc_utterance: `Answer-${turn}.` }));
      await say(set, id, `Question-${turn}.`);
      const window = conversation(gateway.requests.at(-1)?.messages ?? []);
      const spoken = window.filter((text) => /^(Question|Answer)-\d+\.$|^Yes\?$/.test(text));
      expect(spoken).toHaveLength(Math.min(12, turn * 2 - 1));
      expect(spoken.at(-1)).toBe(turn === 1 ? 'Yes?' : `Answer-${turn - 1}.`);
      expect(gateway.requests.at(-1)?.messages.at(-1)?.content).toContain(`Question-${turn}.`);
    }
  });

  it('max_delta_per_turn: 20 by default, else what the scenario says, applied in every turn', async () => {
    const { id } = await startedSession(set, LONG_TALK);
    scriptTurns(gateway, asTurn({ state_delta: { trust: 21, patience: -900, doubt: 16, rapport: 20, openness: -20 } }));
    const { body } = await say(set, id, 'Hello.');
    expect(body.events[1]?.payload).toMatchObject({
      delta: { trust: 20, patience: -20, doubt: 15, rapport: 20, openness: -20 },
    });
    const detail = await set.ask('getScenario', { params: { id: LONG_TALK } });
    const bounds = Object.fromEntries(detail.variables.map((one) => [one.name, one.max_delta_per_turn]));
    expect(bounds).toMatchObject({ trust: 20, patience: 20, rapport: 20, openness: 20, objective_progress: 20 });
  });

  it('variable value range: [min, max] of each variable, 0 to 100 for the baseline', async () => {
    const { id } = await startedSession(set, LONG_TALK);
    scriptTurns(gateway, asTurn({ state_delta: { trust: 20, patience: -20, doubt: -15, pressure: 20 } }));
    for (let turn = 1; turn <= 8; turn += 1) await say(set, id, 'Hello.');
    expect((await sessionOf(set, id)).state_vars).toMatchObject({ trust: 100, patience: 0, doubt: 20, pressure: 100 });
    const { body } = await say(set, id, 'Hello.');
    expect(body.events[1]?.payload).toMatchObject({ delta: {} });
  });

  it('debrief scores: baseline 50, range 0 to 100', async () => {
    const observed = (delta: number) =>
      asTurn({ rubric_observations: [{ dimension: 'clarity', delta, note: 'Seen.' }] });
    const scores: number[][] = [];
    for (const delta of [0, 10, -10]) {
      scriptTurns(gateway, delta === 0 ? asTurn() : observed(delta));
      const { id } = await endedSession(set, 7, LONG_TALK);
      const debrief = await debriefFor(set, id);
      scores.push([debrief.overall_score, ...debrief.dimensions.map((one) => one.score)]);
    }
    // Weights 1 and 0.5: (100 + 25) / 1.5 and (0 + 25) / 1.5, rounded half up.
    expect(scores).toEqual([
      [50, 50, 50],
      [83, 100, 50],
      [17, 0, 50],
    ]);
  });

  it('zip expansion size: more than 500 MB is refused, however small the archive is', async () => {
    const zip = new ZipFile();
    for (const name of ['manifest.yaml', 'scenarios/talk.yaml'])
      zip.addBuffer(Buffer.from(sampleFile(name).replaceAll(LONG_TALK, 'too_large')), name);
    const block = Buffer.alloc(1_000_000);
    zip.addReadStream(Readable.from(Array.from({ length: 530 }, () => block)), 'assets/zeros.png', {
      compressionLevel: 1,
    } as object);
    zip.end();
    const file = path.join(folder.path, 'large.zip');
    await pipeline(zip.outputStream, createWriteStream(file));
    const problem = await set.problem('POST', '/api/packs/import', { path: file });
    expect(problem.status === 422 || problem.status === 413).toBe(true);
    if (problem.status === 422)
      expect((problem.details?.['findings'] as Finding[]).map((finding) => finding.rule)).toContain('zip.too-large');
    expect((await set.problem('GET', '/api/packs/too_large')).code).toBe('PACK_NOT_FOUND');
  });

  it('WebSocket replay cap: the first 50 stored events by event id', async () => {
    const { id } = await startedSession(set, LONG_TALK);
    for (let turn = 1; turn <= 24; turn += 1) await say(set, id, 'Hm.');
    const { events } = await set.ask('listEvents', { params: { id }, query: { limit: 100 } });
    expect(events.length).toBeGreaterThan(REPLAY_CAP);
    const socket = await set.socket(id, { query: '?after_seq=0' });
    const lastIndex = Math.max(
      ...events.slice(0, REPLAY_CAP).flatMap((one) => (one.kind === 'npc_turn' ? [one.turn_index ?? 0] : [])),
    );
    await say(set, id, 'And now?');
    const finals = (): number[] =>
      socket.messages.flatMap((one) => (one.type === 'npc.final' ? [one.payload.turn] : []));
    await socket.next('npc.final', REPLAY_CAP);
    expect(finals().at(-2)).toBe(lastIndex);
    expect(finals().at(-1)).toBe(51);
  });

  it('context budget: the prompt stays inside of it when the turns are as long as they may be', async () => {
    const { id } = await startedSession(set, LONG_TALK);
    scriptTurns(gateway, asTurn({ npc_utterance: 'word '.repeat(220).trim() }));
    for (let turn = 1; turn <= 14; turn += 1) expect((await say(set, id, 'text '.repeat(399).trim())).status).toBe(200);
    const { messages, max_tokens: reserved } = gateway.requests.at(-1) ?? { messages: [], max_tokens: 0 };
    const characters = messages.reduce((sum, message) => sum + message.content.length, 0);
    // The stand-in says 8192 tokens; English has about four characters a token and never fewer than two and a half here.
    expect(characters / 4 + reserved).toBeLessThan(8192);
    expect(messages.at(-1)?.content).toContain('text text');
  });

  it('recap bounds: at most 5 observations of 150 characters and 3 tags of 30, and no words of the talk', async () => {
    await set.ask('patchSettings', { body: { relationship_memory_enabled: true } });
    try {
      const secret = 'my grandmother keeps seven blue parrots in Lisbon';
      scriptTurns(
        gateway,
        asTurn({
          rubric_observations: [
            { dimension: 'clarity', delta: 9, note: 'Plain.' },
            { dimension: 'care', delta: -9, note: 'Cold.' },
          ],
        }),
      );
      for (let play = 1; play <= 4; play += 1) {
        const { id } = await startedSession(set, LONG_TALK);
        await playToEnd(set, id, [secret]).catch(() => undefined);
        await set.ask('endSession', { params: { id } });
        await set.ask('createDebrief', { params: { id } });
      }
      const { recaps } = await set.ask('listRecaps', {});
      const recap = recaps.find((one: Recap) => one.pack_id === LONG_TALK);
      expect(recap).toMatchObject({
        npc_id: 'kim',
        schema_version: '1',
        session_count: 4,
        last_outcome: 'player_exit',
      });
      expect(recap?.key_observations.length).toBeLessThanOrEqual(5);
      expect(recap?.player_style_tags.length).toBeLessThanOrEqual(3);
      for (const text of recap?.key_observations ?? []) expect(text.length).toBeLessThanOrEqual(150);
      for (const tag of recap?.player_style_tags ?? []) expect(tag.length).toBeLessThanOrEqual(30);
      expect(JSON.stringify(recap)).not.toMatch(/grandmother keeps seven|blue parrots in/);
      expect(await set.call('DELETE', `/api/relationship-memory/kim/${LONG_TALK}`)).toMatchObject({ status: 204 });
      expect((await set.problem('DELETE', `/api/relationship-memory/kim/${LONG_TALK}`)).code).toBe('RECAP_NOT_FOUND');
      expect((await set.call('DELETE', '/api/relationship-memory')).body).toEqual({ deleted: 0 });
    } finally {
      await set.ask('patchSettings', { body: { relationship_memory_enabled: false } });
    }
  });

  it('rate limits and quotas: none; fast turns one after the other are all answered', async () => {
    const { id } = await startedSession(set, LONG_TALK);
    const statuses = new Set<number>();
    for (let turn = 1; turn <= 60; turn += 1) statuses.add((await say(set, id, 'Again.')).status);
    expect([...statuses]).toEqual([200]);
  });
});

describe('Limits of the model servers', () => {
  it('chat request defaults: max_tokens 512, temperature 0.8', async () => {
    const bodies: Record<string, unknown>[] = [];
    const server = createServer((request, response) => {
      let text = '';
      request.on('data', (data: Buffer) => (text += data.toString()));
      request.on('end', () => {
        if (request.method === 'POST') bodies.push(JSON.parse(text) as Record<string, unknown>);
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end('data: {"choices":[{"index":0,"delta":{"content":"Hi."}}]}\n\ndata: [DONE]\n\n');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const set = await startParleySet({
      environment: { SIM_RUNTIME_ID: 'local_server', SIM_LOCAL_SERVER_BASE_URL: base },
    });
    try {
      const messages = [{ role: 'user', content: 'Hello.' }];
      const reply = await set.call('POST', '/runtime/chat', { messages }, { service: 'runtime_gateway' });
      expect(reply.status).toBe(200);
      expect(bodies.at(-1)).toMatchObject({ max_tokens: 512, temperature: 0.8, stream: true });
    } finally {
      await set.stop();
      server.close();
    }
  });

  /** A server that accepts every connection and says nothing. */
  async function silentServer(): Promise<{ url: string; close: () => void }> {
    const server = createServer(() => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      close: () => {
        server.closeAllConnections();
        server.close();
      },
    };
  }

  it.each([
    [
      'local_server timeouts: model listing and quiet period of a chat',
      (url: string) => ({
        SIM_RUNTIME_ID: 'local_server',
        SIM_LOCAL_SERVER_BASE_URL: url,
        SIM_LOCAL_SERVER_TIMEOUT: '0.3',
        SIM_LOCAL_SERVER_CHAT_TIMEOUT: '0.3',
      }),
    ],
    [
      'local_native timeouts: control calls and each read of a chat',
      (url: string) => ({
        SIM_RUNTIME_ID: 'local_native',
        SIM_NATIVE_SERVER_BASE_URL: url,
        SIM_NATIVE_SERVER_TIMEOUT: '0.3',
        SIM_NATIVE_SERVER_CHAT_TIMEOUT: '0.3',
      }),
    ],
  ] as const)('%s end a wait that a silent server would make endless', async (_name, environment) => {
    const server = await silentServer();
    const set = await startParleySet({ environment: environment(server.url) });
    try {
      const listing = await set.problem('GET', '/api/models');
      expect([listing.status, listing.code]).toEqual([503, 'RUNTIME_UNAVAILABLE']);
      const { id } = await startedSession(set);
      const problem = await set.problem('POST', `/api/sessions/${id}/turn`, { text: 'Hello.' });
      expect([503, 504]).toContain(problem.status);
      expect(problem.retryable).toBe(true);
      expect((await sessionOf(set, id)).turn_count).toBe(1);
    } finally {
      await set.stop();
      server.close();
    }
  });
});
