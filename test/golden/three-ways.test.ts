import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Difficulty, ScenarioContent } from '@parley/shared/contracts';
import { judgeTalk, scoreChecks } from '@parley/shared/engine';
import { playDemo } from '../../services/pack-service/src/cli/demo-talk';
import { validatePack } from '../../services/pack-service/src/import/validating/validate-pack';

const PACKS = path.join(__dirname, '..', '..', 'packs');
const BUILT_IN = readdirSync(PACKS).filter((name) => existsSync(path.join(PACKS, name, 'manifest.yaml')));

type Way = 'skilled' | 'passive' | 'hostile';
interface Wanted {
  readonly ending: 'success' | 'timeout' | 'failure';
  readonly from: number;
  readonly to: number;
}
/** How each way of playing ends, whatever the preset, and between which scores. */
const WANTED: Readonly<Record<Way, Wanted>> = {
  skilled: { ending: 'success', from: 85, to: 100 },
  passive: { ending: 'timeout', from: 0, to: 35 },
  hostile: { ending: 'failure', from: 0, to: 20 },
};

/** The scripts are written for the standard preset: what it takes beyond them, at the hardest to win and at the easiest to lose. */
const FURTHER: Readonly<Record<string, readonly string[]>> = {
  'talking_over skilled adversarial': [
    'So in March you kept quiet to be polite, and nineteen hundred meters came back. I see why you speak up at once. I should have told you on Wednesday; that part is mine. What was it like for you, on Wednesday, when you saw the fault?',
  ],
  'one_good_story skilled adversarial': [
    "Somebody could wipe it off, or I'd sort it wrong. I did that night: I put the school camp last, and five of the 62 had no bread. I should have asked a second person to look at it, and since then I do.",
  ],
  'say_it_back hostile warm': ["Are you deaf? It's really easy, dear, and people are waiting. Just read the letter."],
};

/** Plays lines with the demo voice; the lines that come after the end are not said. */
function play(content: ScenarioContent, difficulty: Difficulty, lines: readonly string[]) {
  const talk = playDemo(content, difficulty, lines);
  const ending = content.endings.find(({ id }) => id === talk.ending)?.type ?? talk.ending;
  const said = lines.slice(0, talk.turns.length);
  const judgements = judgeTalk(
    content,
    content.language,
    said.flatMap((text, at) => [
      { turn_index: 2 * at + 1, role: 'npc' as const, text: talk.turns[at - 1]?.npc ?? content.opening.npc_says },
      { turn_index: 2 * at + 2, role: 'player' as const, text },
    ]),
  );
  const ending_type = ending === 'success' || ending === 'failure' || ending === 'timeout' ? ending : null;
  const { overall_score: score } = scoreChecks(
    { content, language: content.language, judgements, ending_type, player_lines: said.length, opinions: null },
    [],
    null,
  );
  return { ending, score, turns: talk.turns };
}

describe.each(BUILT_IN)('%s, played with the demo voice', (name) => {
  describe.each(['warm', 'adversarial'] as const)('%s', (difficulty) => {
    it.each(['skilled', 'passive', 'hostile'] as const)('%s: ends and scores as it should', async (way) => {
      const { scenarios, pack } = await validatePack(path.join(PACKS, name));
      expect(scenarios.length).toBeGreaterThan(0);
      for (const { content } of scenarios) {
        const script = pack.playthroughs.find((file) => file.path === `tests/${way}.yaml`)?.content.turns ?? [];
        const lines = [...script.map((turn) => turn.player_input), ...(FURTHER[`${name} ${way} ${difficulty}`] ?? [])];
        const { ending, score, turns } = play(content, difficulty, lines);
        const wanted = WANTED[way];
        expect(ending).toBe(wanted.ending);
        expect(score).toBeGreaterThanOrEqual(wanted.from);
        expect(score).toBeLessThanOrEqual(wanted.to);
        // Every answer is an author's, and none is said twice.
        expect(turns.filter((turn) => turn.demo_line === null)).toEqual([]);
        expect(new Set(turns.map(({ npc }) => npc)).size).toBe(turns.length);
      }
    });
  });
});
