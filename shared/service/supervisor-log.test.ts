import { spawn } from 'node:child_process';
import { openSync, closeSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder, waitUntil } from '@parley/shared/testing';
import { turnSupervisorLog } from './supervisor-log';

describe("the supervisor's own log", () => {
  it('is copied and cut off when it is large, while its writer has it open', async () => {
    const folder = temporaryFolder('supervisor-log');
    const log = path.join(folder.path, 'pm2.log');
    writeFileSync(log, 'x'.repeat(2_000));
    // As PM2 starts its daemon: with the file as its standard output, to append to.
    const handle = openSync(log, 'a');
    const writer = spawn(process.execPath, ['-e', `process.stdin.on('data', (d) => process.stdout.write(d))`], {
      stdio: ['pipe', handle, 'ignore'],
    });
    closeSync(handle);
    try {
      expect(turnSupervisorLog(folder.path, 3_000)).toBe(false);
      expect(existsSync(path.join(folder.path, 'pm2.1.log'))).toBe(false);
      expect(turnSupervisorLog(folder.path, 1_000)).toBe(true);
      expect(readFileSync(path.join(folder.path, 'pm2.1.log'), 'utf8')).toBe('x'.repeat(2_000));
      writer.stdin?.write('later\n');
      await waitUntil('the line', () => readFileSync(log, 'utf8') === 'later\n');
    } finally {
      writer.kill('SIGKILL');
      folder.remove();
    }
  });

  it('may be missing', () => {
    const folder = temporaryFolder('supervisor-log');
    expect(turnSupervisorLog(folder.path)).toBe(false);
    folder.remove();
  });
});
