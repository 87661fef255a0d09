import { z } from 'zod';
import { Sign, Signs } from './signs';

const messagesOf = (signs: unknown): string[] => {
  const result = Signs.safeParse(signs);
  return result.success ? [] : result.error.issues.map((issue) => issue.message);
};

describe('Signs', () => {
  it('take every sign of the vocabulary', () => {
    const signs = [
      { figure: { from: 40_000, to: 70_000, percent: false, count: 2 } }, { figure: {} }, { day: true }, { person: true }, { person: ['i', 'we', 'you', 'name'] }, { question: 'open' }, { question: 'closed' }, { question: 'any' },
      { echo: { of: 'last_npc', at_least: 2 } }, { echo: { of: 'freeze_mail' } }, { says: ['because', 'rests on'] }, { never_says: ['always'] },
      { tone: ['apology', 'thanks', 'hedge', 'absolute', 'blame', 'insult', 'threat', 'shouting', 'you_statement', 'own_part'] },
      { words: { at_least: 12, at_most: 40 } }, { line: { by: 5, from: 2 } }, { any: [{ day: true }, { not: { all: [{ day: true }] } }] },
    ]; // prettier-ignore
    expect(messagesOf(signs)).toEqual([]);
  });

  it('refuse what is no sign, and say why', () => {
    expect(messagesOf([])).not.toEqual([]);
    expect(messagesOf([{}])).toEqual(['A sign has exactly one member: put each into an item of its own.']);
    expect(messagesOf([{ day: true, person: true }])).toEqual([
      'A sign has exactly one member: put each into an item of its own.',
    ]);
    expect(messagesOf([{ figures: {} }])).toContain('Unrecognized key: "figures"');
    expect(messagesOf([{ figure: { from: 2, to: 1 } }])).toEqual(['from must not be above to.']);
    expect(messagesOf([{ words: { at_least: 2, at_most: 1 } }])).toEqual(['at_least must not be above at_most.']);
    expect(messagesOf([{ line: { from: 2, by: 1 } }])).toEqual(['from must not be above by.']);
    for (const wrong of [
      { tone: ['anger'] },
      { question: 'why' },
      { says: [] },
      { day: false },
      { person: [] },
      { figure: { unit: 'k' } },
    ])
      expect(messagesOf([wrong])).not.toEqual([]);
  });

  it('may not stand deeper than four inside each other, nor be more than sixty', () => {
    const nested = (depth: number): object => (depth === 1 ? { day: true } : { any: [nested(depth - 1)] });
    expect(messagesOf([nested(4)])).toEqual([]);
    expect(messagesOf([nested(5)])).toEqual(['Signs may stand at most 4 deep inside each other.']);
    const twelve = Array.from({ length: 12 }, () => ({ day: true }));
    expect(messagesOf([{ any: twelve }, { any: twelve }, { any: twelve }, { any: twelve }])).toEqual([]);
    expect(messagesOf(Array.from({ length: 5 }, () => ({ any: twelve })))).toEqual([
      'One list may hold at most 60 signs, inner ones included.',
    ]);
  });

  it('describe every member with an example, for hovers in an editor', () => {
    const { definitions = {} } = z.toJSONSchema(Signs, { target: 'draft-7', io: 'input' }) as {
      definitions?: Record<string, { properties: Record<string, { description?: string; properties?: object }> }>;
    };
    const sign = Object.values(definitions).find((one) => 'figure' in one.properties);
    const bare: string[] = [];
    const look = (properties: object, path: string): void => {
      for (const [name, member] of Object.entries(properties) as [
        string,
        { description?: string; properties?: object },
      ][]) {
        if (!/Example: /.test(member.description ?? '')) bare.push(`${path}${name}`);
        look(member.properties ?? {}, `${path}${name}.`);
      }
    };
    look(sign?.properties ?? {}, '');
    expect(Object.keys(sign?.properties ?? {}).length).toBe(13);
    expect(bare).toEqual([]);
    expect(Sign.safeParse({ day: true }).success).toBe(true);
  });
});
