/** Something that only a person can mend: shown as its one line, without a stack. */
class UserError extends Error {}

/** @param {string} line goes to stderr: stdout is for data */
const say = (line) => void process.stderr.write(`${line}\n`);

/**
 * Runs a command of the project; an exit code other than 0 is what `main` answers, or 1 after an error.
 * @param {() => Promise<number | void>} main
 */
function runCommand(main) {
  // Whoever reads the output may have seen enough, as `| head` does.
  process.stdout.on('error', (error) => {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EPIPE') throw error;
    process.exit(0);
  });
  main().then(
    (code) => {
      process.exitCode = code ?? 0;
    },
    (error) => {
      say(error instanceof UserError ? error.message : String(error?.stack ?? error));
      process.exitCode = 1;
    },
  );
}

module.exports = { UserError, runCommand, say };
