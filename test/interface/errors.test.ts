import { createServer, type Server } from 'node:http';
import { existsSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { FALLBACK_UTTERANCE, type Finding } from '@parley/shared/contracts';
import {
  scriptedGateway,
  temporaryFolder,
  waitUntil,
  type ScriptedGateway,
  type TemporaryFolder,
} from '@parley/shared/testing';
import {
  BUILT_IN_IDS,
  LONG_TALK,
  PROJECT_ROOT,
  asText,
  asTurn,
  filesUnder,
  sampleFile,
  say,
  scriptTurns,
  sessionOf,
  startIsOver,
  startParleySet,
  startedSession,
  storedRows,
  transcriptOf,
  writeSamplePack,
  type ParleySet,
} from '../set';

const builtInPack = (name: string): string => path.join(PROJECT_ROOT, 'packs', name);

/** docs/contract.md, Errors: what the user specified, one test a row; then every code that a client can bring about. */
describe('Errors', () => {
  let gateway: ScriptedGateway;
  let set: ParleySet;
  let folder: TemporaryFolder;
  beforeAll(async () => {
    folder = temporaryFolder('errors');
    gateway = await scriptedGateway();
    set = await startParleySet({ gatewayUrl: gateway.url });
  });
  afterAll(async () => {
    await set.stop();
    await gateway.service.close();
    folder.remove();
  });
  beforeEach(() => scriptTurns(gateway));

  it.each([
    ['empty', ''],
    ['empty after trimming', ' \n\t\u00a0\u2003\ufeff '],
    ['2001 characters', 'a'.repeat(2001)],
    ['2001 characters outside of the basic plane', '\u{1F600}'.repeat(2001)],
    ['with NUL', 'before\u0000after'],
    ['with a lone surrogate', 'a\ud83dz'],
  ])('player text %s: HTTP 400 TURN_INPUT_ERROR, nothing stored and the model not asked', async (_name, text) => {
    const session = await startedSession(set);
    const asked = gateway.requests.length;
    const body = JSON.stringify({ text });
    const problem = await set.problem('POST', `/api/sessions/${session.id}/turn`, body);
    expect([problem.status, problem.code, problem.retryable]).toEqual([400, 'TURN_INPUT_ERROR', false]);
    expect(await sessionOf(set, session.id)).toEqual(session);
    expect(gateway.requests.length).toBe(asked);
  });

  it.each([
    ['2000 characters', 'a'.repeat(2000)],
    ['2000 characters outside of the basic plane', '\u{1F600}'.repeat(2000)],
    ['2000 characters with blanks around', `  ${'b'.repeat(2000)}\n`],
    ['one character', 'x'],
    ['not in normal form', 'e\u0301 \u212b \ufb01'],
  ])('player text of %s is stored as sent after trimming', async (_name, text) => {
    const { id } = await startedSession(set);
    expect((await say(set, id, text)).status).toBe(200);
    expect((await transcriptOf(set, id)).turns[1]?.text).toBe(text.trim());
  });

  it('pack import with a pack_id that is already installed: HTTP 409', async () => {
    for (const pack of BUILT_IN_IDS) {
      const problem = await set.problem('POST', '/api/packs/import', { path: builtInPack(pack) });
      expect([problem.status, problem.code]).toEqual([409, 'PACK_ALREADY_INSTALLED']);
    }
    const installed = await set.call('POST', '/api/packs/import', {
      path: writeSamplePack(path.join(folder.path, 'good')),
    });
    expect(installed.status).toBe(201);
    const again = await set.problem('POST', '/api/packs/import', { path: path.join(folder.path, 'good') });
    expect([again.status, again.code]).toEqual([409, 'PACK_ALREADY_INSTALLED']);
    const valid = await set.call('POST', '/api/packs/validate', { path: path.join(folder.path, 'good') });
    expect([valid.status, valid.body['valid']]).toEqual([200, true]);
  });

  it('pack import failing a validation rule: blocked with all findings, nothing installed', async () => {
    const bad = writeSamplePack(path.join(folder.path, 'bad'), {
      'manifest.yaml': sampleFile('manifest.yaml').replaceAll(LONG_TALK, 'bad_pack').replace('PG', 'R'),
      'scenes/room.yaml': 'schema_version: "0.1"\nscene_id: room\nunknown_member: 1\n',
      'assets/run.sh': '#!/bin/sh\necho no\n',
    });
    // The ballast is laid down while the services start: its name changes once, when it is whole.
    await startIsOver(set);
    const files = (): string[] => filesUnder(set.folder.path).filter((file) => !/sqlite|\.log$/.test(file));
    const before = files();
    const problem = await set.problem('POST', '/api/packs/import', { path: bad });
    expect([problem.status, problem.code]).toEqual([422, 'PACK_INVALID']);
    const findings = problem.details?.['findings'] as Finding[];
    const errors = findings.filter((finding) => finding.severity === 'error');
    expect(new Set(errors.map((finding) => finding.file))).toEqual(
      new Set(['manifest.yaml', 'scenes/room.yaml', 'assets/run.sh']),
    );
    expect(errors.map((finding) => finding.rule)).toEqual(
      expect.arrayContaining(['schema.scene', 'file.forbidden-extension']),
    );
    expect((await set.problem('GET', '/api/packs/bad_pack')).code).toBe('PACK_NOT_FOUND');
    expect(files()).toEqual(before);
  });

  it('runtime unreachable during a turn: HTTP 503 RUNTIME_UNAVAILABLE, retryable, nothing stored', async () => {
    const session = await startedSession(set);
    for (const script of [
      { kind: 'refuse', code: 'RUNTIME_UNAVAILABLE' },
      { kind: 'break', pieces: [] },
      { kind: 'break', pieces: ['{"npc_utterance":"Half'] },
    ] as const) {
      scriptTurns(gateway, script);
      const problem = await set.problem('POST', `/api/sessions/${session.id}/turn`, { text: 'Hello.' });
      expect([problem.status, problem.code, problem.retryable]).toEqual([503, 'RUNTIME_UNAVAILABLE', true]);
      expect(await sessionOf(set, session.id)).toEqual(session);
    }
  });

  it('runtime stalls past the read budget: HTTP 504 TURN_TIMEOUT, retryable, nothing stored', async () => {
    const session = await startedSession(set);
    scriptTurns(gateway, { kind: 'error', pieces: ['{"npc_utterance":"Half'], code: 'TURN_TIMEOUT' });
    const problem = await set.problem('POST', `/api/sessions/${session.id}/turn`, { text: 'Hello.' });
    expect([problem.status, problem.code, problem.retryable]).toEqual([504, 'TURN_TIMEOUT', true]);
    expect(await sessionOf(set, session.id)).toEqual(session);
  });

  it.each([
    ['does not parse', asText('As an assistant I will not say.')],
    ['is empty', asText('')],
    ['has no utterance', asText('{"npc_emotion":"neutral","state_delta":{"trust":5}}')],
    ['is an error of the model server', { kind: 'refuse', code: 'RUNTIME_ERROR' }],
    ['is an error in mid-stream', { kind: 'error', pieces: ['{"npc_ut'], code: 'RUNTIME_ERROR' }],
  ] as const)(
    'model output that %s: no HTTP error, the fallback utterance and used_fallback=true',
    async (_name, script) => {
      const session = await startedSession(set);
      scriptTurns(gateway, script);
      const { status, body } = await say(set, session.id, 'Hello.');
      expect([status, body.used_fallback]).toEqual([200, true]);
      expect(body.npc_turn).toMatchObject({ text: FALLBACK_UTTERANCE, used_fallback: true });
      expect(FALLBACK_UTTERANCE).toBe("I'm not sure what to say right now. Could you repeat that?");
      expect(body.session.state_vars).toEqual(session.state_vars);
      expect(body.session.turn_count).toBe(3);
    },
  );

  it('model proposes an unknown state variable: ignored, the rest applied, and logged at WARNING without text', async () => {
    const { id, state_vars } = await startedSession(set);
    scriptTurns(gateway, asTurn({ state_delta: { charisma: 9, patience: -3 }, npc_utterance: 'Quite quixotic.' }));
    const { body } = await say(set, id, 'Hello.');
    expect(body.session.state_vars).toEqual({ ...state_vars, patience: (state_vars['patience'] ?? 0) - 3 });
    const lines = await waitUntil('the log line', () => {
      const logs = filesUnder(set.folder.path).filter((file) => /session-api.*\.log$/.test(file));
      const text = logs.map((file) => readFileSync(path.join(set.folder.path, file), 'utf8')).join('');
      const mine = text.split('\n').filter((line) => line.includes(id) && line.includes('"level":"warn"'));
      return mine.length > 0 ? mine : null;
    });
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'warn', session_id: id, reason: 'unknown_variable' });
    expect(lines[0]).not.toContain('quixotic');
  });

  it('processing error over the WebSocket: an error message with code, message and optional details', async () => {
    const { id } = await startedSession(set);
    const socket = await set.socket(id);
    scriptTurns(gateway, { kind: 'error', pieces: [], code: 'TURN_TIMEOUT' });
    const { body } = await say(set, id, 'Hello.');
    const { payload } = await socket.next('error');
    expect(payload).toEqual({ code: 'TURN_TIMEOUT', message: body.detail });
    expect(socket.closeCode()).toBeNull();
  });
});

/** A model server that the gateway's local_server provider talks to, as slow or broken as a test wants. */
async function modelServer(answer: 'stalls' | 'fails' | 'is_loading'): Promise<{ server: Server; url: string }> {
  const server = createServer((request, response) => {
    if (request.url === '/health') response.end('{"status":"ok"}');
    else if (answer === 'fails') response.writeHead(500).end('{"error":{"message":"out of memory"}}');
    else if (answer === 'is_loading')
      response.writeHead(503).end('{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}');
    else if (request.url === '/v1/chat/completions') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"choices":[{"index":0,"delta":{"content":"{\\"npc_utterance\\":"}}]}\n\n');
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describe('Errors of a real model server, through the gateway', () => {
  it.each([
    ['stalls', 504, 'TURN_TIMEOUT'],
    ['is_loading', 503, 'RUNTIME_UNAVAILABLE'],
    ['fails', 200, undefined],
    ['is_gone', 503, 'RUNTIME_UNAVAILABLE'],
  ] as const)('a model server that %s makes a turn answer %s', async (what, status, code) => {
    const model = await modelServer(what === 'is_gone' ? 'stalls' : what);
    if (what === 'is_gone') model.server.close();
    const set = await startParleySet({
      environment: {
        SIM_RUNTIME_ID: 'local_server',
        SIM_LOCAL_SERVER_BASE_URL: model.url,
        SIM_LOCAL_SERVER_CHAT_TIMEOUT: '0.4',
      },
    });
    try {
      const session = await startedSession(set);
      const { body, ...reply } = await say(set, session.id, 'Hello.');
      expect([reply.status, body.code]).toEqual([status, code]);
      if (status === 200) expect(body.used_fallback).toBe(true);
      else {
        expect(body.retryable).toBe(true);
        expect(await sessionOf(set, session.id)).toEqual(session);
      }
      if (what === 'is_gone') {
        const models = await set.problem('GET', '/api/models');
        expect([models.status, models.code]).toEqual([503, 'RUNTIME_UNAVAILABLE']);
        await set.kill('runtime_gateway');
        const problem = await set.problem('POST', `/api/sessions/${session.id}/turn`, { text: 'Hello.' });
        expect([problem.status, problem.code]).toEqual([503, 'RUNTIME_UNAVAILABLE']);
        const sidecar = await set.problem('POST', '/api/sidecar/stop');
        expect([sidecar.code, sidecar.details]).toEqual(['SERVICE_UNAVAILABLE', { service: 'runtime_gateway' }]);
        expect(existsSync(set.folder.path)).toBe(true);
        expect(Object.keys(await storedRows(set))).toContain('turns');
      }
    } finally {
      await set.stop();
      model.server.closeAllConnections();
      model.server.close();
    }
  });
});
