const { spawn } = require('node:child_process');

/** A program that did not end in time. */
class DeadlineError extends Error {}

/**
 * Runs a program of Node to its end, or ends it at its deadline.
 * @param {{ words: string[], cwd: string, environment: NodeJS.ProcessEnv, deadlineMs: number }} task
 * @returns {Promise<{ code: number, stdout: string, stderr: string }>}
 * @throws {DeadlineError}
 */
function runProgram({ words, cwd, environment, deadlineMs }) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, words, {
      cwd,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (data) => (stdout += data));
    child.stderr.on('data', (data) => (stderr += data));
    const deadline = setTimeout(() => {
      child.kill('SIGKILL');
      // Whoever inherited its streams must not hold us up.
      child.stdout.destroy();
      child.stderr.destroy();
      reject(new DeadlineError(`${words.join(' ')} did not end within ${deadlineMs / 1000} s`));
    }, deadlineMs);
    child.once('error', (error) => {
      clearTimeout(deadline);
      reject(error);
    });
    child.once('close', (code) => {
      clearTimeout(deadline);
      resolve({ code: code ?? 1, stdout, stderr });
    });
  });
}

module.exports = { DeadlineError, runProgram };
