/**
 * npm run generate [-- --check]: writes schemas/, docs/pack-format.md and the page's route table from the
 * contracts, and the page of rules from docs/rules.md. With --check nothing is
 * written and a stale file is exit code 1.
 */
const { execFileSync } = require('node:child_process');
const { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const { parseArgs } = require('node:util');
const { ROOT } = require('./set/project.cjs');
const { rulesPage } = require('./set/rules-page.cjs');
const { runCommand, say } = require('./set/user-error.cjs');

runCommand(async () => {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
  // Only here: the other commands also run before anything is built.
  const documents = require('@parley/shared/documents');
  const { buildAsyncApi, buildJsonSchemas, buildOpenApi, buildPackFormat } = documents;
  const folder = path.join(ROOT, 'schemas');
  /** @type {Record<string, object>} */
  const files = {
    ...buildJsonSchemas(),
    'openapi.json': buildOpenApi(),
    'gateway.openapi.json': buildOpenApi('runtime_gateway'),
    'asyncapi.json': buildAsyncApi(),
    'docs-page.json': documents.renderDocsPage(),
    'pack-members.json': documents.packFormatMembers(),
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
  const format = path.join(ROOT, 'docs', 'pack-format.md');
  if (!existsSync(format) || readFileSync(format, 'utf8') !== buildPackFormat()) {
    stale.push('docs/pack-format.md');
    if (!values.check) writeFileSync(format, buildPackFormat());
  }
  const rules = path.join(ROOT, 'services', 'ui', 'src', 'page', 'public', 'rules.html');
  const wantedRules = await rulesPage(readFileSync(path.join(ROOT, 'docs', 'rules.md'), 'utf8'));
  if (!existsSync(rules) || readFileSync(rules, 'utf8') !== wantedRules) {
    stale.push('services/ui/src/page/public/rules.html');
    if (!values.check) writeFileSync(rules, wantedRules);
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
    say(stale.length === 0 ? 'All that is generated was current.' : `Wrote ${stale.length} files.`);
    return pageIsStale ? 1 : 0;
  }
  if (stale.length > 0) say(`Stale (${stale.join(', ')}): run npm run generate and commit them.`);
  return stale.length > 0 || pageIsStale ? 1 : 0;
});
