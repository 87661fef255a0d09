import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Difficulty, ScenarioContent } from '@parley/shared/contracts';
import { judgeTalk, scoreChecks, writeLetter } from '@parley/shared/engine';
import { contentIn } from '../../services/pack-service/src/catalogue/compile-pack';
import { playDemo } from '../../services/pack-service/src/cli/demo-talk';
import { validatePack } from '../../services/pack-service/src/import/validating/validate-pack';

const PACKS = path.join(__dirname, '..', '..', 'packs');
/** Each translation of a built-in pack: its pack and its language. */
const TRANSLATED = readdirSync(PACKS)
  .filter((name) => existsSync(path.join(PACKS, name, 'i18n')))
  .flatMap((name) =>
    readdirSync(path.join(PACKS, name, 'i18n')).map((file) => [name, file.replace('.yaml', '')] as const),
  );

const WANTED = {
  skilled: { ending: 'success', from: 85, to: 100 },
  passive: { ending: 'timeout', from: 0, to: 35 },
  hostile: { ending: 'failure', from: 0, to: 20 },
} as const;
/** Words of English that no other language of the built-in packs has: one in a letter is a sentence that code wrote. */
const ENGLISH = /\b(?:the|your|you|line|lines|it|its|of|talk|again|this|that|say|there|and|not|with|from|on)\b/i;
type Way = keyof typeof WANTED;

/** Other players than those that the signs were written beside: what a native speaker may just as well say. */
const UNSEEN: Readonly<Record<string, Readonly<Record<'skilled' | 'passive' | 'hostile', readonly string[]>>>> = {
  first_words: {
    skilled: [
      'Das ist nett, danke. Darf ich fragen, was da drin ist, dass es nicht kippen darf?',
      'Ein Apfelkuchen, und sie ahnt gar nichts davon. Wie kam es denn dazu?',
      'Ich bin selbst auf dem Heimweg zu meiner Mutter, und ich weiß auch nie, wie ich anfangen soll.',
      'Was hat Ihre Schwester früher an Ihnen gemocht?',
    ],
    passive: ['Ja, ja.', 'Aha.', 'Schönes Wetter heute.', 'Mhm, so ist das.', 'Na dann.'],
    hostile: ['Halten Sie den Mund, ich will meine Ruhe.', 'Sind Sie taub? Verschwinden Sie, Sie alter Trottel.', 'Mir doch egal.'],
  },
  kitchen_rota: {
    skilled: [
      'Klar, setz dich. Mir graut ehrlich gesagt vor morgen: Um zehn steht der Vermieter in der Küche, und der Topf weicht seit Dienstag in der Spüle.',
      'Ich muss auch was zugeben. Den Plan hätte ich nicht einfach hinhängen sollen, ich hätte dich vorher fragen müssen. Das war blöd von mir.',
      'Wie ist das eigentlich für dich, wenn du nachts um eins heimkommst und da hängt so ein Zettel?',
      'Das klingt hart, und ich wusste das nicht. Danke, dass du mir das erzählst. Wann am Tag hättest du denn überhaupt Luft für die Küche?',
      'Dann lassen wir die Nächte raus, und der Plan kommt weg. Lass uns was um deine Schichten herum bauen.',
      'Ich wünsche mir nur eins: dass die Spüle frei ist, wenn ich um sieben reinkomme.',
      'Montags du, das nehme ich sofort. Dann übernehme ich dafür die Abende.',
      'Halten wir fest: Montags machst du die Küche komplett und dein Geschirr ist jeden Tag bis mittags weg. Ich mache den Rest der Woche und bringe den Müll runter. Am übernächsten Sonntag setzen wir uns zusammen und schauen, ob es klappt.',
    ],
    passive: ['Passt schon.', 'War viel los?', 'Hm, verstehe.', 'Tja, der Topf.', 'Ist halt so.', 'Wird schon.', 'Mhm.', 'Na ja.', 'Schon okay.', 'Egal.', 'Bis dann mal.', 'Ich geh dann.'],
    hostile: [
      'Du bist echt das Letzte, Jules. Nie machst du irgendwas, und ich darf ständig hinter dir herräumen!',
      'Was stimmt eigentlich nicht mit dir? Dir ist doch alles egal außer dir selbst, du Egoist.',
      'Dann zieh doch aus, hier würde dich keiner vermissen.',
    ],
  },
}; // prettier-ignore

function play(content: ScenarioContent, difficulty: Difficulty, lines: readonly string[]) {
  const talk = playDemo(content, difficulty, lines);
  const ending = content.endings.find(({ id }) => id === talk.ending);
  const said = lines.slice(0, talk.turns.length);
  const judgements = judgeTalk(
    content,
    content.language,
    said.flatMap((text, at) => [
      { turn_index: 2 * at + 1, role: 'npc' as const, text: talk.turns[at - 1]?.npc ?? content.opening.npc_says },
      { turn_index: 2 * at + 2, role: 'player' as const, text },
    ]),
  );
  const scores = scoreChecks(
    {
      content,
      language: content.language,
      judgements,
      ending_type: ending?.type ?? null,
      player_lines: said.length,
      opinions: null,
    },
    [],
    null,
  );
  const letter = writeLetter({
    content,
    turns: said.flatMap((text, at) => [
      { index: 2 * at + 2, role: 'player' as const, text },
      { index: 2 * at + 3, role: 'npc' as const, text: talk.turns[at]?.npc ?? '' },
    ]),
    events: [],
    dimensions: scores.dimensions,
    judged: true,
    not_judged_reason: null,
    judgements,
    ending: { type: ending?.type ?? 'timeout', id: ending?.id ?? null },
    focus_dimension: null,
  });
  return { ending: ending?.type ?? talk.ending, score: scores.overall_score, turns: talk.turns, letter };
}

describe.each(TRANSLATED)('%s, played in %s with the demo voice', (name, language) => {
  const contentOf = async () => {
    const { scenarios, pack, findings } = await validatePack(path.join(PACKS, name));
    expect(findings).toEqual([]);
    const [scenario] = scenarios;
    if (scenario === undefined) throw new Error(`${name} has no scenario.`);
    const content = contentIn(scenario, language);
    expect(content.language).toBe(language);
    const script = (way: Way): string[] =>
      pack.playthroughs
        .find((file) => file.content.language === language && file.path.includes(way))
        ?.content.turns.map((turn) => turn.player_input) ?? [];
    return { content, script };
  };

  describe.each(['warm', 'standard', 'hard', 'adversarial'] as const)('%s', (difficulty) => {
    it.each(['skilled', 'passive', 'hostile'] as const)('%s: ends and scores as in English', async (way) => {
      const { content, script } = await contentOf();
      const { ending, score, turns, letter } = play(content, difficulty, script(way));
      const wanted = WANTED[way];
      expect({ ending, score }).toEqual({ ending: wanted.ending, score: expect.any(Number) as number });
      expect(score).toBeGreaterThanOrEqual(wanted.from);
      expect(score).toBeLessThanOrEqual(wanted.to);
      const told = [
        letter.narrative.summary,
        ...letter.narrative.strengths,
        ...letter.narrative.improvements,
        ...letter.narrative.replay_suggestions.map(({ suggestion }) => suggestion),
        ...letter.parts.say_instead.flatMap(({ better, why }) => [better ?? '', why]),
        ...letter.parts.never.map(({ text }) => text),
        ...letter.parts.shut_secrets.map(({ hint }) => hint ?? ''),
        letter.parts.framework ?? '',
        letter.parts.moment?.author_note ?? '',
      ];
      expect(told.filter((text) => ENGLISH.test(text))).toEqual([]);
      expect(letter.narrative.strengths.length + letter.narrative.improvements.length).toBeGreaterThan(0);
      // Every answer is an author's of this language, and none is said twice.
      expect(turns.filter((turn) => turn.demo_line === null)).toEqual([]);
      expect(new Set(turns.map(({ npc }) => npc)).size).toBe(turns.length);
    });
  });

  it('knows other words than those of its scripts', async () => {
    const { content } = await contentOf();
    const ways = UNSEEN[name];
    if (ways === undefined) throw new Error(`${name} needs plays of other players in ${language}.`);
    const skilled = play(content, 'standard', ways.skilled);
    const passive = play(content, 'standard', ways.passive);
    const hostile = play(content, 'standard', ways.hostile);
    expect([skilled.ending, passive.ending, hostile.ending]).toEqual(['success', 'timeout', 'failure']);
    expect(skilled.score).toBeGreaterThanOrEqual(85);
    expect(passive.score).toBeLessThanOrEqual(35);
    expect(hostile.score).toBeLessThanOrEqual(20);
  });
});
