import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { silentLogger } from '@parley/shared/service';
import { openDatabase } from '@parley/shared/store';
import { scriptedGateway, temporaryFolder, waitUntil, type ScriptedGateway } from '@parley/shared/testing';
import {
  asText,
  bytesIn,
  EDQUOT,
  ENOSPC,
  inconsistencies,
  LONG_TALK,
  NARRATIVE,
  say,
  scriptTurns,
  sessionOf,
  smallDisk,
  startedSession,
  startParleySet,
  storedRows,
  transcriptOf,
  wantsNarrative,
  writeSamplePack,
  type ParleySet,
  type SmallDisk,
} from '../set';

const SENTENCE = /^The disk with the data folder is full and nothing of this was stored: free some space/;

describe('a full disk', () => {
  let gateway: ScriptedGateway;
  let disk: SmallDisk;
  let set: ParleySet;
  let folder: string;
  let pids: unknown[];

  const pidsOf = (): Promise<unknown[]> =>
    Promise.all(
      [...set.processes.keys()].map(
        async (service) => (await set.call('GET', '/readyz', undefined, { service })).body['pid'],
      ),
    );

  beforeAll(async () => {
    disk = smallDisk();
    gateway = await scriptedGateway();
    set = await startParleySet({ gatewayUrl: gateway.url, environment: disk.environment });
    folder = set.folder.path;
    // While it is being made, what it has taken so far is no measure of how full the disk is.
    await waitUntil('the ballast', () => existsSync(path.join(folder, 'ballast')));
    pids = await pidsOf();
  });
  beforeEach(() => scriptTurns(gateway));
  afterEach(() => disk.makeRoom());
  afterAll(async () => {
    await set.stop();
    await gateway.service.close();
    disk.remove();
  });

  /** Room for so many bytes more; what the database's log holds already is not room that could be written over. */
  async function leave(bytes: number, errno?: number): Promise<void> {
    const database = await openDatabase({ dataDir: folder, logger: silentLogger() });
    expect(await database.dialect.flushDeleted()).toBe(true);
    await database.close();
    disk.leave(folder, bytes, errno);
  }

  /** The request must fail with the one sentence for a full disk, and change nothing. */
  async function refusedForLackOfRoom(method: string, at: string, body?: unknown): Promise<void> {
    const before = await storedRows(set);
    const problem = await set.problem(method, at, body);
    expect([method, at, problem]).toEqual([
      method,
      at,
      expect.objectContaining({
        status: 503,
        code: 'SERVICE_UNAVAILABLE',
        retryable: true,
        detail: expect.stringMatching(SENTENCE),
        details: { reason: 'disk_full' },
      }),
    ]);
    expect(await storedRows(set)).toEqual(before);
  }

  it.each([
    ['there is no room left', ENOSPC],
    ['the share of the user is used up', EDQUOT],
  ])('stores no trace of a turn when %s, reads on, and plays the same turn once there is room', async (_why, errno) => {
    const { id } = await startedSession(set);
    expect((await say(set, id, 'A kingfisher came by.')).status).toBe(200);
    const socket = await set.socket(id);
    await socket.next('session.state');
    const before = await transcriptOf(set, id);
    const key = { 'idempotency-key': `turn-for-${errno}` };
    const rows = await storedRows(set);
    await leave(0, errno);
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      const refused = await say(set, id, 'And once more.', key);
      expect([refused.status, refused.body.detail]).toEqual([503, expect.stringMatching(SENTENCE)]);
      expect(refused.body).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryable: true });
    }
    const { payload } = await socket.next('error');
    expect(payload).toEqual({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringMatching(SENTENCE),
      details: { reason: 'disk_full' },
    });
    expect(await storedRows(set)).toEqual(rows);
    expect(await transcriptOf(set, id)).toEqual(before);
    expect((await set.ask('listSessions', { query: { q: 'kingfisher' } })).sessions.map((one) => one.id)).toContain(id);
    expect((await set.call('GET', `/api/sessions/${id}/export`)).status).toBe(200);
    expect((await set.call('GET', '/api/health')).status).toBe(200);
    expect((await set.call('GET', '/api/diag')).status).toBe(200);

    disk.makeRoom();
    const played = await say(set, id, 'And once more.', key);
    expect([played.status, played.body.player_turn.index]).toEqual([200, 4]);
    expect(await say(set, id, 'And once more.', key)).toMatchObject({ status: 200, body: played.body });
    expect(inconsistencies(await set.ask('exportSession', { params: { id } }))).toEqual([]);
    expect(await pidsOf()).toEqual(pids);
  });

  it('refuses everything else that would be stored with the same sentence, and does it once there is room', async () => {
    const open = await startedSession(set);
    expect((await say(set, open.id, 'Hello.')).status).toBe(200);
    const created = await set.ask('createSession', { body: { scenario_id: 'the_ask' } });
    const over = await startedSession(set);
    await set.ask('endSession', { params: { id: over.id } });
    const requests: [string, string, unknown?][] = [
      ['POST', '/api/sessions', { scenario_id: 'the_ask' }],
      ['POST', `/api/sessions/${created.id}/start`],
      ['POST', `/api/sessions/${open.id}/fork`, { turn: 1 }],
      ['POST', `/api/sessions/${open.id}/end`],
      ['POST', `/api/sessions/${over.id}/debrief`],
      ['PATCH', '/api/settings', { save_tts_cache: false }],
    ];
    await leave(0);
    for (const request of requests) await refusedForLackOfRoom(...request);
    expect((await sessionOf(set, over.id)).flow_state).toBe('Ended');
    disk.makeRoom();
    for (const [method, at, body] of requests) {
      const { status } = await set.call(method, at, body);
      expect([at, status < 300]).toEqual([at, true]);
    }
    expect(await pidsOf()).toEqual(pids);
  });

  it('writes a debrief that could not be stored as soon as there is room again', async () => {
    const { id } = await startedSession(set);
    expect((await say(set, id, 'What do you need by Friday?')).status).toBe(200);
    await set.ask('endSession', { params: { id } });
    let release = (): void => undefined;
    const until = new Promise<void>((resolve) => (release = resolve));
    scriptTurns(gateway, undefined, { kind: 'hang', pieces: [JSON.stringify(NARRATIVE)], until });
    const asked = gateway.requests.length;
    const begun = await set.call('POST', `/api/sessions/${id}/debrief`, undefined, {
      headers: { prefer: 'respond-async' },
    });
    expect(begun.status).toBe(202);
    await waitUntil('the narrative to be asked for', () => gateway.requests.slice(asked).some(wantsNarrative));
    const lost = async (): Promise<number> => {
      const { text } = await set.call('GET', '/metrics', undefined, { service: 'debrief_worker' });
      return text.split('\n').filter((line) => /outcome="lost"/.test(line) && !/ 0$/.test(line)).length;
    };
    const before = await lost();
    await leave(0);
    scriptTurns(gateway, undefined, asText(JSON.stringify(NARRATIVE)));
    release();
    await waitUntil('the worker to find the disk full', async () => (await lost()) > before);
    expect((await set.problem('GET', `/api/sessions/${id}/debrief`)).code).toBe('DEBRIEF_NOT_FOUND');
    disk.makeRoom();
    const debrief = await waitUntil('the debrief', async () => {
      const answer = await set.call('GET', `/api/sessions/${id}/debrief`);
      return answer.status === 200 ? answer.body : null;
    });
    expect(debrief).toMatchObject({ session_id: id, summary: NARRATIVE.summary });
    expect(await pidsOf()).toEqual(pids);
  });

  it('installs nothing of a pack, whether its files or its rows have no room, and all of it later', async () => {
    const source = temporaryFolder('pack');
    const pack = writeSamplePack(source.path);
    try {
      for (const room of [0, bytesIn(pack) + 2_000]) {
        await leave(room);
        await refusedForLackOfRoom('POST', '/api/packs/import', { path: pack });
        expect([room, readdirSync(path.join(folder, 'packs'))]).toEqual([room, []]);
        expect(readdirSync(path.join(folder, 'staging'))).toEqual([]);
      }
      expect((await set.call('GET', '/api/packs')).status).toBe(200);
      disk.makeRoom();
      expect((await set.call('POST', '/api/packs/import', { path: pack })).status).toBe(201);
      expect(existsSync(path.join(folder, 'packs', LONG_TALK, 'manifest.yaml'))).toBe(true);
      expect(await pidsOf()).toEqual(pids);
    } finally {
      source.remove();
    }
  });

  it('says so of an upload that does not fit, too', async () => {
    await leave(0);
    const boundary = 'parley-boundary';
    const body = Buffer.concat([
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="p.zip"\r\nContent-Type: application/zip\r\n\r\n`,
      ),
      Buffer.alloc(300_000, 'PK'),
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]);
    const problem = await set.problem('POST', '/api/packs/validate', body, {
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    });
    expect([problem.status, problem.detail]).toEqual([503, expect.stringMatching(SENTENCE)]);
    expect(readdirSync(path.join(folder, 'uploads'))).toEqual([]);
  });
});
