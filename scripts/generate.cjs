/**
 * npm run generate [-- --check]: writes schemas/ and the page's route table from the contracts. With --check nothing is
 * written and a stale file is exit code 1.
 */
const { execFileSync } = require('node:child_process');
const { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const { parseArgs } = require('node:util');
const { ROOT } = require('./set/project.cjs');
const { runCommand, say } = require('./set/user-error.cjs');

runCommand(async () => {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
  // Only here: the other commands also run before anything is built.
  const { buildAsyncApi, buildJsonSchemas, buildOpenApi } = require('@parley/shared/documents');
  const folder = path.join(ROOT, 'schemas');
  /** @type {Record<string, object>} */
  const files = {
    ...buildJsonSchemas(),
    'openapi.json': buildOpenApi(),
    'gateway.openapi.json': buildOpenApi('runtime_gateway'),
    'asyncapi.json': buildAsyncApi(),
  };
  mkdirSync(folder, { recursive: true });
  const stale = [];
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    const wanted = `${JSON.stringify(content, null, 2)}\n`;
    if (existsSync(file) && readFileSync(file, 'utf8') === wanted) continue;
    stale.push(name);
    if (!values.check) writeFileSync(file, wanted);
  }
  for (const name of readdirSync(folder))
    if (name.endsWith('.json') && !(name in files)) {
      stale.push(name);
      if (!values.check) rmSync(path.join(folder, name));
    }
  const page = path.join(ROOT, 'services', 'ui', 'scripts', 'write-route-paths.mjs');
  let pageIsStale = false;
  try {
    execFileSync(process.execPath, [page, ...(values.check ? ['--check'] : [])], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  } catch {
    pageIsStale = true;
  }
  if (!values.check) {
    say(stale.length === 0 ? 'schemas/ was current.' : `schemas/: wrote ${stale.length} files.`);
    return pageIsStale ? 1 : 0;
  }
  if (stale.length > 0) say(`schemas/ is stale (${stale.join(', ')}): run npm run generate and commit it.`);
  return stale.length > 0 || pageIsStale ? 1 : 0;
});
