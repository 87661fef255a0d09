import { matchSigns } from './match-signs';
import { read } from '../../testing/engine/reading-fixture';

const NPC = 'I have three percent on my own signature and seven people to be fair to. Anything above needs Ines.';
const echoed = (line: string, at_least = 2, lastNpcLine: string | null = NPC): string[] =>
  matchSigns([{ echo: { at_least } }], read(line, { lastNpcLine })).spans.map(({ start, end }) =>
    line.slice(start, end),
  );

describe('the sign echo', () => {
  it('takes content words in any form and order, and figures in any spelling', () => {
    expect(echoed('So fairness to seven persons, and only 3 % that you can sign.', 2)).toEqual([
      'fairness',
      'seven persons',
      '3 %',
    ]);
    expect(echoed('Being fair to your people matters to you.')).toEqual(['fair', 'people']);
  });

  it('needs as many different words as it says', () => {
    expect(echoed('Fair, fair, fair.', 2)).toEqual([]);
    expect(echoed('Being fair to your people.', 3)).toEqual([]);
    expect(echoed('Fair enough.', 1)).toEqual(['Fair']);
  });

  it('is no verbatim copy, whole or nearly so', () => {
    expect(echoed(NPC)).toEqual([]);
    expect(echoed(NPC.toLowerCase().replaceAll('.', ''))).toEqual([]);
    expect(echoed('Well: I have three percent on my own signature and seven people to be fair to.')).toEqual([]);
    expect(
      echoed(
        'I have three percent on my own signature and seven people to be fair to. That must be hard, with so few percent for so many people.',
      ),
    ).toEqual(['percent', 'people']);
  });

  it('may be a piece of it, or the line with the persons turned round', () => {
    expect(echoed('Three percent and seven people?')).toEqual(['Three percent', 'seven people']);
    expect(
      echoed('You have three percent on your own signature and seven people to be fair to.').length,
    ).toBeGreaterThan(1);
  });

  it('does not count function words, everyday words and names', () => {
    expect(echoed('I have to go, and you have anything that I own above Ines.')).toEqual([]);
  });

  it('looks at an event only when its narration was read', () => {
    const line = 'Was that mail on your laptop about me?';
    const signs = [{ echo: { of: 'freeze_mail', at_least: 1 } }];
    const events = { freeze_mail: "Dana's laptop chimes. She reads two lines." };
    expect(matchSigns(signs, read(line, { events })).holds).toBe(true);
    expect(matchSigns(signs, read(line)).holds).toBe(false);
    expect(matchSigns([{ echo: { of: 'constructor' } }], read(line)).holds).toBe(false);
  });

  it('has nothing to take up when nothing was said', () => {
    expect(echoed('Hello.', 1, null)).toEqual([]);
    expect(echoed('Hello.', 1, '')).toEqual([]);
  });
});
