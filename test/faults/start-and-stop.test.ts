import { rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  npcTurnJson,
  freePorts,
  scriptedGateway,
  temporaryFolder,
  waitUntil,
  type TemporaryFolder,
} from '@parley/shared/testing';
import { PORT_VARIABLES, EXIT_CONFIGURATION, EXIT_TEMPORARY } from '@parley/shared/service';
import type { ServiceName } from '@parley/shared/contracts';
import {
  NARRATIVE,
  asTurn,
  endedSession,
  inconsistencies,
  launch,
  rawRequest,
  say,
  scriptTurns,
  sessionOf,
  startParleySet,
  startedSession,
} from '../set';

const SERVICES = Object.keys(PORT_VARIABLES) as ServiceName[];
/** Those that keep data. */
const WITH_DATABASE: readonly ServiceName[] = ['session_api', 'pack_service', 'debrief_worker'];

describe('a start that only a person can mend ends at once with one line and exit code 78', () => {
  let folder: TemporaryFolder;
  beforeEach(() => {
    folder = temporaryFolder('start');
  });
  afterEach(() => folder.remove());

  async function refusal(service: ServiceName, environment: Record<string, string>): Promise<string> {
    const ports = await freePorts(SERVICES.length);
    const one = launch(service, {
      environment: {
        SIM_DATA_DIR: folder.path,
        ...Object.fromEntries(SERVICES.map((name, at) => [PORT_VARIABLES[name], String(ports[at])])),
        ...environment,
      },
    });
    const end = await one.ended;
    expect([end.code, one.output()]).toEqual([EXIT_CONFIGURATION, expect.stringMatching(/^[^\n]+\n$/)]);
    return one.output();
  }

  it.each(SERVICES)('%s names the variable, the value and what is allowed', async (service) => {
    expect(await refusal(service, { SIM_LOG_LEVEL: 'loud' })).toMatch(/SIM_LOG_LEVEL.*"loud".*trace/);
    expect(await refusal(service, { [PORT_VARIABLES[service]]: '70000' })).toMatch(
      new RegExp(`${PORT_VARIABLES[service]}.*"70000".*65535`),
    );
    expect(await refusal(service, { SIM_LAN_ACCESS_ENABLED: 'perhaps' })).toMatch(
      /SIM_LAN_ACCESS_ENABLED.*"perhaps".*true or false/,
    );
  });

  it('session_api names an origin that no browser sends', async () => {
    expect(await refusal('session_api', { SIM_ALLOWED_ORIGINS: 'https://practice.example/' })).toMatch(
      /SIM_ALLOWED_ORIGINS.*"https:\/\/practice\.example\/".*exactly as a browser sends it/,
    );
  });

  it.each(SERVICES)('%s names the taken port and its variable', async (service) => {
    const gateway = await scriptedGateway();
    const line = await refusal(service, { [PORT_VARIABLES[service]]: String(gateway.service.port) });
    expect(line).toContain(String(gateway.service.port));
    expect(line).toContain(PORT_VARIABLES[service]);
    await gateway.service.close();
  });

  it.each(SERVICES)('%s names the data folder that cannot be written', async (service) => {
    const file = path.join(folder.path, 'a-file');
    writeFileSync(file, '');
    expect(await refusal(service, { SIM_DATA_DIR: path.join(file, 'data') })).toMatch(/SIM_DATA_DIR/);
  });

  it('is tried again by the supervisor when it ran before and its cause may pass, but not for a wrong variable', async () => {
    const again = async (environment: Record<string, string>): Promise<[number | null, string]> => {
      const one = launch('pack_service', {
        environment: { SIM_DATA_DIR: folder.path, restart_time: '1', ...environment },
      });
      return [(await one.ended).code, one.output()];
    };
    const gateway = await scriptedGateway();
    const port = String(gateway.service.port);
    expect(await again({ SIM_PACKS_PORT: port })).toEqual([EXIT_TEMPORARY, expect.stringContaining(port)]);
    await gateway.service.close();
    const file = path.join(folder.path, 'a-file');
    writeFileSync(file, '');
    const [code] = await again({ SIM_PACKS_PORT: '0', SIM_DATA_DIR: path.join(file, 'data') });
    expect(code).toBe(EXIT_TEMPORARY);
    expect((await again({ SIM_PACKS_PORT: '70000' }))[0]).toBe(EXIT_CONFIGURATION);
  });

  it.each(WITH_DATABASE)('%s keeps a damaged or emptied database as it is and says what to do', async (service) => {
    const set = await startParleySet();
    try {
      for (const one of set.processes.keys()) await set.kill(one, 'SIGTERM');
      const file = path.join(set.folder.path, 'parley.sqlite');
      const environment = { SIM_DATA_DIR: set.folder.path };
      for (const companion of ['-wal', '-shm']) rmSync(file + companion, { force: true });
      truncateSync(file, 0);
      expect(await refusal(service, environment)).toContain('parley.sqlite');
      expect(statSync(file).size).toBe(0);
      writeFileSync(file, 'This is no database at all. '.repeat(400));
      const size = statSync(file).size;
      expect(await refusal(service, environment)).toContain('parley.sqlite');
      expect(statSync(file).size).toBe(size);
    } finally {
      await set.stop();
    }
  });
});

describe('a stop', () => {
  it('ends every process with exit code 0, its sockets with 1001, and leaves no port open', async () => {
    const set = await startParleySet({ withUi: true });
    const { id } = await startedSession(set);
    const socket = await set.socket(id);
    for (const service of set.processes.keys()) {
      expect([service, await set.kill(service, 'SIGTERM')]).toEqual([service, { code: 0, signal: null }]);
      await expect(rawRequest(set.portOf(service), ['GET /livez HTTP/1.1'])).rejects.toMatchObject({
        code: 'ECONNREFUSED',
      });
    }
    expect(await socket.closed()).toBe(1001);
    await set.stop();
  });

  it('lets a running turn finish, and its answer is stored', async () => {
    const gateway = await scriptedGateway();
    const set = await startParleySet({ gatewayUrl: gateway.url });
    try {
      const { id } = await startedSession(set);
      let release = (): void => undefined;
      const until = new Promise<void>((resolve) => (release = resolve));
      scriptTurns(gateway, { kind: 'hang', pieces: [npcTurnJson()], until });
      const turn = say(set, id, 'Hello.');
      await waitUntil('the model to be asked', () => gateway.requests.length > 0);
      const stopped = set.kill('session_api', 'SIGTERM');
      await waitUntil('the port to close', () =>
        set.call('GET', '/livez').then(
          () => false,
          () => true,
        ),
      );
      release();
      expect((await turn).status).toBe(200);
      expect(await stopped).toEqual({ code: 0, signal: null });
      await set.startProcess('session_api');
      expect((await sessionOf(set, id)).turn_count).toBe(3);
    } finally {
      await set.stop();
      await gateway.service.close();
    }
  });

  it('aborts a turn that does not end in time without a trace, and a debrief in the making arrives after the next start', async () => {
    const gateway = await scriptedGateway();
    const set = await startParleySet({ gatewayUrl: gateway.url });
    try {
      const { id } = await startedSession(set);
      const ended = await endedSession(set, 3);
      let release = (): void => undefined;
      const until = new Promise<void>((resolve) => (release = resolve));
      scriptTurns(
        gateway,
        { kind: 'hang', pieces: ['{"npc_utterance":"One'] },
        { kind: 'hang', pieces: [JSON.stringify(NARRATIVE)], until },
      );
      const headers = { prefer: 'respond-async' };
      const before = gateway.requests.length;
      await set.call('POST', `/api/sessions/${ended.id}/debrief`, undefined, { headers });
      const turn = say(set, id, 'Hello.').then(
        (reply) => reply.status,
        () => 0,
      );
      await waitUntil('both generations', () => gateway.requests.length === before + 2);
      expect(await set.kill('session_api', 'SIGTERM')).toEqual({ code: 0, signal: null });
      expect(await turn).not.toBe(200);
      expect(await set.kill('debrief_worker', 'SIGTERM')).toEqual({ code: 0, signal: null });
      release();
      scriptTurns(gateway, asTurn());
      await set.startProcess('session_api');
      await set.startProcess('debrief_worker');
      expect(await sessionOf(set, id)).toMatchObject({ turn_count: 1, flow_state: 'PlayerTurnListening' });
      expect((await set.call('POST', `/api/sessions/${ended.id}/debrief`)).status).toBe(200);
      for (const session of [id, ended.id])
        expect(inconsistencies(await set.ask('exportSession', { params: { id: session } }))).toEqual([]);
    } finally {
      await set.stop();
      await gateway.service.close();
    }
  });
});
