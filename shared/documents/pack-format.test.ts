import { buildPackFormat } from './pack-format';

describe('the page of the pack format', () => {
  const rows = buildPackFormat()
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()));

  it('has every kind of file, conditions and signs', () => {
    const headings = buildPackFormat().match(/^## .*$/gm);
    expect(headings).toEqual([
      '## manifest.yaml',
      '## scenarios/*.yaml',
      '## npcs/*.yaml',
      '## rubrics/*.yaml',
      '## safety/*.yaml',
      '## scenes/*.yaml',
      '## tests/*.yaml',
      '## i18n/<language>.yaml',
      '## Conditions',
      '## Signs',
    ]);
    expect(rows.length).toBeGreaterThan(150);
  });

  it('says of every member what it is', () => {
    expect(rows.filter(([, , type, meaning]) => type === '' || meaning === '').map(([, member]) => member)).toEqual([]);
  });

  it('marks what is required and what is new in 0.2', () => {
    const members = rows.map(([, member]) => member);
    expect(members).toContain('`scenario_id` (required)');
    expect(members).toContain('`moves[].signs` (0.2)');
    expect(members).toContain('`duration.max_turns` (required)');
  });
});
