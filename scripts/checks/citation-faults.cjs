const { existsSync, readdirSync, readFileSync } = require('node:fs');
const path = require('node:path');

const SKIPPED = new Set(['node_modules', 'dist', '.git', '.pm2', 'data', 'coverage']);
const FOLDERS = ['shared', 'services', 'scripts', 'test', 'packs'];
const SOURCES = /\.(ts|tsx|cts|cjs|mjs|js)$/;
/** A page of the repository, and behind a comma the heading of a part of it: `docs/contract.md, Limits`. */
const CITATION = /\b(docs\/[\w./-]+\.md)(?:, (?=[A-Z]))?/g;
const COMMENTS = /\/\*[\s\S]*?\*\/|(?<!:)\/\/[^\n]*(?:\n[ \t]*\/\/[^\n]*)*/g;

/** @param {string} root @param {string} folder @param {RegExp} names @returns {string[]} paths from the root */
function filesIn(root, folder, names) {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const place = path.join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : filesIn(root, place, names);
    return entry.isFile() && names.test(entry.name) ? [place] : [];
  });
}

/** @param {string} page its text, without what stands in code blocks @returns {string[]} */
const headingsOf = (page) =>
  [...page.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => heading.trim());

/** The anchor of a heading, as GitHub makes it. @param {string} heading */
const anchorOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');

/** One line, without the marks that comments have at the beginning of theirs. @param {string} comment */
const flowing = (comment) =>
  comment
    .split('\n')
    .map((line) => line.trim().replace(/^(?:\*(?!\/)|\/\/) ?/, ''))
    .join(' ');

/** @param {string} text behind the comma @param {string} heading */
const beginsWith = (text, heading) => text.startsWith(heading) && !/^[\p{L}\p{N}_-]/u.test(text.slice(heading.length));

/**
 * Pages and headings that comments cite and that are not there.
 * @param {string} root
 * @returns {string[]}
 */
function findCitationFaults(root) {
  /** @type {Map<string, string[] | null>} headings by page; null: there is no such page */
  const pages = new Map();
  const headings = (/** @type {string} */ page) => {
    const known = pages.get(page);
    if (known !== undefined) return known;
    const file = path.join(root, page);
    const found = existsSync(file) ? headingsOf(readFileSync(file, 'utf8')) : null;
    pages.set(page, found);
    return found;
  };
  /** @type {string[]} */
  const faults = [];
  const sources = FOLDERS.filter((folder) => existsSync(path.join(root, folder))).flatMap((folder) =>
    filesIn(root, folder, SOURCES),
  );
  for (const source of sources)
    for (const [comment] of readFileSync(path.join(root, source), 'utf8').matchAll(COMMENTS)) {
      const text = flowing(comment);
      for (const { 0: whole, 1: page = '', index } of text.matchAll(CITATION)) {
        const known = headings(page);
        const rest = text.slice(index + whole.length);
        if (known === null) faults.push(`${source} cites ${page}, which does not exist`);
        else if (whole.endsWith(', ') && !known.some((heading) => beginsWith(rest, heading)))
          faults.push(`${source} cites ${page}, ${rest.slice(0, 40).trim()} …: no heading of that page`);
      }
    }
  return faults;
}

/**
 * Links between the pages of the repository that lead to no file, or to no heading of one.
 * @param {string} root
 * @returns {string[]}
 */
function findLinkFaults(root) {
  const pages = ['README.md', ...filesIn(root, 'docs', /\.md$/)];
  return pages.flatMap((page) => {
    const text = readFileSync(path.join(root, page), 'utf8').replace(/^```[\s\S]*?^```/gm, '');
    return [...text.matchAll(/\]\(([^()\s]+)\)/g)].flatMap(([, link = '']) => {
      if (/^[a-z]+:/.test(link)) return [];
      const [name = '', anchor] = link.split('#');
      const target = name === '' ? page : path.join(path.dirname(page), name);
      const file = path.join(root, target);
      if (!existsSync(file)) return [`${page} links to ${link}, which does not exist`];
      if (anchor === undefined || headingsOf(readFileSync(file, 'utf8')).some((one) => anchorOf(one) === anchor))
        return [];
      return [`${page} links to ${link}: ${target} has no such heading`];
    });
  });
}

module.exports = { findCitationFaults, findLinkFaults };
