/**
 * npm run service -- install | uninstall | status: has the system start Parley at login, and with the machine where it can.
 * What would be written and run is printed first, and asked about.
 *
 * --yes  does not ask. Without it and without a terminal, nothing but the printing is done.
 * Exit code: 0 when it was done (`status`: installed and active), 1 when not, 3 when `status` finds nothing installed.
 */
const { spawnSync } = require('node:child_process');
const os = require('node:os');
const path = require('node:path');
const { createInterface } = require('node:readline/promises');
const { parseArgs } = require('node:util');
const { checkPaths } = require('./boot/boot-entry.cjs');
const { install, status, uninstall } = require('./boot/keep-entry.cjs');
const { launchAgent } = require('./boot/launch-agent.cjs');
const { scheduledTask } = require('./boot/scheduled-task.cjs');
const { systemdUnit } = require('./boot/systemd-unit.cjs');
const { bootEnvironment } = require('./boot/boot-environment.cjs');
const { readProject } = require('./set/project.cjs');
const { UserError, runCommand, say } = require('./set/user-error.cjs');

/** @typedef {import('./boot/boot-entry.cjs').Start} Start */
/** @typedef {import('./boot/boot-entry.cjs').BootEntry} BootEntry */

/** Longer than the start that it waits for may take. */
const DEADLINE_MS = 11 * 60_000;

/** @type {Partial<Record<NodeJS.Platform, (start: Start) => BootEntry>>} */
const ENTRIES = { linux: systemdUnit, darwin: launchAgent, win32: scheduledTask };
const ACTIONS = { install, uninstall, status };

/** @param {string} question */
async function ask(question) {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question(question);
  } finally {
    terminal.close();
  }
}

runCommand(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { yes: { type: 'boolean', default: false } },
  });
  const [name] = positionals;
  const action = Object.entries(ACTIONS).find(([known]) => known === name)?.[1];
  if (action === undefined || positionals.length !== 1)
    throw new UserError('Say what to do: npm run service -- install, uninstall or status.');
  const entryFor = ENTRIES[process.platform];
  if (entryFor === undefined)
    throw new UserError(`Parley does not know how ${process.platform} starts programs: have it run npm start.`);

  const project = readProject();
  const { environment } = project;
  const home = os.homedir();
  const user = os.userInfo().username;
  const configHome = environment['XDG_CONFIG_HOME'] ?? '';
  const left = project.shellSettings.filter((setting) => setting !== 'SIM_DATA_DIR');
  /** @type {Start} */
  const start = {
    node: process.execPath,
    startScript: path.join(project.root, 'scripts', 'start.cjs'),
    stopScript: path.join(project.root, 'scripts', 'stop.cjs'),
    root: project.root,
    environment: bootEnvironment(project),
    configFolder: path.isAbsolute(configHome) ? configHome : path.join(home, '.config'),
    home,
    user: process.getuid === undefined ? `${environment['USERDOMAIN'] ?? '.'}\\${user}` : String(process.getuid()),
    dataDir: project.dataDir,
    logsDir: project.logsDir,
  };
  checkPaths(start);
  if (left.length > 0 && name === 'install')
    say(
      `Note: ${left.join(', ')} of this shell will not be known at login; write them into ${path.join(project.root, '.env')}.`,
    );
  return action(entryFor(start), {
    root: project.root,
    run: ({ program, words }) => {
      const result = spawnSync(program, words, {
        // Where the data lies the entry says, and not this shell.
        env: { ...environment, SIM_DATA_DIR: undefined },
        encoding: 'utf8',
        timeout: DEADLINE_MS,
        windowsHide: true,
      });
      const isMissing = /** @type {NodeJS.ErrnoException | undefined} */ (result.error)?.code === 'ENOENT';
      return {
        code: isMissing ? null : (result.status ?? 1),
        stdout: result.stdout ?? '',
        stderr: result.stderr || (result.error?.message ?? ''),
      };
    },
    ask: process.stdin.isTTY === true ? ask : null,
    isAgreed: values.yes,
    print: (text) => void process.stdout.write(text),
    say,
  });
});
