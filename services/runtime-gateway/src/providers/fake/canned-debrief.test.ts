import { DebriefNarrative } from '@parley/shared/contracts';
import { cannedDebrief, statedPlayerTurns } from './canned-debrief';

describe('cannedDebrief', () => {
  it('cites turns of the player that the prompt speaks of', () => {
    const messages = [
      {
        role: 'user' as const,
        content: 'Turn 1 (npc): Hello.\nTurn 2 (player): Hi.\nTurn 8 (player): So.\nTurn 9 (npc): Ok.',
      },
    ];
    const narrative = cannedDebrief(messages);
    expect(DebriefNarrative.safeParse(narrative).success).toBe(true);
    for (const { turn } of narrative.replay_suggestions) expect([2, 8]).toContain(turn);
    expect(narrative.replay_suggestions.length).toBeGreaterThan(0);
  });

  it('takes the turns of a transcript before any other number that is named', () => {
    const content =
      'Evidence: turn 40.\n1 CHARACTER: Hello.\n2 PLAYER: Hi.\n3 CHARACTER: So.\n4 PLAYER: Turn 6 is mine.';
    expect(statedPlayerTurns([{ role: 'user', content }])).toEqual([2, 4]);
  });

  it('cites turn 2 when no turn is named', () => {
    expect(statedPlayerTurns([{ role: 'user', content: 'Nothing here.' }])).toEqual([2]);
  });

  it('quotes nobody, promises nothing and repeats itself only for the same request', () => {
    const narratives = Array.from({ length: 40 }, (_unused, at) =>
      cannedDebrief([{ role: 'user', content: `talk ${at}` }]),
    );
    for (const narrative of narratives) {
      const text = JSON.stringify(Object.values(narrative).flat());
      expect(text).not.toMatch(/\\"|[\u201c\u201d\u2018]|guarantee|diagnos|therap/i);
    }
    expect(new Set(narratives.map((one) => JSON.stringify(one))).size).toBeGreaterThan(2);
    expect(cannedDebrief([{ role: 'user', content: 'talk 1' }])).toEqual(narratives[1]);
  });
});
