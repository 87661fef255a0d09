import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder, type TemporaryFolder } from '@parley/shared/testing';
import type { BootEntry, Command, Outcome, Start } from './boot-entry.cjs';
import { install, status, uninstall, type Surroundings } from './keep-entry.cjs';
import { launchAgent } from './launch-agent.cjs';
import { scheduledTask } from './scheduled-task.cjs';
import { systemdUnit } from './systemd-unit.cjs';

const ok = (stdout = ''): Outcome => ({ code: 0, stdout, stderr: '' });
const failed = (stderr: string, code: number | null = 1): Outcome => ({ code, stdout: '', stderr });

describe('keeping the entry that starts Parley', () => {
  let folder: TemporaryFolder;
  let start: Start;
  let ran: string[];
  let printed: string;
  let said: string[];
  beforeEach(() => {
    folder = temporaryFolder('boot');
    start = {
      node: '/usr/bin/node',
      startScript: '/opt/parley/scripts/start.cjs',
      stopScript: '/opt/parley/scripts/stop.cjs',
      root: '/opt/parley',
      environment: {},
      configFolder: path.join(folder.path, 'config'),
      home: path.join(folder.path, 'home'),
      user: '501',
      dataDir: folder.path,
      logsDir: path.join(folder.path, 'logs'),
    };
    ran = [];
    printed = '';
    said = [];
  });
  afterEach(() => folder.remove());

  const around = (answers: Record<string, Outcome>, more: Partial<Surroundings> = {}): Surroundings => ({
    root: '/opt/parley',
    run: ({ program, words }: Command) => {
      const line = [program, ...words].join(' ');
      ran.push(line);
      return Object.entries(answers).find(([part]) => line.includes(part))?.[1] ?? ok();
    },
    ask: null,
    isAgreed: true,
    print: (text) => void (printed += text),
    say: (line) => void said.push(line),
    ...more,
  });
  const running = { 'is-system-running': ok('running\n'), show: ok('ActiveState=active\nUnitFileState=enabled\n') };
  const inPlace = (entry: BootEntry, text = entry.text): BootEntry => {
    mkdirSync(path.dirname(entry.file), { recursive: true });
    writeFileSync(entry.file, text, entry.encoding);
    return entry;
  };

  it('installs: shows the file and every command, writes it, enables it, and looks whether it took', async () => {
    const entry = systemdUnit(start);
    expect(await install(entry, around(running))).toBe(0);
    expect(readFileSync(entry.file, 'utf8')).toBe(entry.text);
    expect(statSync(entry.file).mode & 0o777).toBe(0o600);
    expect(printed).toContain(`${entry.file}:\n\n${entry.text}`);
    expect(printed).toContain('  systemctl --user daemon-reload\n  systemctl --user enable --now parley.service\n');
    expect(ran).toEqual([
      'systemctl --user is-system-running',
      'systemctl --user daemon-reload',
      'systemctl --user enable --now parley.service',
      'systemctl --user show --property=ActiveState,UnitFileState parley.service',
    ]);
    expect(said).toEqual([expect.stringContaining('Installed:')]);
  });

  it('writes nothing without a terminal to ask in, and says so', async () => {
    const entry = systemdUnit(start);
    expect(await install(entry, around(running, { isAgreed: false }))).toBe(1);
    expect(printed).toContain(entry.text);
    expect(said).toEqual(['Nothing was written: there is no terminal to ask in. Add --yes to have it done.']);
    expect(existsSync(entry.file)).toBe(false);
    expect(ran).toEqual(['systemctl --user is-system-running']);
  });

  it.each([
    ['y', true],
    ['Yes', true],
    ['', false],
    ['no', false],
    ['yesterday', false],
  ])('asks, and takes %j as %s', async (answer, written) => {
    const entry = systemdUnit(start);
    const surroundings = around(running, { isAgreed: false, ask: () => Promise.resolve(answer) });
    expect(await install(entry, surroundings)).toBe(written ? 0 : 1);
    expect(existsSync(entry.file)).toBe(written);
  });

  it('writes nothing where the manager does not run', async () => {
    const entry = systemdUnit(start);
    await expect(
      install(entry, around({ 'is-system-running': { ...failed(''), stdout: 'offline\n' } })),
    ).rejects.toThrow(/does not run here \(offline\).*Nothing was written\./s);
    expect(existsSync(entry.file)).toBe(false);
  });

  it.each([
    ['[Service]\nExecStart=/usr/bin/npm start\n', 'was not written by Parley'],
    ['# Written by Parley, checkout 0123456789abcdef.\n', 'belongs to another checkout of Parley'],
  ])('leaves a file of somebody else alone: %j', async (text, sentence) => {
    const entry = inPlace(systemdUnit(start), text);
    await expect(install(entry, around(running))).rejects.toThrow(sentence);
    await expect(uninstall(entry, around(running))).rejects.toThrow(sentence);
    expect(() => status(entry, around(running))).toThrow(sentence);
    expect(readFileSync(entry.file, 'utf8')).toBe(text);
    expect(ran).toEqual([]);
  });

  it('leaves a registered task of somebody else alone', async () => {
    const entry = scheduledTask(start);
    await expect(install(entry, around({ '/query': ok('<Task></Task>') }))).rejects.toThrow(
      'was not written by Parley',
    );
    expect(ran).toEqual(['schtasks /query /tn Parley /xml']);
  });

  it('writes its own file anew, after unloading the agent that is loaded', async () => {
    const entry = inPlace(launchAgent({ ...start, node: '/old/node' }));
    const renewed = launchAgent(start);
    expect(await install(renewed, around({ bootout: failed('no such process', 3) }))).toBe(0);
    expect(readFileSync(entry.file, 'utf8')).toBe(renewed.text);
    expect(existsSync(start.logsDir)).toBe(true);
    expect(ran.slice(1, 3).map((line) => line.split(' ')[1])).toEqual(['bootout', 'bootstrap']);
  });

  it.each([
    [failed('Job for parley.service failed.'), 'did not succeed: it ended with code 1: Job for parley.service failed.'],
    [failed('', null), 'did not succeed: there is no such program'],
  ])('claims no success when a command fails: %j', async (outcome, sentence) => {
    await expect(install(systemdUnit(start), around({ ...running, 'enable --now': outcome }))).rejects.toThrow(
      sentence,
    );
    expect(said).toEqual([]);
  });

  it('claims no success when all commands succeed and it is not active', async () => {
    const answers = { ...running, show: ok('ActiveState=inactive\nUnitFileState=enabled\n') };
    await expect(install(systemdUnit(start), around(answers))).rejects.toThrow('does not say that it is active');
  });

  it('uninstalls in the reverse order, once it was shown and agreed to', async () => {
    const entry = inPlace(systemdUnit(start));
    expect(await uninstall(entry, around(running, { isAgreed: false }))).toBe(1);
    expect(existsSync(entry.file)).toBe(true);
    expect(ran).toEqual([]);
    expect(await uninstall(entry, around(running))).toBe(0);
    expect(existsSync(entry.file)).toBe(false);
    expect(ran).toEqual(['systemctl --user disable --now parley.service', 'systemctl --user daemon-reload']);
    expect(printed).toContain(entry.file);
    expect(await uninstall(entry, around(running))).toBe(0);
    expect(said.at(-1)).toBe('Nothing is installed.');
  });

  it('stops the set of the entry that is installed, of a task by what is registered', async () => {
    const installed = { ...start, environment: { SIM_DATA_DIR: '/srv/talks' } };
    inPlace(launchAgent(installed));
    expect(await uninstall(launchAgent(start), around({}))).toBe(0);
    expect(ran.at(-1)).toBe('/usr/bin/node /opt/parley/scripts/stop.cjs --data-dir /srv/talks');
    const registered = ok([...scheduledTask(installed).text].join('\0'));
    expect(await uninstall(scheduledTask(start), around({ '/query': registered }))).toBe(0);
    expect(ran.at(-1)).toBe('/usr/bin/node /opt/parley/scripts/stop.cjs --data-dir /srv/talks');
  });

  it('says what of the removal failed', async () => {
    const entry = inPlace(launchAgent(start));
    expect(await uninstall(entry, around({ bootout: failed('no such process', 3) }))).toBe(1);
    expect(said[0]).toContain('did not succeed: it ended with code 3: no such process');
    expect(ran).toContain('/usr/bin/node /opt/parley/scripts/stop.cjs');
    expect(existsSync(entry.file)).toBe(false);
  });

  it('tells whether it is there and active', () => {
    const entry = systemdUnit(start);
    expect(status(entry, around(running))).toBe(3);
    inPlace(entry);
    expect(status(entry, around(running))).toBe(0);
    expect(printed).toContain(`installed: ${entry.file}\nactive\n`);
    const stopped = { ...running, show: ok('ActiveState=inactive\nUnitFileState=enabled\n') };
    expect(status(entry, around(stopped))).toBe(1);
    expect(printed).toContain('not active: ActiveState=inactive UnitFileState=enabled');
    expect(said).toEqual([]);
  });

  it('says that what is installed was written for another Node', () => {
    inPlace(systemdUnit({ ...start, node: '/old/node' }));
    expect(status(systemdUnit(start), around(running))).toBe(0);
    expect(said).toEqual([expect.stringContaining('writes it anew')]);
  });

  it('tells of a task by what is registered, in whichever encoding it is shown', () => {
    const entry = scheduledTask(start);
    expect(status(entry, around({ '/query': failed('ERROR: The system cannot find the file specified.') }))).toBe(3);
    expect(status(entry, around({ '/query': ok(Buffer.from(entry.text, 'utf16le').toString('latin1')) }))).toBe(0);
  });
});
