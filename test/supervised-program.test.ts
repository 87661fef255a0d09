import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { ServiceName } from '@parley/shared/contracts';
import { PORT_VARIABLES } from '@parley/shared/service';
import { PROJECT_ROOT, programOf } from './set';

interface App {
  readonly name: string;
  readonly script: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

const { apps } = createRequire(__filename)(path.join(PROJECT_ROOT, 'ecosystem.config.js')) as { apps: App[] };

describe('the program that runs is the program that is tested', () => {
  it.each(Object.keys(PORT_VARIABLES) as ServiceName[])('%s', (service) => {
    const app = apps.find(({ name }) => name === service.replaceAll('_', '-'));
    expect(path.resolve(app?.cwd ?? '', app?.script ?? '')).toBe(programOf(service));
    // Plain Node: no words for it or for V8, no interpreter of its own, no settings of the allocator.
    expect(Object.keys(app ?? {}).filter((option) => /arg|interpreter/.test(option))).toEqual([]);
    const variables = Object.keys(app?.env ?? {}).filter((name) => name !== 'NODE_ENV' && !name.startsWith('SIM_'));
    expect(variables).toEqual([]);
  });

  it.each(Object.keys(PORT_VARIABLES) as ServiceName[])('%s holds each module once, out of its source', (service) => {
    const folder = path.dirname(programOf(service));
    const files = [folder, path.join(folder, 'packages')].flatMap((place) =>
      readdirSync(place)
        .filter((name) => name.endsWith('.cjs'))
        .map((name) => path.join(place, name)),
    );
    // The bundler writes the name of each module above it.
    const modules = files.flatMap((file) => [
      ...readFileSync(file, 'utf8').matchAll(/^\/\/ ((?:shared|services)\/(?!.*node_modules).+)$/gm),
    ]);
    const names = modules.map(([, name]) => name ?? '');
    expect(names).toContain('shared/service/http-service.ts');
    expect(names.filter((name, at) => !name.endsWith('.ts') || names.indexOf(name) !== at)).toEqual([]);
  });

  it('is without the contracts that its process has no use for', () => {
    const ofTalks = /npc_utterance|rubric_scores/;
    expect(readFileSync(programOf('session_api'), 'utf8')).toMatch(ofTalks);
    expect(readFileSync(programOf('ui'), 'utf8')).not.toMatch(ofTalks);
  });
});

describe('SIM_API_INSTANCES', () => {
  const modes = (settings: Record<string, string>): unknown => {
    const program = `
      const { apps } = require('./ecosystem.config.js');
      console.log(JSON.stringify(apps.map((app) => [app.name, app.exec_mode, app.instances ?? null])));`;
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('SIM_'));
    const env = { ...Object.fromEntries(inherited), ...settings };
    const { stdout } = spawnSync(process.execPath, ['-e', program], { cwd: PROJECT_ROOT, env, encoding: 'utf8' });
    return JSON.parse(stdout);
  };
  const whole = {
    SIM_DATABASE_URL: 'postgres://a@127.0.0.1/b',
    SIM_REDIS_URL: 'redis://127.0.0.1',
    SIM_INTERNAL_KEY: 'k'.repeat(40),
  };
  const forks = ['pack-service', 'runtime-gateway', 'session-api', 'debrief-worker', 'ui'].map((name) => [
    ...[name, 'fork'],
    null,
  ]);

  it('of more than one has PM2 share the port of session-api, and of no other', () => {
    const several = modes({ ...whole, SIM_API_INSTANCES: '3' });
    expect(several).toEqual(forks.map((one) => (one[0] === 'session-api' ? ['session-api', 'cluster', 3] : one)));
  });

  it('of one, or refused, leaves each process as it was', () => {
    expect(modes({})).toEqual(forks);
    expect(modes({ ...whole, SIM_API_INSTANCES: '1' })).toEqual(forks);
    expect(modes({ SIM_API_INSTANCES: '3' })).toEqual(forks);
  });
});
