import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder, type TemporaryFolder } from '@parley/shared/testing';
import { DeadlineError, runProgram } from './run-program.cjs';
import { reasonOfFailure } from './start-failure.cjs';

describe('programs that the commands run', () => {
  let folder: TemporaryFolder;
  beforeEach(() => {
    folder = temporaryFolder('program');
  });
  afterEach(() => folder.remove());

  const run = (program: string, deadlineMs: number): ReturnType<typeof runProgram> =>
    runProgram({ words: ['-e', program], cwd: folder.path, environment: {}, deadlineMs });

  it('answer their code and what they wrote', async () => {
    const program = `process.stdout.write('out'); process.stderr.write('err'); process.exitCode = 3;`;
    expect(await run(program, 60_000)).toEqual({ code: 3, stdout: 'out', stderr: 'err' });
  });

  it('are ended at their deadline, whatever they do, also when a child of theirs holds their streams', async () => {
    const child = `require('node:child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, 20000)'], { stdio: 'inherit' })`;
    for (const program of [`process.on('SIGTERM', () => {}); for (;;);`, `${child}; setInterval(() => {}, 1000);`])
      await expect(run(program, 1_000)).rejects.toThrow(DeadlineError);
  });

  it('that do not start are asked for their reason, but not for ever', async () => {
    const script = path.join(folder.path, 'main.cjs');
    const service = { name: 'session-api', variable: 'SIM_API_PORT', port: 1, script };
    const project = { root: folder.path, logsDir: '/logs', environment: {} } as Parameters<typeof reasonOfFailure>[0];
    writeFileSync(script, `process.stderr.write('noise\\nsession_api: Port 1 is taken.\\n'); process.exit(78);`);
    expect(await reasonOfFailure(project, service)).toBe('Port 1 is taken.');
    writeFileSync(script, 'for (;;);');
    expect(await reasonOfFailure(project, service, 500)).toContain('session-api does not stay up; its log is /logs');
  });
});
