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
});
