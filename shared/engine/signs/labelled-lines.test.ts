import path from 'node:path';
import { labelledContext, readLabelledLines, scoreLabelledLines } from '../../testing/labelled-lines';
import { readLine } from './line-reading';
import { matchSign } from './match-signs';

const set = readLabelledLines(path.resolve(__dirname, '../../..'));

const scores = scoreLabelledLines(set, (labelled, asked) => {
  const reading = readLine(labelled.line, labelledContext(set, labelled));
  return new Set(
    asked.filter((id) => {
      if (id === 'stuffed') return reading.stuffed;
      if (id === 'repeated') return reading.repeated;
      const sign = set.signs[id];
      return sign !== undefined && matchSign(sign, reading).holds;
    }),
  );
});

describe('signs on the labelled lines', () => {
  it('are measured on at least 400 lines of all scenarios, half of them near misses', () => {
    expect(set.lines.length).toBeGreaterThanOrEqual(400);
    const near = set.lines.filter((line) => line.near !== undefined).length;
    expect(near).toBeGreaterThanOrEqual(200);
    expect(near / set.lines.length).toBeGreaterThanOrEqual(0.5);
    expect(new Set(set.lines.map((line) => line.scenario)).size).toBe(8);
    const keys = set.lines.map(({ line, npc, earlier }) => JSON.stringify([line, npc, earlier]));
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('are all labelled, both where they are and where they are not', () => {
    const named = set.lines.flatMap((line) => [...line.shows, ...line.lacks]);
    const known = [...Object.keys(set.signs), 'stuffed', 'repeated'];
    expect(named.filter((id) => !known.includes(id))).toEqual([]);
    for (const id of known) {
      const shown = set.lines.filter((line) => line.shows.includes(id)).length;
      const lacking = set.lines.filter((line) => line.lacks.includes(id)).length;
      expect({ id, shown: shown >= 3, lacking: lacking >= 3 }).toEqual({ id, shown: true, lacking: true });
    }
    expect(set.lines.filter(({ shows, lacks }) => shows.some((id) => lacks.includes(id)))).toEqual([]);
  });

  it.each(scores)('$sign is right in 95 of 100 and found in 85 of 100', ({ right, missed, wrong }) => {
    expect({ missed, isEnough: right >= 0.85 * (right + missed.length) }).toEqual({ missed, isEnough: true });
    expect({ wrong, isEnough: right >= 0.95 * (right + wrong.length) }).toEqual({ wrong, isEnough: true });
  });
});
