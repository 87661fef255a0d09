const path = require('node:path');
const { markOf } = require('./boot-entry.cjs');

/** @typedef {import('./boot-entry.cjs').Start} Start */
/** @typedef {import('./boot-entry.cjs').BootEntry} BootEntry */

const UNIT = 'parley.service';
/** What `systemctl is-system-running` says of a manager that takes orders; else it is offline, or cannot be asked. */
const RUNNING = ['initializing', 'starting', 'running', 'degraded', 'maintenance'];

/** In double quotes, where systemd knows C's escapes and still replaces %h and the like. @param {string} text */
const quoted = (text) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%')}"`;

/** In arguments, though not in the program, systemd replaces variables as well. @param {string} text */
const argument = (text) => quoted(text).replaceAll('$', '$$$$');

/**
 * A command line. systemd refuses a program whose path has quotes or backslashes, however they are written, but takes them in
 * arguments: a shell that becomes the program gets over that.
 * @param {string} program
 * @param {string} word
 */
const commandLine = (program, word) =>
  /["'\\$]/.test(program)
    ? `/bin/sh -c ${argument('exec "$0" "$@"')} ${argument(program)} ${argument(word)}`
    : `${quoted(program)} ${argument(word)}`;

const systemctl = (/** @type {string[]} */ ...words) => ({ program: 'systemctl', words: ['--user', ...words] });

/**
 * `npm start` returns when the set answers, and leaves PM2's daemon and the processes in the unit's control group: to
 * systemd that is a oneshot that remains. `forking` with PM2's pid file would be refused whenever a person has started the
 * set by hand; so PM2 watches the processes, and systemd starts and stops.
 * @param {Start} start
 * @returns {BootEntry}
 */
function systemdUnit(start) {
  const environment = Object.entries(start.environment).map(
    ([name, value]) => `Environment=${quoted(`${name}=${value}`)}`,
  );
  const lines = [
    `# ${markOf(start.root)}. npm run service -- uninstall removes it.`,
    '[Unit]',
    'Description=Parley',
    '',
    '[Service]',
    'Type=oneshot',
    'RemainAfterExit=yes',
    ...environment,
    `ExecStart=${commandLine(start.node, start.startScript)}`,
    `ExecStop=${commandLine(start.node, start.stopScript)}`,
    '# A start after an update installs and builds first.',
    'TimeoutStartSec=600',
    'TimeoutStopSec=60',
    '',
    '[Install]',
    'WantedBy=default.target',
  ];
  return {
    kind: 'systemd unit of your user',
    file: path.posix.join(start.configFolder, 'systemd', 'user', UNIT),
    text: `${lines.join('\n')}\n`,
    encoding: 'utf8',
    folders: [],
    clear: [],
    enable: [systemctl('daemon-reload'), systemctl('enable', '--now', UNIT)],
    // The unit stops with its own environment.
    disable: () => [systemctl('disable', '--now', UNIT)],
    forget: [systemctl('daemon-reload')],
    manager: systemctl('is-system-running'),
    whyUnusable: ({ code, stdout, stderr }) => {
      if (code === null) return 'There is no systemd on this machine: have whatever starts its programs run npm start.';
      const state = stdout.trim();
      if (RUNNING.includes(state)) return null;
      return (
        `systemd's manager of your user does not run here (${state || stderr.trim() || 'no answer'}). Log in to a session ` +
        'of your own rather than by su or sudo, or run loginctl enable-linger as this user, then repeat this. In a container ' +
        'let the container start Parley.'
      );
    },
    registered: null,
    look: systemctl('show', '--property=ActiveState,UnitFileState', UNIT),
    isActive: ({ stdout }) => {
      const lines = stdout.split('\n').map((line) => line.trim());
      return lines.includes('ActiveState=active') && lines.includes('UnitFileState=enabled');
    },
    afterwards:
      'It starts at your login. To have it start with the machine, before anybody logs in: loginctl enable-linger. What it ' +
      'says: journalctl --user -u parley.',
  };
}

module.exports = { systemdUnit };
