import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { ZipFile } from 'yazl';
import {
  Diagnostics,
  Health,
  ModelList,
  PackDetail,
  PackList,
  ScenarioDetail,
  ScenarioList,
  ScenarioVersions,
  SettingsAnswer,
  Sidecar,
} from '@parley/shared/contracts';
import { temporaryFolder, type TemporaryFolder } from '@parley/shared/testing';
import {
  BUILT_IN_IDS,
  LONG_TALK,
  PROJECT_ROOT,
  filesUnder,
  playthrough,
  say,
  sessionOf,
  startParleySet,
  startedSession,
  writeSamplePack,
  type ParleySet,
} from '../set';

async function zipOf(folder: string): Promise<Buffer> {
  const zip = new ZipFile();
  for (const file of filesUnder(folder)) zip.addBuffer(readFileSync(path.join(folder, file)), file);
  zip.end();
  const pieces: Buffer[] = [];
  for await (const piece of zip.outputStream) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

/** What the author of a built-in pack hides from players: goals, agenda and instructions. */
function hiddenTexts(pack: string): string[] {
  const read = (file: string): unknown => parse(readFileSync(path.join(PROJECT_ROOT, 'packs', pack, file), 'utf8'));
  const scenario = read(`scenarios/${pack}.yaml`) as {
    npc: { ref: string };
    goals: { hidden: string[] };
    events: { npc_instruction: string }[];
  };
  const npc = read(path.join('scenarios', scenario.npc.ref)) as { private_persona: { hidden_agenda: string[] } };
  return [
    ...scenario.goals.hidden,
    ...scenario.events.map((event) => event.npc_instruction),
    ...npc.private_persona.hidden_agenda,
  ];
}

const BOUNDARY = 'a-boundary-of-the-test';
const multipart = (name: string, content: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"; filename="../pack.zip"\r\nContent-Type: application/zip\r\n\r\n`,
    ),
    content,
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]);
const MULTIPART = { headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` } };

/** docs/interface.md, Routes and docs/interface.md, Settings, on the real set with the fake runtime. */
describe('Other path prefixes', () => {
  let set: ParleySet;
  let folder: TemporaryFolder;
  beforeAll(async () => {
    folder = temporaryFolder('prefixes');
    set = await startParleySet({ withUi: true });
  });
  afterAll(async () => {
    await set.stop();
    folder.remove();
  });

  it('/api/health: liveness, the health of the active runtime and the read-only privacy flags', async () => {
    const health = Health.strict().parse((await set.call('GET', '/api/health')).body);
    expect(health.runtime).toMatchObject({
      runtime_id: 'fake',
      status: 'READY',
      latency_ms: 0,
      model_id: 'fake-small',
    });
    expect(health.privacy).toEqual({ telemetry_enabled: false, save_transcripts: true, lan_access_enabled: false });
    expect(Object.values(health.services).map((one) => one.status)).toEqual(['ok', 'ok', 'ok']);
  });

  it('/api/health stays 200 and says degraded when a process or the runtime is away', async () => {
    await set.kill('runtime_gateway');
    for (let tries = 0; ; tries += 1) {
      const reply = await set.call<Health>('GET', '/api/health');
      expect(reply.status).toBe(200);
      // Probes are kept for two seconds.
      if (reply.body.status === 'degraded') {
        expect(reply.body.runtime).toMatchObject({ status: 'UNAVAILABLE', runtime_id: 'fake' });
        expect(reply.body.services.runtime_gateway.status).toBe('unavailable');
        break;
      }
      expect(tries).toBeLessThan(10_000);
    }
    await set.startProcess('runtime_gateway');
  });

  it('/api/settings: known preferences with their defaults, changed one by one, kept over a restart', async () => {
    const settings = async () => SettingsAnswer.strict().parse((await set.call('GET', '/api/settings')).body).settings;
    const defaults = {
      save_transcripts: true,
      save_raw_audio: false,
      save_tts_cache: true,
      relationship_memory_enabled: false,
      telemetry_enabled: false,
    };
    expect(await settings()).toEqual(defaults);
    const changed = await set.call('PATCH', '/api/settings', {
      save_tts_cache: false,
      relationship_memory_enabled: true,
    });
    expect(changed.body).toEqual({
      settings: { ...defaults, save_tts_cache: false, relationship_memory_enabled: true },
    });
    await set.kill('session_api', 'SIGKILL');
    await set.startProcess('session_api');
    expect(await settings()).toEqual({ ...defaults, save_tts_cache: false, relationship_memory_enabled: true });
    const readOnly = await set.problem('PATCH', '/api/settings', { telemetry_enabled: false, save_tts_cache: true });
    expect(readOnly.code).toBe('SETTING_READ_ONLY');
    for (const body of [{ save_tts_cache: 'yes' }, { unknown: true }, []])
      expect((await set.problem('PATCH', '/api/settings', body)).status).toBe(400);
    expect((await settings()).save_tts_cache).toBe(false);
    await set.call(
      'PATCH',
      '/api/settings',
      defaults.save_tts_cache ? { save_tts_cache: true, relationship_memory_enabled: false } : {},
    );
    expect(await settings()).toEqual(defaults);
  });

  it('/api/models: the models of the active runtime', async () => {
    const models = ModelList.strict().parse((await set.call('GET', '/api/models')).body);
    expect(models).toMatchObject({ runtime_id: 'fake', active_model_id: 'fake-small' });
    expect(models.models.map((one) => [one.id, one.context_length])).toEqual([
      ['fake-small', 4096],
      ['fake-large', 32768],
    ]);
    const install = await set.problem('POST', '/api/models/install', { pull: 'anything' });
    expect([install.status, install.code]).toEqual([409, 'NOT_SUPPORTED_BY_RUNTIME']);
    expect((await set.call('GET', '/api/models/installs')).body).toEqual({ installs: [] });
    expect((await set.problem('GET', '/api/models/installs/none')).code).toBe('NOT_FOUND');
  });

  it('/api/packs: built-in packs, and import by upload, by folder and by local zip', async () => {
    const packs = PackList.strict().parse((await set.call('GET', '/api/packs')).body).packs;
    expect(packs.map((one) => [one.pack_id, one.built_in, one.scenario_count]).sort()).toEqual(
      BUILT_IN_IDS.map((id) => [id, true, 1]),
    );
    const source = writeSamplePack(path.join(folder.path, 'sample'));
    const zip = await zipOf(source);
    const checked = await set.call('POST', '/api/packs/validate', multipart('file', zip), MULTIPART);
    expect([checked.status, checked.body['valid']]).toEqual([200, true]);
    expect((await set.problem('GET', `/api/packs/${LONG_TALK}`)).code).toBe('PACK_NOT_FOUND');
    const misnamed = await set.problem('POST', '/api/packs/import', multipart('pack', zip), MULTIPART);
    expect([misnamed.status, misnamed.code]).toEqual([400, 'VALIDATION_ERROR']);
    const broken = await set.problem('POST', '/api/packs/import', multipart('file', zip.subarray(0, 500)), MULTIPART);
    expect([broken.status, broken.code]).toEqual([422, 'PACK_INVALID']);
    const imported = await set.call<{ pack: object }>('POST', '/api/packs/import', multipart('file', zip), MULTIPART);
    expect([imported.status, imported.body.pack]).toMatchObject([
      201,
      { pack_id: LONG_TALK, built_in: false, version: '1.2.3' },
    ]);
    const detail = PackDetail.strict().parse((await set.call('GET', `/api/packs/${LONG_TALK}`)).body);
    expect(detail).toMatchObject({ scenarios: [{ id: LONG_TALK }], npcs: [{ id: 'kim', name: 'Kim' }] });
    const { id } = await startedSession(set, LONG_TALK);
    await set.kill('pack_service', 'SIGKILL');
    await set.startProcess('pack_service');
    expect((await say(set, id, 'Hello.')).status).toBe(200);
    await set.call('DELETE', `/api/sessions/${id}`);
    expect((await set.call('DELETE', `/api/packs/${LONG_TALK}`)).status).toBe(204);
    expect(filesUnder(set.folder.path).filter((file) => /kim\.yaml|upload|staging/.test(file))).toEqual([]);
  });

  it('/api/packs/{pack_id}/assets: typed, sandboxed, and never outside of the pack', async () => {
    const asset = await set.call('GET', '/api/packs/the_ask/assets/portraits/neutral.svg');
    expect([asset.status, asset.headers['content-type']]).toEqual([200, 'image/svg+xml']);
    expect(asset.headers['x-content-type-options']).toBe('nosniff');
    expect(String(asset.headers['content-security-policy'])).toMatch(
      /default-src 'none'.*sandbox|sandbox.*default-src 'none'/,
    );
    for (const path of [
      '../manifest.yaml',
      '..%2fmanifest.yaml',
      '%2e%2e/manifest.yaml',
      'portraits/../../manifest.yaml',
      '/etc/passwd',
      'portraits',
      'portraits/none.svg',
      'portraits%00.svg',
      '..%5cmanifest.yaml',
    ])
      expect([path, (await set.call('GET', `/api/packs/the_ask/assets/${path}`)).status]).toEqual([path, 404]);
  });

  it('/api/scenarios: the catalogue, a briefing without what its author hides, and versions', async () => {
    const { scenarios } = ScenarioList.strict().parse((await set.call('GET', '/api/scenarios')).body);
    expect(scenarios.map((one) => one.id).sort()).toEqual(BUILT_IN_IDS);
    for (const { id, npc } of scenarios) {
      const reply = await set.call('GET', `/api/scenarios/${id}`);
      const detail = ScenarioDetail.parse(reply.body);
      expect(detail.difficulties.map((one) => one.id)).toEqual(['warm', 'standard', 'hard', 'adversarial']);
      expect(detail.variables.find((one) => one.name === 'pressure')).toMatchObject({
        visibility: 'hidden',
        min: 0,
        max: 100,
      });
      for (const text of hiddenTexts(id)) expect(reply.text).not.toContain(JSON.stringify(text).slice(1, -1));
      const versions = ScenarioVersions.parse((await set.call('GET', `/api/scenarios/${id}/versions`)).body);
      expect(versions.versions).toHaveLength(1);
      const portrait = await set.call('GET', npc.portrait_url ?? '');
      expect([portrait.status, String(portrait.headers['content-type'])]).toEqual([200, 'image/svg+xml']);
    }
  });

  it('what an author hides is in no answer that a player gets, from the opening to the export', async () => {
    for (const scenario of BUILT_IN_IDS) {
      const { id } = await startedSession(set, scenario);
      const socket = await set.socket(id, { query: '?after_seq=0' });
      const answers: string[] = [];
      for (const line of playthrough(scenario, 'skilled')) answers.push((await say(set, id, line)).text);
      await set.call('POST', `/api/sessions/${id}/end`);
      for (const operation of ['', '/transcript', '/events', '/export'])
        answers.push((await set.call('GET', `/api/sessions/${id}${operation}`)).text);
      answers.push((await set.call('POST', `/api/sessions/${id}/debrief`)).text);
      answers.push((await set.call('GET', `/api/packs/${scenario}`)).text, JSON.stringify(socket.messages));
      const hidden = hiddenTexts(scenario);
      expect(hidden.length).toBeGreaterThan(5);
      for (const text of hidden)
        expect(answers.filter((one) => one.includes(JSON.stringify(text).slice(1, -1)))).toEqual([]);
    }
  });

  it('/api/stt: reserved', async () => {
    expect((await set.call('GET', '/api/stt')).body).toEqual({ available: false, status: 'reserved' });
    expect((await set.problem('POST', '/api/stt/start', {})).status).toBe(501);
  });

  it('/api/sidecar: the state of the local model server process, which does not run', async () => {
    const sidecar = Sidecar.strict().parse((await set.call('GET', '/api/sidecar')).body);
    expect(sidecar).toMatchObject({ status: 'stopped', pid: null, started_at: null });
    expect((await set.call('GET', '/api/sidecar/log')).body).toEqual({ lines: [] });
    expect((await set.call('POST', '/api/sidecar/stop')).status).toBe(200);
  });

  it('/api/diag: what a bug report needs, and a zip of it', async () => {
    // Each process remembers its own errors, and the next one may be asked for them.
    for (const _ of set.instancesOf('session_api')) await set.problem('GET', '/api/nothing');
    const diagnostics = Diagnostics.strict().parse((await set.call('GET', '/api/diag')).body);
    const pids = Object.fromEntries(diagnostics.processes.map((one) => [one.name, one.pid]));
    for (const service of set.processes.keys())
      expect([service, set.instancesOf(service).map(({ pid }) => pid)]).toEqual([
        service,
        expect.arrayContaining([pids[service]]),
      ]);
    expect(diagnostics.ports).toMatchObject({ ui: set.portOf('ui') });
    expect(set.portsOf('session_api')).toContain(diagnostics.ports.session_api);
    expect(diagnostics.recent_errors.map((one) => one.code)).toContain('NOT_FOUND');
    const bundle = await set.call('GET', '/api/diag/bundle');
    expect([bundle.status, bundle.headers['content-type'], bundle.text.slice(0, 2)]).toEqual([
      200,
      'application/zip',
      'PK',
    ]);
  });

  it('the page is served by its own process, which names the API and nothing beyond this machine', async () => {
    const page = await set.call('GET', '/', undefined, { service: 'ui' });
    expect([page.status, String(page.headers['content-type'])]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain(`http://127.0.0.1:${set.portOf('session_api')}`);
    expect(page.text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  });

  it('a session keeps the version of its scenario over an update of the pack', async () => {
    const source = writeSamplePack(path.join(folder.path, 'one'));
    await set.ask('importPack', { body: { path: source } });
    const old = await startedSession(set, LONG_TALK);
    await set.call('POST', `/api/sessions/${old.id}/end`);
    await set.call('DELETE', `/api/packs/${LONG_TALK}`);
    const changed = readFileSync(path.join(source, 'scenarios/talk.yaml'), 'utf8').replace('"Yes?"', '"What now?"');
    await set.ask('importPack', {
      body: { path: writeSamplePack(path.join(folder.path, 'two'), { 'scenarios/talk.yaml': changed }) },
    });
    const { id, scenario_version } = await startedSession(set, LONG_TALK);
    expect([old.scenario_version, scenario_version]).toEqual([1, 2]);
    const opening = async (session: string): Promise<unknown> =>
      (await set.ask('getTranscript', { params: { id: session } })).turns[0]?.text;
    expect([await opening(old.id), await opening(id)]).toEqual(['Yes?', 'What now?']);
    const fork = await set.ask('forkSession', { params: { id: old.id }, body: { turn: 1 } });
    expect([fork.scenario_version, (await say(set, fork.id, 'Hello.')).status]).toEqual([1, 200]);
    expect((await sessionOf(set, fork.id)).scenario_version).toBe(1);
  });
});
