const path = require('node:path');
const { escapeXml, markOf, stopCommand, unescapeXml } = require('./boot-entry.cjs');

/** @typedef {import('./boot-entry.cjs').Start} Start */
/** @typedef {import('./boot-entry.cjs').BootEntry} BootEntry */

const LABEL = 'local.parley';
/** Decimal, since a property list knows no octal: nobody but the owner reads the log. */
const OWNER_ONLY = 0o077;

const string = (/** @type {string} */ text) => `<string>${escapeXml(text)}</string>`;

/** @param {string} text of an agent */
function dataDirIn(text) {
  const [, found] = /<key>SIM_DATA_DIR<\/key>\s*<string>([^<]*)<\/string>/.exec(text) ?? [];
  return found === undefined ? undefined : unescapeXml(found);
}

/**
 * `npm start` returns when the set answers. launchd would then end all that it has left in its process group, so it is told
 * not to.
 * @param {Start} start
 * @returns {BootEntry}
 */
function launchAgent(start) {
  const file = path.posix.join(start.home, 'Library', 'LaunchAgents', `${LABEL}.plist`);
  const domain = `gui/${start.user}`;
  const log = string(path.posix.join(start.logsDir, 'start.log'));
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    `<!-- ${markOf(start.root)}. npm run service removes it. -->`,
    '<plist version="1.0">',
    '<dict>',
    `  <key>Label</key>${string(LABEL)}`,
    '  <key>ProgramArguments</key>',
    `  <array>${string(start.node)}${string(start.startScript)}</array>`,
    '  <key>EnvironmentVariables</key>',
    '  <dict>',
    ...Object.entries(start.environment).map(([name, value]) => `    <key>${name}</key>${string(value)}`),
    '  </dict>',
    '  <key>RunAtLoad</key><true/>',
    '  <key>AbandonProcessGroup</key><true/>',
    `  <key>StandardOutPath</key>${log}`,
    `  <key>StandardErrorPath</key>${log}`,
    `  <key>Umask</key><integer>${OWNER_ONLY}</integer>`,
    '</dict>',
    '</plist>',
  ];
  return {
    kind: 'launchd agent of your user',
    file,
    text: `${lines.join('\n')}\n`,
    encoding: 'utf8',
    folders: [start.logsDir],
    // An agent that is loaded already cannot be loaded again.
    clear: [{ program: 'launchctl', words: ['bootout', `${domain}/${LABEL}`] }],
    enable: [{ program: 'launchctl', words: ['bootstrap', domain, file] }],
    disable: (installed) => [
      { program: 'launchctl', words: ['bootout', `${domain}/${LABEL}`] },
      stopCommand(start, dataDirIn(installed)),
    ],
    forget: [],
    manager: { program: 'launchctl', words: ['print', domain] },
    whyUnusable: ({ code }) =>
      code === 0
        ? null
        : 'launchd has no session of your user here. Log in at the screen of this Mac, then repeat this in its Terminal.',
    registered: null,
    look: { program: 'launchctl', words: ['print', `${domain}/${LABEL}`] },
    isActive: ({ code }) => code === 0,
    afterwards: `It starts at your login. What it says is in ${path.posix.join(start.logsDir, 'start.log')}.`,
  };
}

module.exports = { launchAgent };
