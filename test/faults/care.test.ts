import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { EXIT_CONFIGURATION } from '@parley/shared/service';
import { readFindings } from '@parley/shared/store';
import { freePorts, temporaryFolder, waitUntil } from '@parley/shared/testing';
import { launch, PROJECT_ROOT, say, startedSession, startParleySet, SupervisedSet } from '../set';

/** Each test starts and stops real processes, perhaps on a busy machine. */
jest.setTimeout(240_000);

describe('npm run backup, npm run restore and npm start -- --new', () => {
  it('bring back what was played when the database is gone, and begin anew only when they are told to', async () => {
    const set = await SupervisedSet.forNewSet();
    const file = path.join(set.folder.path, 'parley-backup.zip');
    const ask = async (method: string, at: string, body?: object) => {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${set.url}${at}`, {
        method,
        ...(body ? { body: JSON.stringify(body), headers } : {}),
      });
      return { status: answer.status, body: (await answer.json()) as { id?: string; turns?: unknown[] } };
    };
    try {
      expect((await set.start()).code).toBe(0);
      const { id } = (await ask('POST', '/api/sessions', { scenario_id: 'the_ask' })).body;
      await ask('POST', `/api/sessions/${id}/start`);
      expect(
        (await ask('POST', `/api/sessions/${id}/turn`, { text: 'I would like to talk about my pay.' })).status,
      ).toBe(200);
      const backup = await set.run(['scripts/backup.cjs', '--as-built', file]);
      expect([backup.code, backup.stdout, backup.stderr]).toEqual([
        0,
        expect.stringMatching(/^Backed up 1 session and 0 drafts into .*schema \d+\)\.\n$/),
        '',
      ]);
      const before = (await ask('GET', `/api/sessions/${id}/transcript`)).body;
      const refused = await set.run(['scripts/restore.cjs', '--as-built', file]);
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/^Parley runs .* Run npm stop first/)]);
      expect((await set.stop()).code).toBe(0);

      rmSync(path.join(set.dataDir, 'parley.sqlite'));
      const missing = await set.start();
      expect([missing.code, missing.stderr]).toEqual([
        1,
        expect.stringMatching(
          /is missing although this data folder held one\. .*npm run restore -- FILE.*npm start -- --new/,
        ),
      ]);
      const anew = await set.run(['scripts/start.cjs', '--as-built', '--new']);
      expect([anew.code, anew.stderr]).toEqual([
        0,
        expect.stringMatching(/A new database is begun; the old one is in .*replaced-/),
      ]);
      expect((await ask('GET', `/api/sessions/${id}`)).status).toBe(404);
      expect((await set.stop()).code).toBe(0);

      const restored = await set.run(['scripts/restore.cjs', '--as-built', file]);
      expect([restored.code, restored.stdout]).toEqual([
        0,
        expect.stringMatching(/^Restored 1 session as they were at .* What was there before is in .*replaced-/),
      ]);
      expect((await set.start()).code).toBe(0);
      expect((await ask('GET', `/api/sessions/${id}/transcript`)).body).toEqual(before);
    } finally {
      await set.end();
    }
  });
});

describe('a data folder', () => {
  it('is used by one set: a process of another one is refused in one line', async () => {
    const set = await startParleySet();
    try {
      const [port] = await freePorts(1);
      const other = launch('session_api', {
        environment: { SIM_DATA_DIR: set.folder.path, SIM_API_PORT: String(port) },
      });
      expect([(await other.ended).code, other.output()]).toEqual([
        EXIT_CONFIGURATION,
        expect.stringMatching(
          /^session_api: Another Parley uses the data folder .* \(process \d+, port \d+\)\. Stop it [^\n]*\n$/,
        ),
      ]);
    } finally {
      await set.stop();
    }
  });

  it('that is deleted while Parley runs costs no word that was answered: the turn is refused, and health says why', async () => {
    const set = await startParleySet();
    try {
      const { id } = await startedSession(set);
      expect((await say(set, id, 'Before.')).status).toBe(200);
      rmSync(set.folder.path, { recursive: true });
      const problem = await set.problem('POST', `/api/sessions/${id}/turn`, { text: 'After.' });
      expect([problem.status, problem.details]).toEqual([503, { reason: 'database_gone' }]);
      expect(problem.detail).toMatch(/nothing of this was stored: put the data folder back/);
      const health = await set.ask('getHealth', {});
      expect([health.status, health.storage.status, health.storage.warnings[0]?.code]).toEqual([
        'degraded',
        'gone',
        'database_gone',
      ]);
    } finally {
      await set.stop();
    }
  });

  it('whose database was not closed in order is read through at the next start, by the built program, too', async () => {
    const set = await startParleySet();
    try {
      const { id } = await startedSession(set);
      expect((await say(set, id, 'Before.')).status).toBe(200);
      const services = [...set.processes.keys()];
      await Promise.all(services.map((service) => set.kill(service, 'SIGKILL')));
      const marks = () => readdirSync(set.folder.path).filter((name) => name.includes('.open-'));
      expect(marks()).toHaveLength(3);
      for (const service of services) await set.startProcess(service);
      const findings = path.join(set.folder.path, 'storage-findings.json');
      expect(existsSync(findings)).toBe(true);
      await waitUntil('the look', () => readFindings(set.folder.path)?.check === 'ok');
      expect((await set.ask('getHealth', {})).storage).toEqual({ status: 'ok', message: null, warnings: [] });
    } finally {
      await set.stop();
    }
  });
});

describe('a command whose reader has seen enough', () => {
  it('ends without a stack', async () => {
    const folder = temporaryFolder('reader');
    const child = spawn(process.execPath, ['scripts/doctor.cjs'], {
      cwd: PROJECT_ROOT,
      env: { ...process.env, SIM_DATA_DIR: folder.path },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
    child.stdout.destroy();
    await new Promise((resolve) => child.once('close', resolve));
    expect(stderr).not.toMatch(/EPIPE|\n {4}at /);
    folder.remove();
  });
});

it('npm run doctor and npm start say the same of a database system that Parley does not speak to', async () => {
  const folder = temporaryFolder('doctor');
  const environment = { SIM_DATA_DIR: folder.path, SIM_DATABASE_URL: 'mysql://localhost/parley', SIM_API_PORT: '0' };
  const started = launch('session_api', { environment });
  await started.ended;
  const sentence = started
    .output()
    .replace(/^session_api: /, '')
    .trim();
  expect(sentence).toMatch(/^SIM_DATABASE_URL begins with mysql:/);
  const { stdout } = spawnSync(process.execPath, ['scripts/doctor.cjs'], {
    cwd: PROJECT_ROOT,
    env: { ...process.env, SIM_DATA_DIR: folder.path, SIM_DATABASE_URL: environment.SIM_DATABASE_URL },
    encoding: 'utf8',
  });
  expect(stdout).toContain(`FAILED database: ${sentence}`);
  folder.remove();
});
