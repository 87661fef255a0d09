const { spawn } = require('node:child_process');
const { say } = require('../set/user-error.cjs');

/**
 * Runs a long command; says what is going on, and how long it has taken, on stderr: one moving line in a terminal, a
 * line every half minute elsewhere. The command's own output is kept for the case that it fails.
 * @param {{ title: string, command: string, words: string[], cwd: string, environment: NodeJS.ProcessEnv, shell?: boolean }} task
 * @returns {Promise<{ code: number, output: string }>}
 */
function runWithProgress({ title, command, words, cwd, environment, shell = false }) {
  const begun = Date.now();
  const seconds = () => Math.round((Date.now() - begun) / 1000);
  const isTerminal = process.stderr.isTTY === true;
  if (!isTerminal) say(`${title}…`);
  const timer = setInterval(
    () => {
      if (isTerminal) process.stderr.write(`\r${title}… ${seconds()} s `);
      else say(`${title}… ${seconds()} s`);
    },
    isTerminal ? 500 : 30_000,
  );
  return new Promise((resolve, reject) => {
    const child = spawn(command, words, { cwd, env: environment, shell, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (data) => (output += data));
    child.stderr.on('data', (data) => (output += data));
    child.once('error', (error) => {
      clearInterval(timer);
      reject(error);
    });
    child.once('close', (code) => {
      clearInterval(timer);
      if (isTerminal) process.stderr.write('\r\x1b[K');
      if (code === 0 && seconds() > 0) say(`${title}: done in ${seconds()} s.`);
      resolve({ code: code ?? 1, output });
    });
  });
}

module.exports = { runWithProgress };
