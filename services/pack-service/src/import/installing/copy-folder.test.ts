import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import promises from 'node:fs/promises';
import path from 'node:path';
import type { Finding } from '@parley/shared/contracts';
import { temporaryFolder, minimalPack, writePack, type TemporaryFolder } from '@parley/shared/testing';
import { copyFolder } from './copy-folder';
import { liesAt, listInside, openInside } from '../validating/open-inside';

const SECRET = 'what lies outside of the pack';
/** Longer, so that nothing is cut off. */
const NOTE = 'a note of the pack itself, which is a good deal longer';

describe('copying the folder of a pack', () => {
  let folder: TemporaryFolder;
  let source: string;
  let outside: string;
  let target: string;
  beforeEach(() => {
    folder = temporaryFolder('copy');
    const at = (name: string): string => path.join(folder.path, name);
    source = writePack(at('pack'), minimalPack({ 'assets/inner/note.txt': NOTE, 'assets/last.txt': 'the last' }));
    outside = writePack(at('outside'), {
      'note.txt': SECRET,
      'inner/note.txt': SECRET,
      'last.txt': SECRET,
      'assets/inner/note.txt': SECRET,
      'hidden.txt': SECRET,
    });
    target = at('target');
    fs.mkdirSync(target);
  });
  afterEach(() => {
    jest.restoreAllMocks();
    folder.remove();
  });

  /** Changes the folder just before a path is opened or listed for the nth time, however the program does it. */
  function before(suffix: string, change: () => void, nth = 1): void {
    let left = nth;
    const seen = (given: unknown): void => {
      if (String(given).endsWith(suffix) && !String(given).startsWith(target) && --left === 0) change();
    };
    const { openSync, readdirSync } = fs;
    const { open, readdir } = promises;
    jest.spyOn(fs, 'openSync').mockImplementation((...given) => (seen(given[0]), openSync(...given)));
    jest.spyOn(promises, 'open').mockImplementation((...given) => (seen(given[0]), open(...given)));
    const list = (...given: unknown[]): unknown => (seen(given[0]), Reflect.apply(readdirSync, fs, given));
    jest.spyOn(fs, 'readdirSync').mockImplementation(list as typeof readdirSync);
    const listLater = (...given: unknown[]): unknown => (seen(given[0]), Reflect.apply(readdir, promises, given));
    jest.spyOn(promises, 'readdir').mockImplementation(listLater as typeof readdir);
  }
  const swap = (name: string, by: string): void => {
    fs.renameSync(path.join(source, name), path.join(folder.path, 'aside'));
    fs.symlinkSync(by, path.join(source, name));
  };
  const copied = (): string[] =>
    (fs.readdirSync(target, { recursive: true, encoding: 'utf8' }) as string[])
      .filter((name) => fs.statSync(path.join(target, name)).isFile())
      .sort();
  const secrets = (): string[] =>
    copied().filter((name) => fs.readFileSync(path.join(target, name), 'utf8').includes(SECRET));
  const rules = (findings: readonly Finding[]): string[] => findings.map((one) => `${one.rule} ${one.file}`);

  it('copies all of it, for its owner alone', async () => {
    expect(await copyFolder(source, target)).toEqual([]);
    expect(copied()).toEqual(copied().filter((name) => fs.existsSync(path.join(source, name))));
    expect(copied()).toEqual(expect.arrayContaining(['assets/inner/note.txt', 'manifest.yaml']));
    expect(fs.readFileSync(path.join(target, 'assets/inner/note.txt'), 'utf8')).toBe(NOTE);
    expect(fs.statSync(path.join(target, 'manifest.yaml')).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['the folder of a file', 'assets/inner/note.txt', () => swap('assets/inner', path.join(outside, 'inner'))],
    ['a folder above', 'assets/inner/note.txt', () => swap('assets', outside)],
    ['a file', 'assets/inner/note.txt', () => swap('assets/inner/note.txt', path.join(outside, 'note.txt'))],
  ])('does not follow a link that takes the place of %s before it is opened', async (_name, opened, change) => {
    before(opened, change);
    const findings = await copyFolder(source, target);
    expect(secrets()).toEqual([]);
    expect(rules(findings)).toContain('file.changed assets/inner/note.txt');
  });

  it('copies what it has looked at: a link that comes afterwards changes nothing', async () => {
    before('assets/inner/note.txt', () => swap('assets', outside), 2);
    await copyFolder(source, target);
    expect(secrets()).toEqual([]);
  });

  it('does not list a folder that a link has taken the place of', async () => {
    before('pack/assets', () => swap('assets', outside));
    const findings = await copyFolder(source, target);
    expect([secrets(), copied().filter((name) => name.includes('hidden'))]).toEqual([[], []]);
    expect(rules(findings)).toContain('file.changed assets');
  });

  it('does not follow a link in the place of the pack itself', async () => {
    before('pack/manifest.yaml', () => {
      fs.renameSync(source, path.join(folder.path, 'aside'));
      writePack(outside, minimalPack({ 'manifest.yaml': SECRET }));
      fs.symlinkSync(outside, source);
    });
    await copyFolder(source, target);
    expect(secrets()).toEqual([]);
  });

  it('does not wait for a pipe that has taken the place of a file', async () => {
    before('assets/inner/note.txt', () => {
      fs.rmSync(path.join(source, 'assets/inner/note.txt'));
      execFileSync('mkfifo', [path.join(source, 'assets/inner/note.txt')]);
    });
    expect(rules(await copyFolder(source, target))).toContain('file.special assets/inner/note.txt');
  });

  it('says of a file that is gone meanwhile that it changed', async () => {
    before('assets/inner/note.txt', () => fs.rmSync(path.join(source, 'assets/inner/note.txt')));
    expect(rules(await copyFolder(source, target))).toEqual(['file.changed assets/inner/note.txt']);
  });

  describe('where nobody says where a descriptor leads', () => {
    it('compares what is open with what lies there now', () => {
      const inside = path.join(fs.realpathSync(source), 'assets/inner/note.txt');
      const descriptor = fs.openSync(inside, 'r');
      expect(liesAt(descriptor, inside, false)).toBe(true);
      expect(liesAt(descriptor, path.join(outside, 'note.txt'), false)).toBe(false);
      swap('assets', outside);
      expect(liesAt(descriptor, inside, false)).toBe(false);
      fs.closeSync(descriptor);
      const reached = fs.openSync(inside, 'r');
      // The same file, by way of a link.
      expect(liesAt(reached, inside, false)).toBe(false);
      fs.closeSync(reached);
      expect(() => openInside(fs.realpathSync(source), 'assets/inner/note.txt')).toThrow('changed while');
      expect(() => listInside(fs.realpathSync(source), 'assets')).toThrow('changed while');
    });
  });
});
