import { mkdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { databaseAddressOf, dataFolderOf } from '@parley/shared/data-folder';
import { temporaryFolder, type TemporaryFolder } from '@parley/shared/testing';

describe('dataFolderOf', () => {
  let root: TemporaryFolder;
  const { platform } = process;
  const on = (name: NodeJS.Platform): void => void Object.defineProperty(process, 'platform', { value: name });
  beforeEach(() => {
    root = temporaryFolder('checkout');
  });
  afterEach(() => {
    on(platform);
    root.remove();
  });

  it.each([
    ['linux', {}, path.join('/home/kim', '.local', 'share', 'parley')],
    ['linux', { XDG_DATA_HOME: '/home/kim/share' }, path.join('/home/kim/share', 'parley')],
    ['linux', { XDG_DATA_HOME: 'not/absolute' }, path.join('/home/kim', '.local', 'share', 'parley')],
    ['freebsd', {}, path.join('/home/kim', '.local', 'share', 'parley')],
    ['darwin', {}, path.join('/home/kim', 'Library', 'Application Support', 'Parley')],
    ['win32', { LOCALAPPDATA: '/kim/AppData/Local' }, path.join('/kim/AppData/Local', 'Parley')],
    ['win32', {}, path.join('/home/kim', 'AppData', 'Local', 'Parley')],
  ] as const)('is where %s keeps the data of programs (%j)', (name, variables, folder) => {
    on(name);
    expect(dataFolderOf({ HOME: '/home/kim', ...variables }, root.path)).toEqual({ folder, from: 'platform' });
  });

  it('is the home of the user where no variable names one', () => {
    expect(dataFolderOf({}, root.path).folder.startsWith(os.homedir())).toBe(true);
  });

  it('is the folder data of a checkout that has one, but not a file of that name', () => {
    writeFileSync(path.join(root.path, 'data'), '');
    expect(dataFolderOf({ HOME: '/home/kim' }, root.path).from).toBe('platform');
    const other = path.join(root.path, 'other');
    mkdirSync(path.join(other, 'data'), { recursive: true });
    expect(dataFolderOf({ HOME: '/home/kim' }, other)).toEqual({ folder: path.join(other, 'data'), from: 'checkout' });
  });

  it('is what SIM_DATA_DIR says before all, from the checkout when it is relative', () => {
    mkdirSync(path.join(root.path, 'data'));
    expect(dataFolderOf({ SIM_DATA_DIR: ' mine ' }, root.path)).toEqual({
      folder: path.join(root.path, 'mine'),
      from: 'SIM_DATA_DIR',
    });
    expect(dataFolderOf({ SIM_DATA_DIR: '  ' }, root.path).from).toBe('checkout');
  });
});

describe('databaseAddressOf', () => {
  it.each([
    [null, '/d/parley.sqlite'],
    [' ', '/d/parley.sqlite'],
    ['sqlite:other.db', '/d/other.db'],
    ['sqlite:///e/played.db', '/e/played.db'],
    ['file:///e/played.db', '/e/played.db'],
    ['played.db', '/d/played.db'],
  ])('%j is %s', (url, file) => {
    expect(databaseAddressOf('/d', url)).toEqual({ system: 'sqlite', file });
  });

  it.each([
    ['postgres://localhost/parley', 'postgres://localhost/parley'],
    ['postgresql://ada:s3cret@db.example:6543/parley?sslmode=require', 'postgres://ada@db.example:6543/parley'],
    ['postgres://ada:s%40cret@localhost/my%20talks', 'postgres://ada@localhost/my talks'],
    ['postgres:///parley?host=/run/postgresql', 'postgres:///run/postgresql/parley'],
  ])('%s is a database of PostgreSQL, whose label holds no password', (url, label) => {
    expect(databaseAddressOf('/d', url)).toEqual({ system: 'postgres', url, label });
  });

  it.each([
    'postgres://',
    'postgres:parley',
    'postgres://ada:s3cret@localhost',
    'postgres://ada:s3cret@local host/parley',
  ])('refuses %s without quoting it', (url) => {
    const { refusal } = databaseAddressOf('/d', url) as { refusal: string };
    expect(refusal).toMatch(/^SIM_DATABASE_URL is no address of a PostgreSQL database: write it as postgres:/);
    expect(refusal).not.toContain('s3cret');
  });

  it.each(['file://data/parley.sqlite', 'file:///data/50%.sqlite', 'file:///data%2Fparley.sqlite'])(
    'refuses %s, which names no file on this machine',
    (url) => {
      expect(databaseAddressOf('/d', url)).toEqual({
        refusal:
          'SIM_DATABASE_URL is no address of a file on this machine: write it as file:///<absolute path>, or as the path alone.',
      });
    },
  );

  it('refuses another database system with what to do', () => {
    expect(databaseAddressOf('/d', 'mysql://ada:s3cret@localhost/parley')).toEqual({
      refusal:
        'SIM_DATABASE_URL begins with mysql: and Parley keeps its data in SQLite or in PostgreSQL: leave it out, or use sqlite:<path> or postgres://<user>:<password>@<host>:5432/<database>.',
    });
  });
});
