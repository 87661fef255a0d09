/** What starts Parley with the machine or the login: the same shape for each system, made by pure functions. */
const { createHash } = require('node:crypto');
const { UserError } = require('../set/user-error.cjs');

/**
 * @typedef {object} Start what an entry has to know of this machine
 * @property {string} node absolute path of the running Node
 * @property {string} startScript
 * @property {string} stopScript
 * @property {string} root folder of the checkout
 * @property {Record<string, string>} environment what the set needs that the system does not give by itself
 * @property {string} configFolder where this user's programs keep their configuration
 * @property {string} home
 * @property {string} user a number, on Windows a name
 * @property {string} dataDir
 * @property {string} logsDir
 */

/** @typedef {{ program: string, words: string[] }} Command */
/** @typedef {{ code: number | null, stdout: string, stderr: string }} Outcome `code` is null when there is no such program */

/**
 * @typedef {object} BootEntry
 * @property {string} kind as a person calls it
 * @property {string} file
 * @property {string} text
 * @property {'utf8' | 'utf16le'} encoding
 * @property {string[]} folders that must be there before it is enabled
 * @property {Command[]} clear what an earlier entry of ours needs before `enable`; may fail
 * @property {Command[]} enable
 * @property {(installed: string) => Command[]} disable run before the file is removed; what is stopped is what the entry
 *   starts that is installed, whatever this shell says
 * @property {Command[]} forget run after that
 * @property {Command} manager asks whether the system's own manager can be used at all
 * @property {(outcome: Outcome) => string | null} whyUnusable with what to do; null when it can be used
 * @property {Command | null} registered shows what is registered under our name where that is not the file itself
 * @property {Command} look
 * @property {(outcome: Outcome) => boolean} isActive
 * @property {string} afterwards what a person should know once it is installed
 */

const AUTHOR = 'Written by Parley';

/** Says in the entry itself whose it is. A number in the place of the path, which a comment could not always hold. @param {string} root */
const markOf = (root) => `${AUTHOR}, checkout ${createHash('sha256').update(root).digest('hex').slice(0, 16)}`;

/**
 * Whose an entry is that is there already.
 * @param {string} text
 * @param {string} root
 * @returns {'ours' | 'another checkout' | 'somebody else'}
 */
function ownerOf(text, root) {
  if (text.includes(markOf(root))) return 'ours';
  return text.includes(AUTHOR) ? 'another checkout' : 'somebody else';
}

/**
 * None of the three formats has a safe place for a line break in a path.
 * @param {Start} start
 * @throws {UserError}
 */
function checkPaths(start) {
  const texts = [start.node, start.startScript, start.stopScript, start.logsDir, ...Object.values(start.environment)];
  const odd = texts.find((text) => /\p{Cc}/u.test(text));
  if (odd !== undefined)
    throw new UserError(
      `${JSON.stringify(odd)} has a line break or another control character in it, which no service can name. Rename it first.`,
    );
}

/** @param {string} text */
const escapeXml = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** @param {string} text that `escapeXml` wrote, or another program that means the same */
const unescapeXml = (text) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&');

/** @param {Start} start @param {string | undefined} dataDir of the set; undefined: no entry names one @returns {Command} */
const stopCommand = ({ node, stopScript }, dataDir) => ({
  program: node,
  words: [stopScript, ...(dataDir === undefined ? [] : ['--data-dir', dataDir])],
});

module.exports = { checkPaths, escapeXml, markOf, ownerOf, stopCommand, unescapeXml };
