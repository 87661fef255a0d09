import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const WORDS = {
  sqlite: /pragma|sqlite_|fts5|\bmatch \?|autoincrement|begin immediate|wal_checkpoint/i,
  postgres:
    /tsvector|tsquery|pg_advisory|pg_catalog|pg_tables|current_setting|current_schema|vacuum \$|truncate table/i,
};

/** Files of the store whose names do not begin with one of these, with their code without comments. */
function codeOutside(...dialects: string[]): [string, string][] {
  const files = readdirSync(__dirname, { recursive: true, encoding: 'utf8' }).filter(
    (name) =>
      name.endsWith('.ts') &&
      !name.endsWith('.test.ts') &&
      !name.includes('fixture') &&
      !dialects.some((dialect) => name.startsWith(`${dialect}-`)),
  );
  return files.map((name) => [
    name,
    readFileSync(join(__dirname, name), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, ''),
  ]);
}

it.each(['sqlite', 'postgres'] as const)('what only %s understands stays in the files of its dialect', (dialect) => {
  const code = codeOutside(dialect);
  expect(code.length).toBeGreaterThan(15);
  for (const [name, text] of code) expect([name, WORDS[dialect].exec(text)?.[0]]).toEqual([name, undefined]);
});
