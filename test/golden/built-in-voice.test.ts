import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { contentIn } from '../../services/pack-service/src/catalogue/compile-pack';
import { playDemo } from '../../services/pack-service/src/cli/demo-talk';
import { validatePack } from '../../services/pack-service/src/import/validating/validate-pack';

const PACKS = path.join(__dirname, '..', '..', 'packs');
const BUILT_IN = readdirSync(PACKS).filter((name) => existsSync(path.join(PACKS, name, 'manifest.yaml')));

/** What a learner reads about their own doing: the rubric's dimensions with their anchors, and the hints. */
async function textsFor(name: string) {
  const { scenarios } = await validatePack(path.join(PACKS, name));
  const contents = scenarios.flatMap(({ content }) => (content === null ? [] : [content]));
  expect(contents.length).toBeGreaterThan(0);
  const dimensions = contents.flatMap((content) => content.rubric.dimensions);
  return {
    ofRubrics: dimensions.flatMap(({ description, scoring }) => [
      description,
      scoring.low,
      scoring.medium,
      scoring.high,
    ]),
    background: dimensions.flatMap(({ framework }) => (framework === null ? [] : [framework])),
    ofHints: contents.flatMap((content) => content.hints.map((hint) => hint.text)),
  };
}

describe('the texts that built-in packs say to a learner', () => {
  it('belong to at least two packs', () => {
    expect(BUILT_IN).toEqual(expect.arrayContaining(['the_ask', 'kitchen_rota']));
  });

  it.each(BUILT_IN)('never speak of "the player": %s', async (name) => {
    const { ofRubrics, background, ofHints } = await textsFor(name);
    const distant = [...ofRubrics, ...background, ...ofHints].filter((text) => /\b(?:the )?players?\b/i.test(text));
    expect(distant).toEqual([]);
  });

  it.each(BUILT_IN)('say "you" in each dimension and each of its anchors: %s', async (name) => {
    const { ofRubrics, ofHints } = await textsFor(name);
    expect(ofRubrics.filter((text) => !/\byou\b/i.test(text))).toEqual([]);
    expect(ofHints.length).toBeGreaterThan(0);
  });
});

/** Lines that show nothing, as a silent player says them, and some that a model would have to guess at. */
const EMPTY = [
  'Hm.', 'Well.', 'Okay.', 'I see.', 'Yes.', 'Right.', 'It is what it is.', 'Anyway.', 'As I said.', 'So, yeah.',
  'Not really.', 'Let me think.', 'Fair enough, I suppose.', 'Never mind.',
]; // prettier-ignore
const KINDS = ['skilled', 'passive', 'hostile'] as const;

describe('the demo voice of built-in packs', () => {
  const talksOf = async (name: string) => {
    const { scenarios, pack } = await validatePack(path.join(PACKS, name));
    return scenarios.map(({ content }) => {
      const scriptOf = (kind: string): string[] =>
        pack.playthroughs
          .find((file) => file.path === `tests/${kind}.yaml`)
          ?.content.turns.map((turn) => turn.player_input) ?? [];
      return { content, scriptOf };
    });
  };

  it.each(BUILT_IN)(
    'has enough lines with a feeling each, and answers every move, flag and event: %s',
    async (name) => {
      for (const { content } of await talksOf(name)) {
        expect(content.demo.length).toBeGreaterThanOrEqual(30);
        expect(
          content.demo.filter(({ emotion }) => emotion === null || !content.npc.emotions.includes(emotion)),
        ).toEqual([]);
        const answered = new Set(
          content.demo.flatMap(({ after, when }) => [
            after,
            ...when.map((one) => ('flag_id' in one ? one.flag_id : null)),
          ]),
        );
        const named = [...content.moves.map(({ id }) => id), ...Object.keys(content.flags)];
        expect(named.filter((id) => !content.demo.some(({ after }) => after === id))).toEqual([]);
        // An event is answered by name, or by the answer to the flag that sets it off.
        const unanswered = content.events.filter(
          ({ id, when }) => !answered.has(id) && !when.some((one) => 'flag_id' in one && answered.has(one.flag_id)),
        );
        expect(unanswered.map(({ id }) => id).filter((id) => id !== 'next_meeting')).toEqual([]);
      }
    },
  );

  it.each(BUILT_IN)(
    'never falls back to a canned line, says nothing twice, and ends as the script does: %s',
    async (name) => {
      for (const { content, scriptOf } of await talksOf(name)) {
        const wanted = { skilled: 'success', passive: 'timeout', hostile: 'failure' } as const;
        for (const kind of KINDS) {
          const talk = playDemo(content, content.difficulty.default, scriptOf(kind));
          expect(talk.turns.length).toBeGreaterThan(1);
          expect(talk.turns.filter((turn) => turn.demo_line === null)).toEqual([]);
          const said = talk.turns.map(({ npc }) => npc);
          expect(new Set(said).size).toBe(said.length);
          const ending = content.endings.find(({ id }) => id === talk.ending);
          expect(ending?.type ?? talk.ending).toBe(wanted[kind]);
        }
      }
    },
  );

  it.each(BUILT_IN)('has enough to say to somebody who says nothing, at every difficulty: %s', async (name) => {
    for (const { content } of await talksOf(name))
      for (const difficulty of ['warm', 'standard', 'hard', 'adversarial'] as const) {
        const talk = playDemo(content, difficulty, EMPTY.slice(0, content.duration.max_turns));
        expect(talk.turns.filter((turn) => turn.demo_line === null)).toEqual([]);
      }
  });

  it.each([
    ['en', 'How are you?', /^My hands are calm/],
    ['en', 'Where are you going?', /^To my sister/],
    ['en', 'What time is it?', /^Ten past three/],
    ['en', 'Hi', /^Good afternoon/],
    ['en', 'Nice weather today', /cardboard/],
    ['en', 'Do you like football?', /^I couldn't say yes/],
    ['de', 'Wie geht es Ihnen?', /^Die Hände sind ruhig/],
    ['de', 'Wohin fahren Sie?', /^Zu meiner Schwester/],
    ['de', 'Was wollen Sie ihr sagen?', /^Ich dachte an Guten Tag/],
    ['de', 'Danke', /^Nichts zu danken/],
  ])('answers a stranger at the starter by what was said, in %s: %s', async (language, line, answer) => {
    const [scenario] = (await validatePack(path.join(PACKS, 'first_words'))).scenarios;
    if (scenario === undefined) throw new Error('first_words has no scenario');
    const [turn] = playDemo(contentIn(scenario, language), 'standard', [line]).turns;
    expect(turn?.npc).toMatch(answer);
  });

  it.each([
    ['Wie geht es dir?', /^Durch, danke/],
    ['Ich weiß nicht, wie ich anfangen soll.', /^Bin doch nur ich/],
    ['Bist du ein Bot?', /^Ich bin ein Koch/],
    ['Gute Nacht.', /^Okay\. Und der Vermieter/],
  ])('and at home, in German: %s', async (line, answer) => {
    const [scenario] = (await validatePack(path.join(PACKS, 'kitchen_rota'))).scenarios;
    if (scenario === undefined) throw new Error('kitchen_rota has no scenario');
    expect(playDemo(contentIn(scenario, 'de'), 'standard', [line]).turns[0]?.npc).toMatch(answer);
  });

  it.each([
    ['say_it_back', 'Good morning. How are you?', /^Afloat/],
    ['say_it_back', 'Did you forget your glasses?', /^The print/],
    ['say_it_back', 'What happened last time?', /^Last time/],
    ['one_good_story', 'Can you repeat the question?', /^One time when something broke/],
    ['one_good_story', 'I worked at a bakery.', /^Good, that I can smell/],
    ['one_good_story', 'When will I hear from you?', /^On Monday/],
    ['the_ask', 'Hi Dana, how are you?', /^Behind on everything/],
    ['the_ask', "I'm a bit nervous, to be honest.", /^Take your time/],
    ['counter_four', 'Sorry, could you repeat that?', /^I mean that I want somebody to look/],
    ['maybe_tomorrow', 'Thanks!', /^Always/],
    ['talking_over', 'Are you a bot?', /^I'm an engineer/],
    ['the_part_is_late', "I don't know.", /^Then say that/],
    ['kitchen_rota', 'Okay, bye.', /^Okay\. And the landlord/],
  ])('takes up what was said: %s, %s', async (name, line, answer) => {
    const [talk] = await talksOf(name);
    if (talk === undefined) throw new Error(`${name} has no scenario`);
    expect(playDemo(talk.content, 'standard', [line]).turns[0]?.npc).toMatch(answer);
  });

  it.each([
    ['one_good_story', 'Hey! How are you doing today?', 'was_rude'],
    ['the_ask', 'So what do you think?', 'brushed_aside'],
    ['talking_over', 'So what do you think?', 'brushed_aside'],
    ['the_part_is_late', 'So what do you think?', 'turned_on_her'],
    ['say_it_back', 'What did you do before you retired?', 'asked_obstacle'],
    ['first_words', "She'll be happy, I'm sure.", 'told_own'],
    ['first_words', 'Can I have a piece?', 'told_own'],
    ['the_ask', 'What do you mean?', 'asked_interest'],
    ['kitchen_rota', 'What do you mean?', 'asked_side'],
    ['maybe_tomorrow', 'Hi, how are you today?', 'asked_open'],
    ['the_part_is_late', 'Hi, how are you today?', 'asked_perception'],
  ])('takes a harmless line for nothing else: %s, %s', async (name, line, id) => {
    const [talk] = await talksOf(name);
    if (talk === undefined) throw new Error(`${name} has no scenario`);
    const [turn] = playDemo(talk.content, 'standard', [line]).turns;
    expect(turn?.showed.map((one) => one.id)).not.toContain(id);
  });

  it.each(['53,000.', "I'm asking for 55,000.", 'My number is 53k, because I do two jobs.'])(
    'hears the number in "%s"',
    async (line) => {
      const [ask] = await talksOf('the_ask');
      if (ask === undefined) throw new Error('the_ask has no scenario');
      const [turn] = playDemo(ask.content, 'standard', [line]).turns;
      expect(turn?.npc).toMatch(/^So that's the number\./);
    },
  );
});
