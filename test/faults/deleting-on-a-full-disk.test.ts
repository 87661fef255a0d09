import { existsSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Diagnostics } from '@parley/shared/contracts';
import { silentLogger } from '@parley/shared/service';
import { appendTurns, BALLAST_BYTES, openDatabase, type NewTurn } from '@parley/shared/store';
import { scriptedGateway, waitUntil, type ScriptedGateway } from '@parley/shared/testing';
import {
  asTurn,
  filesWith,
  say,
  scriptTurns,
  sessionOf,
  smallDisk,
  startedSession,
  startParleySet,
  storedRows,
  type ParleySet,
  type SmallDisk,
} from '../set';

describe('deleting on a full disk', () => {
  let gateway: ScriptedGateway;
  let disk: SmallDisk;
  let set: ParleySet;
  let folder: string;
  let ballast: string;

  beforeEach(async () => {
    disk = smallDisk();
    gateway = await scriptedGateway();
    scriptTurns(gateway, asTurn({ npc_utterance: 'qzxanswerbittern '.repeat(40).trim() }));
    set = await startParleySet({ gatewayUrl: gateway.url, environment: disk.environment });
    folder = set.folder.path;
    ballast = path.join(folder, 'ballast');
    await waitUntil('the ballast', () => existsSync(ballast));
  });
  afterEach(async () => {
    disk.makeRoom();
    await set.stop();
    await gateway.service.close();
    disk.remove();
  });

  /** A session with text in every place. */
  async function play(turns = 3): Promise<string> {
    const { id } = await startedSession(set);
    for (let turn = 1; turn <= turns; turn += 1)
      expect((await say(set, id, `qzxwordsbittern ${turn}`)).status).toBe(200);
    return id;
  }

  /** No room for a byte more: the log of the database is emptied first, so that it cannot write over what it had. */
  async function fillDisk(): Promise<void> {
    const database = await openDatabase({ dataDir: folder, logger: silentLogger() });
    expect(await database.dialect.flushDeleted()).toBe(true);
    await database.close();
    disk.leave(folder, 0);
  }

  const diagnostics = async (): Promise<Diagnostics> => set.ask('getDiagnostics', {});

  it('keeps room aside that is really taken from the disk, for its owner alone', async () => {
    const { size, blocks, mode } = statSync(ballast);
    expect(size).toBe(BALLAST_BYTES);
    expect(blocks * 512).toBeGreaterThanOrEqual(BALLAST_BYTES);
    expect(mode & 0o777).toBe(0o600);
    expect(existsSync(`${ballast}.part`)).toBe(false);
    expect((await diagnostics()).warnings).toEqual([]);
  });

  it('deletes a session with the room of the ballast, plays on in what is left of it, and keeps new room aside later', async () => {
    const [gone, kept] = [await play(), await play()];
    await fillDisk();
    expect((await say(set, kept, 'qzxwordsbittern 4')).status).toBe(503);
    expect(existsSync(ballast)).toBe(true);
    expect((await set.call('DELETE', `/api/sessions/${gone}`)).status).toBe(204);
    expect(existsSync(ballast)).toBe(false);
    expect((await set.problem('GET', `/api/sessions/${gone}`)).code).toBe('SESSION_NOT_FOUND');
    expect((await say(set, kept, 'qzxwordsbittern 4')).status).toBe(200);
    expect((await diagnostics()).warnings).toEqual([
      { code: 'disk_nearly_full', message: expect.stringMatching(/free some space/) },
    ]);
    disk.makeRoom();
    const third = await play(1);
    expect((await set.call('DELETE', `/api/sessions/${third}`)).status).toBe(204);
    await waitUntil('new ballast', () => existsSync(ballast));
    expect(statSync(ballast).size).toBe(BALLAST_BYTES);
    expect((await diagnostics()).warnings).toEqual([]);
    expect((await sessionOf(set, kept)).player_turn_count).toBe(4);
  });

  it('clears everything on a full disk, not a word of it left, though all of it together is larger than the ballast', async () => {
    const ids = [];
    for (let at = 0; at < 8; at += 1) ids.push(await play(1));
    const database = await openDatabase({ dataDir: folder, logger: silentLogger() });
    const long = (index: number): NewTurn => ({
      turn_index: index,
      role: index % 2 === 1 ? 'npc' : 'player',
      text: 'qzxlongbittern and more of it '.repeat(4_000),
      emotion: null,
      used_fallback: false,
      raw_output: null,
      observations: null,
      judgement: null,
      created_at: '2026-03-04T05:06:07.000Z',
    });
    for (const id of ids)
      await database.write((transaction) =>
        appendTurns(
          transaction,
          id,
          Array.from({ length: 16 }, (_unused, at) => long(100 + at)),
        ),
      );
    await database.close();
    expect(
      statSync(path.join(folder, 'parley.sqlite')).size + statSync(path.join(folder, 'parley.sqlite-wal')).size,
    ).toBeGreaterThan(1.5 * BALLAST_BYTES);
    await fillDisk();
    const cleared = await set.call('POST', '/api/privacy/clear', {});
    expect([cleared.status, cleared.body]).toEqual([
      200,
      { deleted: expect.objectContaining({ sessions: 8, turns: 8 * 19 }) },
    ]);
    const rows = await storedRows(set);
    expect([rows['sessions'], rows['turns'], rows['events']]).toEqual([[], [], []]);
    expect(filesWith(folder, ['qzxlongbittern', 'qzxwordsbittern', 'qzxanswerbittern'])).toEqual([]);
    expect((await play()).length).toBeGreaterThan(0);
  });

  it('says that the disk is full where there is no ballast either, deletes nothing, and does once there is room', async () => {
    const id = await play();
    rmSync(ballast);
    await fillDisk();
    const problem = await set.problem('DELETE', `/api/sessions/${id}`);
    expect([problem.status, problem.details]).toEqual([503, { reason: 'disk_full' }]);
    expect((await sessionOf(set, id)).player_turn_count).toBe(3);
    disk.makeRoom();
    expect((await set.call('DELETE', `/api/sessions/${id}`)).status).toBe(204);
  });

  it('starts on a full disk with the room of the ballast', async () => {
    const id = await play();
    for (const service of set.processes.keys()) await set.kill(service, 'SIGTERM');
    disk.leave(folder, 0);
    for (const service of ['pack_service', 'session_api', 'debrief_worker'] as const) await set.startProcess(service);
    expect(existsSync(ballast)).toBe(false);
    expect((await set.call('DELETE', `/api/sessions/${id}`)).status).toBe(204);
  });
});
