const path = require('node:path');
const { UserError } = require('../set/user-error.cjs');
const { escapeXml, markOf, stopCommand, unescapeXml } = require('./boot-entry.cjs');

/** @typedef {import('./boot-entry.cjs').Start} Start */
/** @typedef {import('./boot-entry.cjs').BootEntry} BootEntry */

const TASK = 'Parley';

/** No path of Windows has a quote in it; a backslash before the closing one would take it in. @param {string} text */
function quoted(text) {
  let end = text.length;
  while (text[end - 1] === '\\') end -= 1;
  return `"${text}${text.slice(end)}"`;
}

/** @param {string} text of a task */
function dataDirIn(text) {
  const [, words = ''] = /<Arguments>([^<]*)<\/Arguments>/.exec(text) ?? [];
  const [, found] = /" --data-dir "([^"]*)"$/.exec(unescapeXml(words)) ?? [];
  if (found === undefined) return undefined;
  let end = found.length;
  while (found[end - 1] === '\\') end -= 1;
  // `quoted` has written those at the end twice.
  return found.slice(0, (end + found.length) / 2);
}

/**
 * The scheduler replaces %NAME% and $(Arg0), and knows no way to write them as they are.
 * @param {string[]} texts
 * @throws {UserError}
 */
function checkVariables(texts) {
  const odd = texts.find((text) => /%[^%]*%|\$\(/.test(text));
  if (odd !== undefined)
    throw new UserError(`A scheduled task would read a variable in ${JSON.stringify(odd)}. Rename that folder first.`);
}

/**
 * A definition as a file rather than by options: those would end Parley after three days, never start it on battery, and
 * ask an administrator for a start at login.
 * @param {Start} start
 * @returns {BootEntry}
 */
function scheduledTask(start) {
  const dataDir = start.environment['SIM_DATA_DIR'];
  checkVariables([start.node, start.startScript, dataDir ?? '']);
  const words = [quoted(start.startScript), ...(dataDir === undefined ? [] : ['--data-dir', quoted(dataDir)])];
  const file = path.win32.join(start.dataDir, 'parley-task.xml');
  const lines = [
    '<?xml version="1.0" encoding="UTF-16"?>',
    '<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">',
    `  <RegistrationInfo><Description>${markOf(start.root)}. npm run service removes it.</Description></RegistrationInfo>`,
    `  <Triggers><LogonTrigger><UserId>${escapeXml(start.user)}</UserId></LogonTrigger></Triggers>`,
    '  <Principals>',
    '    <Principal id="Author">',
    `      <UserId>${escapeXml(start.user)}</UserId>`,
    '      <LogonType>InteractiveToken</LogonType>',
    '      <RunLevel>LeastPrivilege</RunLevel>',
    '    </Principal>',
    '  </Principals>',
    '  <Settings>',
    '    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>',
    '    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>',
    '    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>',
    '    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>',
    '  </Settings>',
    '  <Actions Context="Author">',
    '    <Exec>',
    `      <Command>${escapeXml(quoted(start.node))}</Command>`,
    `      <Arguments>${escapeXml(words.join(' '))}</Arguments>`,
    '    </Exec>',
    '  </Actions>',
    '</Task>',
  ];
  const registered = { program: 'schtasks', words: ['/query', '/tn', TASK, '/xml'] };
  return {
    kind: 'scheduled task of Windows',
    file,
    // The byte order mark tells the scheduler the encoding.
    text: `\ufeff${lines.join('\r\n')}\r\n`,
    encoding: 'utf16le',
    folders: [],
    clear: [],
    // /f replaces a task of that name; one that is not ours was refused before.
    enable: [
      { program: 'schtasks', words: ['/create', '/tn', TASK, '/xml', file, '/f'] },
      { program: 'schtasks', words: ['/run', '/tn', TASK] },
    ],
    disable: (installed) => [
      { program: 'schtasks', words: ['/delete', '/tn', TASK, '/f'] },
      stopCommand(start, dataDirIn(installed)),
    ],
    forget: [],
    manager: registered,
    whyUnusable: ({ code }) => (code === null ? 'schtasks, which comes with Windows, cannot be found.' : null),
    registered,
    look: registered,
    isActive: ({ code, stdout }) => code === 0 && !stdout.includes('<Enabled>false</Enabled>'),
    afterwards: 'It starts at your login, in a window that closes when Parley is ready.',
  };
}

module.exports = { scheduledTask };
