import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder, type TemporaryFolder } from '@parley/shared/testing';
import { fingerprintOf } from './build-project.cjs';

describe('what npm start builds anew', () => {
  let folder: TemporaryFolder;
  beforeEach(() => {
    folder = temporaryFolder('build');
    for (const one of ['src/main.ts', 'src/main.test.ts', 'testing/a-caller.ts', 'test/page.ts'])
      write(`services/a/${one}`);
    write('shared/store/index.ts');
    write('shared/testing/index.ts');
  });
  afterEach(() => folder.remove());

  const write = (file: string): void => {
    const place = path.join(folder.path, file);
    mkdirSync(path.dirname(place), { recursive: true });
    writeFileSync(place, 'one\n');
  };
  const change = (file: string) => (): void => appendFileSync(path.join(folder.path, file), 'two\n');
  const fingerprint = (): string => fingerprintOf({ root: folder.path }, ['shared', 'services', 'tsconfig.json']);
  const isStaleAfter = (act: () => void): boolean => {
    const before = fingerprint();
    act();
    return fingerprint() !== before;
  };

  it.each<[string, () => void]>([
    ['a source of a service changed', change('services/a/src/main.ts')],
    ['a source of shared changed', change('shared/store/index.ts')],
    ['a source is new, also when its name only looks like a test', () => write('services/a/src/latest.ts')],
    ['a source is gone', () => rmSync(path.join(folder.path, 'services/a/src/main.ts'))],
    ['what the compiler is told changed', () => write('tsconfig.json')],
  ])('is all that is built, when %s', (_what, act) => {
    expect(isStaleAfter(act)).toBe(true);
  });

  it.each<[string, () => void]>([
    ['a test changed', change('services/a/src/main.test.ts')],
    ['a test of the page is new', () => write('services/a/src/page.test.tsx')],
    ['a fixture of a service changed', change('services/a/testing/a-caller.ts')],
    ['what tests share changed', change('shared/testing/index.ts')],
    ['what stands in for others in tests changed', change('services/a/test/page.ts')],
    ['the types of tests are checked in another way', () => write('services/a/tsconfig.test.json')],
    ['something was built', () => write('services/a/dist/main.js')],
  ])('is nothing, when %s', (_what, act) => {
    expect(isStaleAfter(act)).toBe(false);
  });
});
