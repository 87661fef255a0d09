import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const SOURCES = path.join(__dirname, '..');
const PAGE = readFileSync(path.join(__dirname, '..', '..', '..', '..', 'docs', 'rules.md'), 'utf8');
const RULES_PAGE = readFileSync(
  path.join(__dirname, '..', '..', '..', 'ui', 'src', 'page', 'public', 'rules.html'),
  'utf8',
);
const FAMILIES = 'zip|yaml|path|file|asset|ref|schema|lint|text|rating|pack|test';
/** Names of files and of packs that look like rules. */
const NO_RULES = new Set(['pack.zip', 'file.close', 'path.join']);

/** Rules as they stand in the code, written out. */
function rulesInCode(): Set<string> {
  const rules = new Set<string>();
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  );
  for (const name of files)
    for (const [, rule = ''] of readFileSync(path.join(SOURCES, name), 'utf8').matchAll(
      new RegExp(`['"\`]((?:${FAMILIES})\\.[a-z0-9-]+)['"\`]`, 'g'),
    ))
      if (!NO_RULES.has(rule)) rules.add(rule);
  return rules;
}

describe('docs/rules.md', () => {
  const told = new Set(
    [...PAGE.matchAll(new RegExp(`\`((?:${FAMILIES})\\.[a-z0-9-]+)\``, 'g'))].map(([, rule]) => rule),
  );

  it.each([...rulesInCode()].sort())('says what %s means', (rule) => {
    expect(told).toContain(rule);
  });

  it.each([...rulesInCode()].sort())('has an anchor for %s in the page that findings link to', (rule) => {
    expect(RULES_PAGE).toContain(`<code id="${rule}">`);
  });

  it('has rules to tell of', () => {
    expect(rulesInCode().size).toBeGreaterThan(50);
  });
});
