import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder, type TemporaryFolder } from '@parley/shared/testing';
import { isInstalled } from '../setup/install-packages.cjs';
import { findBuildFaults } from './build-faults.cjs';
import { findCitationFaults, findLinkFaults } from './citation-faults.cjs';
import { findLockfileFaults } from './lockfile-faults.cjs';
import { findNameFaults } from './name-faults.cjs';
import { findVersionFaults } from './version-faults.cjs';

describe('the checks of npm run verify', () => {
  let folder: TemporaryFolder;
  beforeEach(() => {
    folder = temporaryFolder('checks');
  });
  afterEach(() => folder.remove());

  const write = (file: string, content: unknown): void => {
    const place = path.join(folder.path, file);
    mkdirSync(path.dirname(place), { recursive: true });
    writeFileSync(place, typeof content === 'string' ? content : JSON.stringify(content));
  };

  it('find hosts in the lockfile, and packages of other platforms that it lacks', () => {
    write('package-lock.json', {
      packages: {
        'node_modules/a': { version: '1.0.0', resolved: 'https://registry.example/a.tgz' },
        'node_modules/b': { version: '1.0.0', optionalDependencies: { 'b-linux': '1', 'b-other': '1' } },
        'node_modules/b/node_modules/b-linux': { version: '1.0.0' },
      },
    });
    expect(findLockfileFaults(folder.path)).toEqual([
      expect.stringContaining('node_modules/a names a host'),
      expect.stringContaining('node_modules/b needs b-other'),
    ]);
  });

  it('find vague names and sources that are not kebab-case, but not in what is installed or built', () => {
    for (const one of ['services', 'scripts', 'test', 'packs']) mkdirSync(path.join(folder.path, one));
    write('shared/utils/one.ts', '');
    write('shared/OneThing.ts', '');
    write('shared/one-thing.test.ts', '');
    write('services/node_modules/lib/Any.js', '');
    write('services/x/dist/helpers.ts', '');
    expect(findNameFaults(folder.path).sort()).toEqual([
      expect.stringContaining(path.join('shared', 'OneThing.ts')),
      expect.stringContaining(path.join('shared', 'utils')),
    ]);
  });

  it('find tests and fixtures that the build compiles, and projects that nothing checks', () => {
    const project = (file: string, include: string[], references: string[] = []): void =>
      write(file, { include, references: references.map((one) => ({ path: one })) });
    write('tsconfig.json', { files: [], references: [{ path: './services/a' }] });
    write('tsconfig.test.json', { files: [], references: [{ path: './services/a/tsconfig.test.json' }] });
    project('services/a/tsconfig.json', ['src/**/*.ts', 'testing/**/*.ts'], ['../../shared']);
    project('services/a/tsconfig.test.json', ['src/**/*.test.ts'], ['.']);
    project('services/b/tsconfig.test.json', ['src/**/*.test.ts']);
    project('shared/tsconfig.json', ['**/*.ts']);
    for (const one of [
      'services/a/src/main',
      'services/a/src/main.test',
      'services/a/testing/a-caller',
      'shared/testing/two',
    ])
      write(`${one}.ts`, '');
    write('services/a/dist/tsconfig.json', 'built');
    expect(findBuildFaults(folder.path)).toEqual([
      expect.stringContaining('services/a/tsconfig.json compiles services/a/src/main.test.ts'),
      expect.stringContaining('services/a/tsconfig.json compiles services/a/testing/a-caller.ts'),
      expect.stringContaining('shared/tsconfig.json compiles shared/testing/two.ts'),
      expect.stringContaining('services/b/tsconfig.test.json is checked by nothing'),
    ]);
    project('services/a/tsconfig.json', ['src/main.ts']);
    write('tsconfig.test.json', { files: [], references: [{ path: './services/b/tsconfig.test.json' }] });
    project('services/b/tsconfig.test.json', ['src/**/*.test.ts'], ['../a/tsconfig.test.json', '../../shared/testing']);
    project('shared/testing/tsconfig.json', ['*.ts']);
    write('shared/tsconfig.json', { files: [], references: [] });
    expect(findBuildFaults(folder.path)).toEqual([
      expect.stringContaining('shared/tsconfig.json is checked by nothing'),
    ]);
  });

  it('find no test in the build of this repository', () => {
    expect(findBuildFaults(path.resolve(__dirname, '..', '..'))).toEqual([]);
  });

  it('find packages of another version, and a changelog that does not know it', () => {
    write('shared/contracts/version.ts', `export const VERSION = '1.2.0';`);
    write('package.json', { version: '1.2.0' });
    write('shared/package.json', { version: '1.1.0' });
    write('services/ui/package.json', { version: '1.2.0', dependencies: { '@parley/shared': '1.1.0' } });
    write('CHANGELOG.md', '# Changes\n\n## 1.1.0\n');
    expect(findVersionFaults(folder.path)).toEqual([
      'shared/package.json has version 1.1.0, not 1.2.0',
      'services/ui/package.json asks for @parley/shared 1.1.0, not 1.2.0',
      'CHANGELOG.md has no entry for 1.2.0',
    ]);
  });

  it('find pages and headings that comments cite and that are not there, over the ends of lines too', () => {
    // Not written out: this file is looked at as well.
    const docs = 'docs';
    write(`${docs}/contract.md`, '# The contract\n\n## Limits\n\n## Who may call\n\n```\n# No heading\n```\n');
    write(
      'shared/one.ts',
      `/** As told (${docs}/contract.md, Limits), and in ${docs}/contract.md, Who\n * may call. */\n`,
    );
    write('services/two.cjs', `// ${docs}/gone.md\nsay("${docs}/never.md");\n// ${docs}/contract.md, Limitsless\n`);
    write('test/three.ts', `/* ${docs}/contract.md, No heading; ${docs}/contract.md says more */\n`);
    write('test/two.ts', `// ${docs}/contract.md, Who\n// knows\n`);
    write('shared/node_modules/four.ts', `// ${docs}/gone.md\n`);
    expect(findCitationFaults(folder.path)).toEqual([
      `${path.join('services', 'two.cjs')} cites ${docs}/gone.md, which does not exist`,
      expect.stringContaining(`${path.join('services', 'two.cjs')} cites ${docs}/contract.md, Limitsless`),
      expect.stringContaining(`${path.join('test', 'three.ts')} cites ${docs}/contract.md, No heading`),
      expect.stringContaining(`${path.join('test', 'two.ts')} cites ${docs}/contract.md, Who knows`),
    ]);
  });

  it('find links between pages that lead nowhere', () => {
    write('README.md', '[a](docs/a.md#two-words) [b](docs/b.md) [c](https://elsewhere.example/c.md#x)\n');
    write('docs/a.md', '# Two words\n\n[up](../README.md), [here](#two-words), [there](#three)\n');
    expect(findLinkFaults(folder.path)).toEqual([
      'README.md links to docs/b.md, which does not exist',
      `${path.join('docs', 'a.md')} links to #three: ${path.join('docs', 'a.md')} has no such heading`,
    ]);
  });

  it('find nothing to cite or to link that is not there in this repository', () => {
    const root = path.resolve(__dirname, '..', '..');
    expect([...findCitationFaults(root), ...findLinkFaults(root)]).toEqual([]);
  });

  it('npm start sees whether what the lockfile wants is installed', () => {
    const project = { root: folder.path } as Parameters<typeof isInstalled>[0];
    expect(isInstalled(project)).toBe(false);
    write('package-lock.json', {
      packages: {
        '': {},
        'node_modules/a': { version: '1.0.0' },
        'node_modules/only-elsewhere': { version: '1.0.0', optional: true },
        'services/ui': { version: '1.0.0' },
      },
    });
    write('node_modules/.package-lock.json', { packages: { 'node_modules/a': { version: '0.9.0' } } });
    expect(isInstalled(project)).toBe(false);
    write('node_modules/.package-lock.json', { packages: { 'node_modules/a': { version: '1.0.0' } } });
    expect(isInstalled(project)).toBe(true);
  });
});
