import type { ServiceName } from '@parley/shared/contracts';
import { waitUntil } from '@parley/shared/testing';
import {
  TORN_ANYWHERE,
  filesUnder,
  say,
  seededRandom,
  sendAndReset,
  startParleySet,
  startedSession,
  tornCallsOf,
  type ParleySet,
  type TornCall,
} from '../set';

/** Resets of each kind; they come at moments spread over the first milliseconds of a call. */
const RESETS = 200;
const AT_ONCE = 20;
const SERVICES: readonly ServiceName[] = ['session_api', 'pack_service', 'runtime_gateway', 'debrief_worker', 'ui'];

describe('A TCP reset', () => {
  let set: ParleySet;
  let session = '';
  const random = seededRandom(20_261_122);
  beforeAll(async () => {
    set = await startParleySet({ withUi: true, environment: { SIM_FAKE_WORD_DELAY_MS: '3' } });
    session = (await startedSession(set)).id;
  });
  afterAll(() => set.stop());

  async function resetsOf(service: ServiceName, call: TornCall | undefined): Promise<void> {
    if (set.processes.get(service)?.end() !== null) await set.startProcess(service);
    const port = set.portOf(service);
    const bytes = call?.bytes(port) ?? '';
    const one = set.processes.get(service);
    for (let sent = 0; sent < RESETS; sent += AT_ONCE) {
      await Promise.all(
        Array.from({ length: AT_ONCE }, () => sendAndReset(port, bytes, random()).catch(() => undefined)),
      );
      // Here and not at the end: it names the kind of call that ended the process.
      if (one?.end() !== null) break;
    }
    await waitUntil('what the resets left behind to be seen to', async () => {
      if (one?.end() !== null) return true;
      return (await set.call('GET', '/livez', undefined, { service })).status === 200;
    });
    expect([service, one?.end(), one?.output()]).toEqual([service, null, '']);
  }

  describe.each(SERVICES)('never ends %s', (service) => {
    const kinds = [...TORN_ANYWHERE, ...tornCallsOf(service, '')].map(({ what }) => what);
    it.each(kinds)('in %s', (kind) =>
      resetsOf(
        service,
        [...TORN_ANYWHERE, ...tornCallsOf(service, session)].find(({ what }) => what === kind),
      ),
    );
  });

  it('leaves no generation and no upload behind, and the talk goes on', async () => {
    await waitUntil('the last generation to be given up', async () => {
      const { text } = await set.call('GET', '/metrics', undefined, { service: 'runtime_gateway' });
      return text.includes('parley_generation_slots{state="running",service="runtime_gateway"} 0');
    });
    await waitUntil('the uploads to be removed', () =>
      filesUnder(set.folder.path).every((file) => !file.startsWith('uploads')),
    );
    const { id } = await startedSession(set);
    expect((await say(set, id, 'Hello again.')).status).toBe(200);
    expect((await set.ask('getHealth', {})).status).toBe('ok');
  });
});
