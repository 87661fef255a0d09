/** Installs, removes and shows what starts Parley with the machine. Nothing happens that was not shown before. */
const { mkdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const { UserError } = require('../set/user-error.cjs');
const { ownerOf } = require('./boot-entry.cjs');

/** @typedef {import('./boot-entry.cjs').BootEntry} BootEntry */
/** @typedef {import('./boot-entry.cjs').Command} Command */
/** @typedef {import('./boot-entry.cjs').Outcome} Outcome */

/**
 * @typedef {object} Surroundings
 * @property {string} root folder of the checkout
 * @property {(command: Command) => Outcome} run
 * @property {((question: string) => Promise<string>) | null} ask null where nobody can be asked
 * @property {boolean} isAgreed nobody needs to be asked
 * @property {(text: string) => void} print
 * @property {(line: string) => void} say
 */

/** Exit code of `status` when nothing is installed, as that of `npm run status` when nothing runs. */
const EXIT_ABSENT = 3;

/** For reading, not for pasting: only what a shell would take apart is put in quotes. @param {Command} command */
const shown = ({ program, words }) =>
  [program, ...words].map((word) => (/^[\w@%+=:,./\\-]+$/.test(word) ? word : `'${word}'`)).join(' ');

/** @param {Outcome} outcome */
const complaint = ({ code, stdout, stderr }) =>
  code === null
    ? 'there is no such program'
    : `it ended with code ${code}: ${(stderr.trim() || stdout.trim() || 'no word').slice(0, 1_000)}`;

/** @param {BootEntry} entry @returns {string | null} */
function readEntry({ file, encoding }) {
  try {
    return readFileSync(file, encoding);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return null;
    throw new UserError(`${file} cannot be read: ${/** @type {Error} */ (error).message}.`);
  }
}

/**
 * @param {BootEntry} entry
 * @param {Surroundings} around
 * @returns {{ file: string | null, registered: string | null }} what of it is there already, all of it ours
 * @throws {UserError} when it is not ours: it is never touched
 */
function findOurs(entry, { root, run }) {
  const file = readEntry(entry);
  const answer = entry.registered === null ? null : run(entry.registered);
  // A program of Windows may answer in an encoding of two bytes a letter.
  const registered = answer?.code === 0 ? answer.stdout.replaceAll('\0', '') : null;
  for (const [place, text] of [
    [entry.file, file],
    ['The scheduled task Parley', registered],
  ]) {
    const owner = text === null || text === undefined ? 'ours' : ownerOf(text, root);
    if (owner === 'another checkout')
      throw new UserError(
        `${place} belongs to another checkout of Parley. Run npm run service -- uninstall there first.`,
      );
    if (owner === 'somebody else')
      throw new UserError(
        `${place} is there already and was not written by Parley: it is left alone. Move it away first.`,
      );
  }
  return { file, registered };
}

/** @param {Surroundings} around @param {string} question @param {string} nobody what to say where nobody can be asked */
async function isAgreed({ isAgreed: given, ask, say }, question, nobody) {
  if (given) return true;
  if (ask === null) {
    say(nobody);
    return false;
  }
  const agreed = /^y(es)?$/i.test((await ask(`${question} [y/N] `)).trim());
  if (!agreed) say('Nothing was changed.');
  return agreed;
}

/**
 * @param {BootEntry} entry
 * @param {Surroundings} around
 * @returns {Promise<number>} exit code
 * @throws {UserError}
 */
async function install(entry, around) {
  const { run, print, say } = around;
  print(`A ${entry.kind}, ${entry.file}:\n\n${entry.text.replace('\ufeff', '')}\nThen these are run:\n`);
  const before = findOurs(entry, around);
  const commands = [...(before.file === null ? [] : entry.clear), ...entry.enable];
  for (const command of commands) print(`  ${shown(command)}\n`);
  const why = entry.whyUnusable(run(entry.manager));
  if (why !== null) throw new UserError(`${why} Nothing was written.`);
  const nobody = 'Nothing was written: there is no terminal to ask in. Add --yes to have it done.';
  if (!(await isAgreed(around, 'Write this file and run these commands?', nobody))) return 1;

  for (const folder of [path.dirname(entry.file), ...entry.folders])
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Not over a file that has appeared meanwhile.
  writeFileSync(entry.file, entry.text, {
    encoding: entry.encoding,
    mode: 0o600,
    flag: before.file === null ? 'wx' : 'w',
  });
  for (const command of commands) {
    const outcome = run(command);
    if (outcome.code !== 0 && !entry.clear.includes(command))
      throw new UserError(
        `${shown(command)} did not succeed: ${complaint(outcome)}\n${entry.file} is written, but not in force. Mend what is ` +
          'named and repeat this, or run npm run service -- uninstall.',
      );
  }
  if (!entry.isActive(run(entry.look)))
    throw new UserError(`The commands succeeded, but ${shown(entry.look)} does not say that it is active. Look there.`);
  say(`Installed: ${entry.file}. ${entry.afterwards}`);
  return 0;
}

/**
 * @param {BootEntry} entry
 * @param {Surroundings} around
 * @returns {Promise<number>} exit code
 * @throws {UserError}
 */
async function uninstall(entry, around) {
  const { run, print, say } = around;
  const { file, registered } = findOurs(entry, around);
  const installed = file ?? registered;
  if (installed === null) {
    say('Nothing is installed.');
    return 0;
  }
  const list = (/** @type {Command[]} */ commands) => commands.map((command) => `  ${shown(command)}\n`).join('');
  const disable = entry.disable(installed);
  print(`These are run, which also stops Parley:\n${list(disable)}`);
  print(`This file is removed:\n  ${entry.file}\n${entry.forget.length > 0 ? `Then:\n${list(entry.forget)}` : ''}`);
  const nobody = 'Nothing was removed: there is no terminal to ask in. Add --yes to have it done.';
  if (!(await isAgreed(around, 'Do this?', nobody))) return 1;
  let failed = 0;
  const attempt = (/** @type {Command} */ command) => {
    const outcome = run(command);
    if (outcome.code === 0) return;
    failed += 1;
    say(`${shown(command)} did not succeed: ${complaint(outcome)}`);
  };
  disable.forEach(attempt);
  rmSync(entry.file, { force: true });
  entry.forget.forEach(attempt);
  say(failed === 0 ? 'Removed.' : `${entry.file} is removed, but not all of the rest was done; see above.`);
  return failed === 0 ? 0 : 1;
}

/**
 * @param {BootEntry} entry
 * @param {Surroundings} around
 * @returns {number} exit code: 0 when it is there and active, 1 when it is there and not, 3 when it is not there
 * @throws {UserError}
 */
function status(entry, around) {
  const { file, registered } = findOurs(entry, around);
  if ((entry.registered === null ? file : registered) === null) {
    around.print(`not installed (it would be a ${entry.kind}, ${entry.file})\n`);
    return EXIT_ABSENT;
  }
  const outcome = around.run(entry.look);
  const active = entry.isActive(outcome);
  around.print(
    `installed: ${entry.file}\n${active ? 'active' : `not active: ${complaintOf(entry, around, outcome)}`}\n`,
  );
  if (file !== null && file !== entry.text)
    around.say('It was written for another Node, folder or environment: npm run service -- install writes it anew.');
  return active ? 0 : 1;
}

/** @param {BootEntry} entry @param {Surroundings} around @param {Outcome} outcome */
function complaintOf(entry, { run }, outcome) {
  const why = entry.whyUnusable(run(entry.manager));
  if (why !== null) return why;
  if (outcome.code !== 0) return complaint(outcome);
  return `${outcome.stdout.trim().replaceAll(/\s+/g, ' ').slice(0, 200)} (it starts at the next login, or look at its log)`;
}

module.exports = { install, status, uninstall };
