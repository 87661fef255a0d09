import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  DEFAULT_PORTS,
  ENDING_TYPES,
  ERROR_KINDS,
  EVENT_KINDS,
  FLOW_STATES,
  MESSAGE_PAYLOADS,
  RESERVED_MESSAGE_TYPES,
  ROUTES,
} from '@parley/shared/contracts';

const page = (name: string): string => readFileSync(path.join(__dirname, '..', '..', 'docs', name), 'utf8');
const [CONTRACT, INTERFACE] = [page('contract.md'), page('interface.md')];

/** What stands under a heading, up to the next one. */
function part(text: string, heading: string): string {
  const [, rest] = text.split(new RegExp(`^#{1,6} ${heading}$`, 'm'));
  if (rest === undefined) throw new Error(`there is no heading ${heading}`);
  return rest.split(/^#{1,6} /m)[0] ?? '';
}

/** Rows of the tables in a part of a page, by the code in their first cell. */
function rows(text: string, heading: string): Map<string, string[]> {
  const lines = part(text, heading).split('\n');
  return new Map(
    lines.flatMap((line, at) => {
      const isHead = /^\| *:?-/.test(lines[at + 1] ?? '');
      const cells = line.split('|').map((cell) => cell.trim());
      const name = /^`([^`]+)`$/.exec(cells[1] ?? '')?.[1];
      return name === undefined || isHead ? [] : [[name, cells.slice(2, -1)] as const];
    }),
  );
}

describe('docs/contract.md', () => {
  const errors = rows(CONTRACT, 'Errors');

  it.each(Object.entries(ERROR_KINDS))('tells of %s with its status, and whether to repeat', (code, kind) => {
    expect(errors.get(code)).toEqual([
      `${kind.status}`,
      expect.stringMatching(/\S/),
      expect.stringMatching(/\S/),
      kind.retryable ? 'yes' : 'no',
    ]);
  });

  it('tells of no error that there is not', () => {
    expect([...errors.keys()].sort()).toEqual(Object.keys(ERROR_KINDS).sort());
  });

  const messages = rows(CONTRACT, 'Messages');
  it.each(Object.entries(MESSAGE_PAYLOADS))('tells of %s with a payload that fits', (type, schema) => {
    const [when = '', example = ''] = messages.get(type) ?? [];
    expect(when).not.toBe('');
    const payload: unknown = JSON.parse(example.replaceAll('`', ''));
    expect(schema.strict().parse(payload)).toEqual(payload);
  });

  it.each(RESERVED_MESSAGE_TYPES)('says that %s is reserved', (type) => {
    expect(part(CONTRACT, 'Messages')).toContain(`\`${type}\``);
  });

  it.each(EVENT_KINDS)('says when %s is stored', (kind) => {
    expect(part(CONTRACT, 'Stored events')).toContain(`\`${kind}\``);
  });
});

describe('docs/interface.md', () => {
  it('tells of every flow state, and of no other', () => {
    expect([...rows(INTERFACE, 'Flow states').keys()]).toEqual([...FLOW_STATES]);
  });

  it.each(FLOW_STATES)('says what is allowed in %s', (state) => {
    expect(part(INTERFACE, 'Operations by state')).toContain(`\`${state}\``);
  });

  it('lists the ending types in the order of their priority', () => {
    const listed = part(INTERFACE, 'Ending types').matchAll(/^\| +\d+ \| `(\w+)`/gm);
    expect([...listed].map(([, type]) => type)).toEqual([...ENDING_TYPES]);
  });

  it.each(Object.entries(DEFAULT_PORTS))('names the port of %s', (_name, port) => {
    expect(part(INTERFACE, 'Processes and ports')).toMatch(new RegExp(`\\b${port}\\b`));
  });

  const prefixes = [...part(INTERFACE, 'Routes').matchAll(/`(\/[^`]*)`/g)].map(([, prefix = '']) => prefix);
  const paths = [...new Set(Object.values(ROUTES).map((route) => route.path))];
  it.each(paths)('has a row for %s', (route) => {
    const isUnder = (prefix: string): boolean => route === prefix || route.startsWith(`${prefix}/`);
    expect(prefixes.filter(isUnder)).not.toEqual([]);
  });
});
