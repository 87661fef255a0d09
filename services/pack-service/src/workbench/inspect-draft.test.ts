import path from 'node:path';
import { inspectDraft } from './inspect-draft';

const PACKS = path.resolve(__dirname, '..', '..', '..', '..', 'packs');

describe('the check of a draft', () => {
  it.each(['kitchen_rota', 'the_ask'])(
    'finds nothing in a copy of %s, and plays each script in its language',
    async (name) => {
      const { check, contents } = await inspectDraft(path.join(PACKS, name));
      expect(check.findings).toEqual([]);
      expect(check.scripts.length).toBeGreaterThan(2);
      expect(check.scripts.filter(({ result }) => result !== 'passed')).toEqual([]);
      expect(contents).toHaveLength(1);
    },
  );
});
