/** Finds out why a process does not start: it runs once more in front of us and says it in its one line. */
const { spawn } = require('node:child_process');
const path = require('node:path');

/** A process that cannot start says so well within this time, and one that can is stopped in as much again. */
const PATIENCE_MS = 8_000;

/**
 * @param {import('./project.cjs').Project} project
 * @param {import('./project.cjs').Service} service
 * @param {number} [patienceMs]
 * @returns {Promise<string>} the line that a person needs
 */
function reasonOfFailure(project, service, patienceMs = PATIENCE_MS) {
  const log = path.join(project.logsDir, `${service.name}.1.log`);
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [service.script], {
      cwd: project.root,
      env: { ...project.environment, NODE_ENV: 'production' },
      stdio: ['ignore', 'ignore', 'pipe'],
      windowsHide: true,
    });
    let stderr = '';
    child.stderr.on('data', (data) => (stderr += data));
    const timers = [
      setTimeout(() => child.kill('SIGTERM'), patienceMs),
      // One that hangs hears of no signal but this.
      setTimeout(() => child.kill('SIGKILL'), 2 * patienceMs),
    ];
    child.once('error', (error) => resolve(`${service.name}: ${error.message}`));
    child.once('close', () => {
      for (const timer of timers) clearTimeout(timer);
      const line = stderr
        .split('\n')
        .map((one) => one.trim())
        .find((one) => one.startsWith(`${service.name.replaceAll('-', '_')}: `));
      resolve(
        line?.slice(service.name.length + 2) ??
          `${service.name} does not stay up; its log is ${log} (npm run logs -- ${service.name}).`,
      );
    });
  });
}

module.exports = { reasonOfFailure };
