import { spawnSync } from 'node:child_process';
import path from 'node:path';
import type { ServiceName } from '@parley/shared/contracts';
import {
  describeWithPostgres,
  freePorts,
  POSTGRES_PASSWORD,
  startPostgresServer,
  temporaryFolder,
  waitUntil,
  type PostgresServer,
} from '@parley/shared/testing';
import {
  createSession,
  debriefFor,
  endedSession,
  filesWith,
  launch,
  PROJECT_ROOT,
  say,
  sessionOf,
  startedSession,
  startParleySet,
  transcriptOf,
  type ParleySet,
} from '../set';

const SERVICES: readonly ServiceName[] = ['session_api', 'debrief_worker', 'pack_service'];
/** Words that nothing else says. */
const SAID = 'The kingfisher settles quincunxially upon the weir.';
const UNSAVED = 'Vuvuzelas obnubilate the xylothek.';

describeWithPostgres('a set on PostgreSQL', () => {
  let server: PostgresServer;
  let url: string;
  let set: ParleySet;
  const pids = (): (number | undefined)[] => SERVICES.map((service) => set.processes.get(service)?.pid);
  beforeAll(async () => {
    server = await startPostgresServer();
    url = await server.createDatabase();
    set = await startParleySet({ environment: { SIM_DATABASE_URL: url, SIM_FAKE_WORD_DELAY_MS: '15' } });
  });
  afterAll(async () => {
    await set.stop();
    await server.remove();
  });

  /** Every row of every table, as text. */
  const everyRow = async (): Promise<string> => {
    const database = path.basename(new URL(url).pathname);
    const tables = await server.ask("select tablename from pg_tables where schemaname = 'public'", database);
    const rows = await Promise.all(
      tables.map(({ tablename }) => server.ask(`select t::text from "${String(tablename)}" t`, database)),
    );
    return JSON.stringify(rows);
  };
  const script = (name: string, ...words: string[]) =>
    spawnSync(process.execPath, [path.join('scripts', name), ...words], {
      cwd: PROJECT_ROOT,
      env: { ...process.env, SIM_DATA_DIR: set.folder.path, SIM_DATABASE_URL: url },
      encoding: 'utf8',
    });

  it('plays, ends, debriefs, lists, finds and deletes', async () => {
    const { id } = await startedSession(set);
    expect((await say(set, id, SAID)).status).toBe(200);
    expect((await say(set, id, 'And what comes of it?')).status).toBe(200);
    expect((await transcriptOf(set, id)).turns.map(({ index }) => index)).toEqual([1, 2, 3, 4, 5]);
    await set.ask('endSession', { params: { id } });
    expect((await debriefFor(set, id)).session_id).toBe(id);
    expect((await sessionOf(set, id)).flow_state).toBe('DebriefReady');
    const found = async (q: string) => (await set.ask('listSessions', { query: { q } })).sessions.map((one) => one.id);
    expect(await found('KINGFISHER weir.')).toEqual([id]);
    expect(await found('kingfish')).toEqual([]);
    expect((await set.ask('getProgress', { query: {} })).scenarios).toHaveLength(1);
    expect(await everyRow()).toContain('quincunxially');
    await set.ask('deleteSession', { params: { id } });
    expect(await found('kingfisher')).toEqual([]);
    expect(await everyRow()).not.toContain('quincunxially');
  });

  it('keeps the words of a session that is not saved in no row', async () => {
    await set.ask('patchSettings', { body: { save_transcripts: false } });
    const { id } = await startedSession(set);
    expect((await say(set, id, UNSAVED)).status).toBe(200);
    await set.ask('endSession', { params: { id } });
    await debriefFor(set, id);
    expect(await everyRow()).not.toMatch(/obnubilate|xylothek/i);
    await set.ask('patchSettings', { body: { save_transcripts: true } });
  });

  it('tells in diagnostics what it is, and the doctor, backup and restore say the same', async () => {
    const label = `postgres://parley@127.0.0.1:${server.port}${new URL(url).pathname}`;
    const diagnostics = await set.ask('getDiagnostics', {});
    expect(diagnostics.versions['database']).toMatch(/^PostgreSQL \d/);
    expect(diagnostics.paths['database']).toBe(label);
    expect(diagnostics.database_bytes).toBeGreaterThan(1_000_000);
    expect([diagnostics.log_bytes, diagnostics.warnings]).toEqual([0, []]);
    expect(script('doctor.cjs').stdout).toMatch(new RegExp(`ok +database: ${label} answers, PostgreSQL \\d`));
    const anew = script('start.cjs', '--as-built', '--new');
    expect([anew.status, anew.stderr]).toEqual([
      1,
      expect.stringContaining(`${label} is kept by PostgreSQL, and nothing was`),
    ]);
    const told = new RegExp(`${label} is kept by PostgreSQL: save it with pg_dump --format=custom`);
    const backup = script('backup.cjs', '--as-built', path.join(set.folder.path, 'one.zip'));
    expect([backup.status, backup.stderr]).toEqual([1, expect.stringMatching(told)]);
    const restore = script('restore.cjs', '--as-built', path.join(PROJECT_ROOT, 'package.json'));
    expect([restore.status, restore.stderr]).toEqual([1, expect.stringMatching(told)]);
  });

  it('refuses a second session-api on the same database in one sentence', async () => {
    const other = temporaryFolder('second');
    const [port = 0] = await freePorts(1);
    const second = launch('session_api', {
      environment: { SIM_DATA_DIR: other.path, SIM_DATABASE_URL: url, SIM_API_PORT: String(port) },
    });
    expect((await second.ended).code).not.toBe(0);
    expect(second.output()).toMatch(
      /^session_api: Another session-api uses postgres:\/\/parley@\S+: only one can, .*Stop the other one, then start again\.\n$/,
    );
    other.remove();
    const { id } = await startedSession(set);
    expect((await say(set, id, 'It goes on.')).status).toBe(200);
  });

  it('loses nothing when session-api is killed in the middle of a turn, and answers the repeat once', async () => {
    const { id } = await startedSession(set);
    expect((await say(set, id, 'Before.')).status).toBe(200);
    const key = { 'idempotency-key': 'the-turn-that-is-killed' };
    const torn = say(set, id, 'In the middle.', key).then(
      () => 'answered',
      () => 'torn',
    );
    await waitUntil('the turn to be under way', async () => {
      const { text } = await set.call('GET', '/metrics', undefined, { service: 'runtime_gateway' });
      return text.includes('parley_generation_slots{state="running",service="runtime_gateway"} 1');
    });
    await set.kill('session_api');
    expect(await torn).toBe('torn');
    await set.startProcess('session_api');
    const [first, again] = [await say(set, id, 'In the middle.', key), await say(set, id, 'In the middle.', key)];
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.body).toEqual(first.body);
    expect((await transcriptOf(set, id)).turns).toHaveLength(5);
  });

  it('says that the server is gone while it is, and goes on by itself when it is back', async () => {
    const before = pids();
    const { id } = await startedSession(set);
    const { id: ended } = await endedSession(set);
    await server.stop();
    const health = await waitUntil('health to say it', async () => {
      const answer = await set.ask('getHealth', {});
      return answer.storage.status === 'gone' ? answer : null;
    });
    expect([health.status, health.storage.message]).toEqual([
      'degraded',
      'PostgreSQL does not answer: start it, or see to the network between; Parley goes on by itself as soon as it answers.',
    ]);
    const problem = await set.problem('POST', `/api/sessions/${id}/turn`, { text: 'Is anybody there?' });
    expect([problem.status, problem.code, problem.details]).toEqual([
      503,
      'SERVICE_UNAVAILABLE',
      { reason: 'server_unreachable' },
    ]);
    expect(problem.detail).toMatch(/^PostgreSQL does not answer, and nothing of this was stored: start it/);
    for (const [method, place] of [
      ['POST', `/api/sessions/${ended}/debrief`],
      ['GET', '/api/sessions'],
      ['GET', '/api/packs'],
    ] as const)
      expect([place, (await set.problem(method, place)).status]).toEqual([place, 503]);
    await server.start();
    await waitUntil('the turn to be answered', async () => (await say(set, id, 'There you are.')).status === 200);
    expect((await transcriptOf(set, id)).turns).toHaveLength(3);
    expect((await set.ask('getHealth', {})).storage).toEqual({ status: 'ok', message: null, warnings: [] });
    expect((await debriefFor(set, ended)).session_id).toBe(ended);
    await createSession(set);
    expect(pids()).toEqual(before);
  });

  it('writes its password nowhere', async () => {
    const word = POSTGRES_PASSWORD.slice(-11);
    expect(filesWith(set.folder.path, [word, encodeURIComponent(POSTGRES_PASSWORD).slice(-12)])).toEqual([]);
    for (const one of set.processes.values()) expect(one.output()).not.toContain(word);
    expect(JSON.stringify(await set.ask('getDiagnostics', {}))).not.toContain(word);
  });
});
