import { spawnSync } from 'node:child_process';
import type { ServiceName } from '@parley/shared/contracts';
import { isSkippedWithout } from '@parley/shared/testing';
import { endedSession, startParleySet, type ParleySet } from '../set';

const SERVICES: readonly ServiceName[] = ['session_api', 'pack_service', 'runtime_gateway', 'debrief_worker', 'ui'];

/** What Prometheus itself says of metrics: the program that comes with it. */
const promtool = (text: string) => spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' });
const isSkipped = isSkippedWithout(
  spawnSync('promtool', ['--version']).error === undefined,
  'promtool was not found: nobody looks at /metrics. Install the package prometheus.',
);

describe('GET /metrics', () => {
  let set: ParleySet;
  beforeAll(async () => {
    set = await startParleySet({ withUi: true });
    const { id } = await endedSession(set, 1);
    await set.call('POST', `/api/sessions/${id}/debrief`);
    await set.call('GET', '/api/nothing');
  });
  afterAll(() => set.stop());

  (isSkipped ? it.skip : it).each(SERVICES)('%s: promtool finds nothing to say', async (service) => {
    // The first look begins to watch the process; the second one has it all.
    await set.call('GET', '/metrics', undefined, { service });
    const { status, text } = await set.call('GET', '/metrics', undefined, { service });
    expect([status, text]).toEqual([200, expect.stringContaining('# TYPE parley_http_request_duration_seconds')]);
    const { error, status: code, stdout, stderr } = promtool(text);
    expect([error, code, stdout, stderr]).toEqual([undefined, 0, '', '']);
  });

  it.each(SERVICES)('%s tells of the process as Prometheus names it, and nothing twice', async (service) => {
    const { text } = await set.call('GET', '/metrics', undefined, { service });
    const families = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
    expect(families).toEqual(
      expect.arrayContaining([
        'process_resident_memory_bytes',
        'nodejs_eventloop_lag_seconds',
        'nodejs_active_resources',
      ]),
    );
    expect(new Set(families).size).toBe(families.length);
  });
});
