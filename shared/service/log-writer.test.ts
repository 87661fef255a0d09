import { mkdirSync, readFileSync, readdirSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder, waitUntil, type TemporaryFolder } from '@parley/shared/testing';
import { openLogFile } from './logger';
import { LogWriter } from './log-writer';

describe('LogWriter', () => {
  let folder: TemporaryFolder;
  beforeEach(() => {
    folder = temporaryFolder('log');
  });
  afterEach(() => folder.remove());

  const writer = (maxFileBytes = 1_000_000, keptFiles = 3): LogWriter =>
    new LogWriter({ folder: folder.path, name: 'one', maxFileBytes, keptFiles, describeLoss: (n) => `lost ${n}\n` });
  const file = (number: number): string => path.join(folder.path, `one.${number}.log`);
  const read = (number: number): string => readFileSync(file(number), 'utf8');

  it('writes all lines in their order to a file that only the owner can read', async () => {
    const log = writer();
    const lines = Array.from({ length: 5_000 }, (_, at) => `line ${at}: häßlich\n`);
    for (const line of lines) log.write(line);
    await log.close();
    expect(read(1)).toBe(lines.join(''));
    expect(statSync(file(1)).mode & 0o077).toBe(0);
  });

  it('goes on in the newest file, begins the next one at its size and keeps so many', async () => {
    writeFileSync(file(7), 'old\n');
    writeFileSync(file(2), 'older\n');
    writeFileSync(path.join(folder.path, 'one.two.log'), 'not ours\n');
    const log = writer(100, 3);
    for (let at = 0; at < 5; at += 1) {
      log.write(`${'x'.repeat(120)}\n`);
      await waitUntil('the line', () => read(7 + at).endsWith('x\n'));
    }
    await log.close();
    expect(read(7 + 4)).toBe(`${'x'.repeat(120)}\n`);
    expect(readdirSync(folder.path).sort()).toEqual(['one.10.log', 'one.11.log', 'one.9.log', 'one.two.log']);
  });

  it('keeps a megabyte of lines while nothing can be written, then writes them and says how many were lost', async () => {
    mkdirSync(file(1));
    const log = writer(100_000_000);
    const line = `${'x'.repeat(1_023)}\n`;
    for (let at = 0; at < 3_000; at += 1) log.write(line);
    rmdirSync(file(1));
    const text = await waitUntil('the lines', () => (/lost \d+\n$/.test(read(1)) ? read(1) : null));
    const lost = Number(/lost (\d+)\n$/.exec(text)?.[1]);
    expect(text.length).toBeLessThanOrEqual(1_048_576 + 20);
    expect(text.split(line).length - 1 + lost).toBe(3_000);
    await log.close();
  });

  it('closes at once when nothing can be written', async () => {
    mkdirSync(file(1));
    const log = writer();
    log.write('a line\n');
    await log.close();
    log.write('another\n');
  });
});

describe('the log of a process', () => {
  it('is a file of its own for each of several processes at one port, which its lines tell apart', async () => {
    const folder = temporaryFolder('log');
    for (const instance of [null, 0, 1]) {
      const { logger, close } = openLogFile({
        service: 'session_api',
        instance,
        log_level: 'info',
        data_dir: folder.path,
      });
      logger.info('a line');
      await close();
    }
    const logs = path.join(folder.path, 'logs');
    const told = readdirSync(logs).map((file) => {
      const [line = '', ...more] = readFileSync(path.join(logs, file), 'utf8').trim().split('\n');
      const { service, instance } = JSON.parse(line) as Record<string, unknown>;
      return [file, service, instance, more.length];
    });
    expect(told.sort()).toEqual([
      ['session-api-0.1.log', 'session_api', 0, 0],
      ['session-api-1.1.log', 'session_api', 1, 0],
      ['session-api.1.log', 'session_api', undefined, 0],
    ]);
    folder.remove();
  });

  it('does not wait for the disk at a fatal line, and loses none at a proper end', async () => {
    const folder = temporaryFolder('log');
    const { logger, close } = openLogFile({ service: 'ui', instance: null, log_level: 'info', data_dir: folder.path });
    mkdirSync(path.join(folder.path, 'logs', 'ui.1.log'));
    logger.fatal({ code: 'ONE' }, 'while the file cannot be opened');
    rmdirSync(path.join(folder.path, 'logs', 'ui.1.log'));
    logger.info({ code: 'TWO' }, 'later');
    await waitUntil('both lines', () =>
      /ONE[^\n]*\n[^\n]*TWO/.test(readFileSync(path.join(folder.path, 'logs', 'ui.1.log'), 'utf8')),
    );
    logger.info({ code: 'THREE' }, 'last');
    await close();
    expect(readFileSync(path.join(folder.path, 'logs', 'ui.1.log'), 'utf8')).toContain('THREE');
    folder.remove();
  });
});
