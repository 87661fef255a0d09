import type { CheckVerdict } from '@parley/shared/contracts';
import { matchSigns, readingOf } from '@parley/shared/engine';
import { isInRange, moveCounts, playAll, scoresOf, spreadOf, table, type PlayedAll } from '../bench/judging-bench';
import { PLAY_KINDS, PLAYED_SCENARIOS } from '../bench/judging/plays';

/** In the order in which plays of a kind must come out, best first. */
const ORDER = ['skilled', 'incomplete', 'passive', 'hostile'] as const;
const ENDING_RANK = { success: 3, timeout: 2, player_exit: 2, safety_stop: 1, failure: 1 };

let all: PlayedAll[];
beforeAll(async () => {
  all = await playAll();
});

/** The plays that do not hold, as the table shows them. */
const failing = (holds: (played: PlayedAll) => boolean): string => {
  const wrong = all.filter((played) => !holds(played));
  return wrong.length === 0 ? '' : table(wrong);
};
const met = (played: PlayedAll) =>
  Object.values(played.results).flatMap((result) =>
    result.dimensions.flatMap(({ id, checks = [], faults = [] }) =>
      [...checks.map((check) => ({ check, fault: false })), ...faults.map((check) => ({ check, fault: true }))]
        .filter(({ check }) => check.verdict === 'met')
        .map(({ check, fault }) => ({ result, dimension: id, check, fault })),
    ),
  );

describe('the plays of the built-in packs', () => {
  it('are at least forty, of every kind in every pack that has some', () => {
    expect(all.length).toBeGreaterThanOrEqual(40);
    expect(PLAYED_SCENARIOS).toEqual(expect.arrayContaining(['the_ask', 'kitchen_rota']));
    for (const scenario of PLAYED_SCENARIOS)
      expect([
        scenario,
        new Set(all.filter(({ play }) => play.scenario === scenario).map(({ play }) => play.kind)),
      ]).toEqual([scenario, new Set(PLAY_KINDS)]);
  });

  it('score within three points of each other whichever actor plays', () => {
    expect(failing((played) => spreadOf(played) <= 3)).toBe('');
  });

  it('score where they belong: skilled 85 and more, incomplete 50 to 80, passive at most 35, hostile at most 20, stuffed and flattering at most 40', () => {
    expect(failing(isInRange)).toBe('');
  });

  it('name what an incomplete play is missing', () => {
    for (const { play, results } of all)
      if (play.kind === 'incomplete') expect(results['fair']?.missed.length).toBeGreaterThan(0);
  });

  it('come to endings in the same order, with each actor', () => {
    for (const scenario of PLAYED_SCENARIOS)
      for (const actor of ['fair', 'flattering', 'sour']) {
        const ranks = ORDER.map((kind) => {
          const own = all.filter(({ play }) => play.scenario === scenario && play.kind === kind);
          return (
            own.reduce((sum, { results }) => sum + ENDING_RANK[results[actor]?.ending ?? 'timeout'], 0) / own.length
          );
        });
        expect(ranks).toEqual([...ranks].sort((a, b) => b - a));
      }
  });

  it('win only when they are skilled, whatever the character likes', () => {
    for (const { play, results } of all)
      if (!['skilled', 'incomplete'].includes(play.kind))
        expect(Object.values(results).map(({ ending }) => ending)).not.toContain('success');
  });

  it('show moves where they were made: precision 0.9 and recall 0.85', () => {
    const { right, named, labelled } = moveCounts(all);
    expect(right / named).toBeGreaterThanOrEqual(0.9);
    expect(right / labelled).toBeGreaterThanOrEqual(0.85);
  });

  it('are not judged when the player leaves at once', () => {
    for (const played of all)
      if (played.play.kind === 'left') {
        expect(scoresOf(played)).toEqual([50, 50, 50]);
        expect(Object.values(played.results).every(({ judged }) => !judged)).toBe(true);
      }
  });

  it('prove every point with a turn and words that, cut out of the transcript, satisfy the check again', () => {
    for (const played of all) {
      const { content } = played;
      for (const { result, dimension, check } of met(played)) {
        const authored = content.rubric.dimensions.find(({ id }) => id === dimension)?.[
          (check as CheckVerdict & { fault?: boolean }).points > 0 ? 'checks' : 'faults'
        ];
        const of = [
          ...(authored ?? []),
          ...(content.rubric.dimensions.find(({ id }) => id === dimension)?.faults ?? []),
        ].find(({ id }) => id === check.id);
        const named = of?.move ?? of?.flag ?? of?.after_move ?? null;
        const signs =
          of?.signs ??
          content.moves.find(({ id }) => id === named)?.signs ??
          (named === null ? [] : (content.flags[named]?.signs ?? []));
        const text = result.texts[(check.line ?? 0) - 1] ?? '';
        expect(check.evidence).not.toBeNull();
        const cut = text.slice(check.evidence?.start, check.evidence?.end);
        const at = (check.line ?? 1) - 1;
        const line = {
          content,
          language: content.language,
          line: at + 1,
          turn: 2 * at + 2,
          earlierLines: [],
          lastNpcLine: at === 0 ? content.opening.npc_says : (played.play.lines[at - 1]?.reply ?? null),
        };
        expect([played.play.id, check.id, cut, matchSigns(signs, readingOf(line, cut)).holds]).toEqual([
          played.play.id,
          check.id,
          cut,
          true,
        ]);
      }
    }
  });

  it('have a letter in which no check is both a strength and something to improve', () => {
    for (const { results } of all)
      for (const { letter } of Object.values(results)) {
        const heads = (texts: readonly string[]) => texts.map((text) => text.split(/(?<=[.!?…]) /)[0]);
        const strengths = new Set(heads(letter.narrative.strengths));
        expect(heads(letter.narrative.improvements).filter((head) => strengths.has(head))).toEqual([]);
      }
  });
});
