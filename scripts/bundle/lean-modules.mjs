/** What a process need not load at its start, told to the bundler. Why and how much: docs/decisions, "production bundles". */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseAst } from 'rolldown/parseAst';

/** Media types that Parley sends or takes in; the whole table of the world's is half a megabyte of source. */
const MEDIA_TYPES =
  /^(application\/(json|octet-stream|problem\+json|x-ndjson|zip|javascript|manifest\+json|wasm|xml|pdf|x-www-form-urlencoded)|text\/(html|plain|css|javascript|markdown|csv|xml)|image\/(png|jpeg|gif|webp|avif|svg\+xml|x-icon|vnd\.microsoft\.icon)|audio\/(mpeg|ogg|wav|webm)|font\/(woff|woff2|ttf|otf)|multipart\/form-data)$/;

/** Dialects of knex whose drivers are not installed: left to `require`, which fails with the name of what is missing. */
const OTHER_DIALECTS = /^\.\/(cockroachdb|mssql|mysql|mysql2|mariadb|oracle|oracledb|pgnative|postgres|redshift)$/;

/**
 * Left out of the bundle and loaded by the first call, if one ever comes: pino-roll asks date-fns only when files roll by
 * date, and ours roll by size.
 */
const LATE_FUNCTIONS = {
  'date-fns': ['format', 'addDays', 'addHours', 'parse', 'isValid'],
  https: ['request', 'get'],
  tls: ['connect'],
};

/** `require` by another name, which the bundler leaves alone. */
const LOAD = `const load = require('node:module').createRequire(__filename);\n`;

/** prom-client without pushing, clusters and summaries; what it says of the process comes with the first look. */
const PROM_CLIENT = `
exports.Registry = require('./lib/registry.js');
exports.Counter = require('./lib/counter.js');
exports.Gauge = require('./lib/gauge.js');
exports.Histogram = require('./lib/histogram.js');
exports.collectDefaultMetrics = (options) => load('prom-client').collectDefaultMetrics(options);
`;

/** @param {keyof typeof LATE_FUNCTIONS} name */
const lateModule = (name) =>
  LATE_FUNCTIONS[name]
    .map((member) => `exports.${member} = (...args) => load('${name}').${member}(...args);`)
    .join('\n');

/** Members of a row that only the documents tell, and those that only the process which answers looks at. */
const DOCUMENTATION = new Set(['summary', 'tag']);
const OF_THE_REQUEST = new Set(['params', 'query', 'headers', 'body']);

/**
 * @typedef {object} RowUse what a process has to know of a row of the route table
 * @property {boolean} answers it checks requests itself
 * @property {boolean} calls it reads the answers of another process
 */

/**
 * The responses of a row without their schemas: they are checked where they are read. What the process itself answers is
 * checked in tests and development, which do not run bundles.
 * @param {any} value @param {string} code
 */
function bareResponses(value, code) {
  if (value.type === 'CallExpression' && value.callee.name === 'ok') return '{ 200: {} }';
  if (value.type !== 'ObjectExpression')
    throw new Error(`responses of an unknown form: ${code.slice(value.start, value.end)}`);
  return `{ ${value.properties.map((/** @type {any} */ one) => `${one.key.value}: {}`).join(', ')} }`;
}

/**
 * @param {any} row @param {RowUse} use @param {string} code
 * @returns {{ start: number, end: number, text: string }[]}
 */
function rowEdits(row, use, code) {
  const shape = row.value.type === 'CallExpression' ? row.value.arguments[0] : row.value;
  return shape.properties.flatMap((/** @type {any} */ member) => {
    if (member.type !== 'Property') return [];
    const { name } = member.key;
    const drop = DOCUMENTATION.has(name) || (OF_THE_REQUEST.has(name) && !use.answers);
    if (drop) return [{ start: member.start, end: member.end, text: '...{}' }];
    if (name !== 'responses' || use.calls) return [];
    return [{ start: member.value.start, end: member.value.end, text: bareResponses(member.value, code) }];
  });
}

/**
 * Contracts are made by calls that only make: told so, the bundler leaves out those that a process does not use. An
 * immediately called function is the one form in which the mark holds for a chain of calls.
 * @param {ReturnType<typeof parseAst>} program
 * @param {string} code that it was parsed from
 * @param {ReadonlyMap<string, RowUse>} uses rows of the route table that a process has to know
 * @returns {{ start: number, end: number, text: string }[]} edits in the order of the text
 */
function contractEdits(program, code, uses) {
  const edits = [];
  for (const statement of program.body) {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declaration?.type !== 'VariableDeclaration') continue;
    for (const { id, init } of declaration.declarations) {
      if (init === null || id.type !== 'Identifier') continue;
      let value = init;
      while (value.type === 'TSAsExpression' || value.type === 'TSSatisfiesExpression') value = value.expression;
      if (value.type !== 'CallExpression' && value.type !== 'ObjectExpression') continue;
      edits.push({ start: init.start, end: init.start, text: '/* @__PURE__ */ (() => (' });
      if (/_ROUTES$/.test(id.name) && value.type === 'ObjectExpression')
        for (const row of value.properties) {
          if (row.type !== 'Property' || row.key.type !== 'Identifier') continue;
          const use = uses.get(row.key.name);
          if (use === undefined) edits.push({ start: row.start, end: row.end, text: '...{}' });
          else edits.push(...rowEdits(row, use, code));
        }
      edits.push({ start: init.end, end: init.end, text: '))()' });
    }
  }
  return edits;
}

/** @param {string} code @param {ReturnType<typeof contractEdits>} edits */
function applied(code, edits) {
  let result = '';
  let at = 0;
  for (const { start, end, text } of edits) {
    result += code.slice(at, start) + text;
    at = end;
  }
  return result + code.slice(at);
}

/** The documents of the API, made when the bundle is: read from beside it when somebody asks for them. */
const WRITTEN_DOCUMENTS = `
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const read = (name) => JSON.parse(readFileSync(join(__dirname, 'documents', name), 'utf8'));
exports.buildOpenApi = () => read('openapi.json');
exports.buildAsyncApi = () => read('asyncapi.json');
exports.renderDocsPage = () => read('docs-page.json');
`;

/**
 * @param {string} root of the project
 * @param {ReadonlyMap<string, RowUse>} uses rows of the route table that the process has to know
 * @returns {import('rolldown').Plugin}
 */
export function leanModules(root, uses) {
  const contracts = path.join(root, 'shared', 'contracts') + path.sep;
  const prom = path.join(root, 'node_modules', 'prom-client', 'parley-entry.cjs');
  return {
    name: 'lean-modules',
    resolveId(source, importer) {
      if (source === '@parley/shared/documents') return '\0documents';
      if (source === 'date-fns') return `\0late:${source}`;
      if (source === 'prom-client') return prom;
      // ws is a client too, which nobody here uses: without it session-api does without TLS.
      if (importer !== undefined && /[\\/]ws[\\/]lib[\\/]/.test(importer) && /^(https|tls)$/.test(source))
        return `\0late:${source}`;
      if (importer?.endsWith(path.join('knex', 'lib', 'dialects', 'index.js')) && OTHER_DIALECTS.test(source))
        return { id: `knex/lib/dialects/${source.slice(2)}`, external: true };
      return null;
    },
    load(id) {
      if (id.startsWith('\0late:')) {
        const name = /** @type {keyof typeof LATE_FUNCTIONS} */ (id.slice('\0late:'.length));
        return { code: LOAD + lateModule(name), moduleType: 'js' };
      }
      if (id === '\0documents') return { code: WRITTEN_DOCUMENTS, moduleType: 'js' };
      if (id === prom) return { code: LOAD + PROM_CLIENT, moduleType: 'js' };
      if (id.endsWith(path.join('mime-db', 'db.json'))) {
        const all = Object.entries(JSON.parse(readFileSync(id, 'utf8')));
        return {
          code: JSON.stringify(Object.fromEntries(all.filter(([type]) => MEDIA_TYPES.test(type)))),
          moduleType: 'json',
        };
      }
      return null;
    },
    transform(code, id) {
      if (!id.startsWith(contracts)) return null;
      return {
        code: applied(code, contractEdits(parseAst(code, { lang: 'ts' }), code, uses)),
      };
    },
  };
}
