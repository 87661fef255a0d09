import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder, type TemporaryFolder } from '@parley/shared/testing';
import { PackForm } from '@parley/shared/contracts';
import { runPlaythrough } from '../cli/run-playthrough';
import { playDemo } from '../cli/demo-talk';
import { validatePack } from '../import/validating/validate-pack';
import { packFromForm } from './pack-from-form';
import { FORM_WORDS } from './form-words/form-words';
import { slugOf } from './person';

const FORMS: PackForm[] = [
  {
    who: 'Marta, my team lead',
    want: 'to work from home on Fridays',
    need: 'that somebody is there when a customer calls',
  },
  { who: 'my landlord', want: 'I want the heating repaired before the winter.', need: 'that it costs next to nothing' },
  { who: 'Zoë: my "best" friend #1', want: 'the 200 euros back', need: 'not to look poor & small' },
  { who: 'My mum', want: 'less', need: 'me', title: 'Sunday %s: {calls}' },
  {
    language: 'de',
    who: 'Marta, meine Teamleiterin',
    want: 'freitags von zu Hause arbeiten',
    need: 'dass jemand da ist, wenn ein Kunde anruft',
  },
  {
    language: 'de',
    who: 'mein Vermieter',
    want: 'Ich möchte die Heizung vor dem Winter repariert haben.',
    need: 'dass es fast nichts kostet',
  },
  { language: 'de', who: 'Oma', want: 'weniger', need: 'mich', title: 'Große Pause: {Anrufe}' },
];

describe('a pack from a form', () => {
  let folder: TemporaryFolder;
  beforeEach(() => (folder = temporaryFolder('form')));
  afterEach(() => folder.remove());

  const written = (form: PackForm): string => {
    for (const [name, text] of packFromForm(form).files) {
      mkdirSync(path.dirname(path.join(folder.path, name)), { recursive: true });
      writeFileSync(path.join(folder.path, name), text);
    }
    return folder.path;
  };

  it.each(FORMS)('has no finding, and its three scripts come out as they say: %j', async (form) => {
    const { findings, pack, scenarios } = await validatePack(written(form));
    expect(findings).toEqual([]);
    const [scenario] = scenarios;
    expect(scenario?.content.id).toBe(packFromForm(form).scenario_id);
    const runs = pack.playthroughs.map((file) => runPlaythrough(file, scenario!.content));
    expect(runs.map(({ result, ending }) => [result, ending])).toEqual([
      ['passed', 'turned_away'],
      ['passed', 'out_of_time'],
      ['passed', 'a_next_step'],
    ]);
  });

  it.each(FORMS)('is played with the demo voice to each of its endings, without a line twice: %j', async (form) => {
    const { pack, scenarios } = await validatePack(written(form));
    const content = scenarios[0]!.content;
    for (const { content: script } of pack.playthroughs) {
      const talk = playDemo(
        content,
        'standard',
        script.turns.map(({ player_input: said }) => said),
      );
      const lines = talk.turns.map(({ npc }) => npc);
      expect(talk.ending).not.toBeNull();
      expect(new Set(lines).size).toBe(lines.length);
      expect(talk.turns.every(({ demo_line: line }) => line !== null)).toBe(true);
    }
  });

  it.each(FORMS)('has one language throughout: %j', async (form) => {
    const { scenarios } = await validatePack(written(form));
    const { language = 'en' } = form;
    expect([...scenarios[0]!.content.languages]).toEqual([language]);
    // The other language's commonest words stand nowhere in what this one's pack says.
    const foreign = language === 'en' ? /\b(?:und|nicht|dein|ist)\b/iu : /\b(?:the|your|what|is|with)\b/iu;
    const made = JSON.stringify(scenarios[0]!.content);
    expect(made).not.toMatch(foreign);
  });

  it('tells the character nothing of what the player wants, and the player nothing of the need', async () => {
    const { scenarios } = await validatePack(written(FORMS[0]!));
    const { content } = scenarios[0]!;
    expect(content.npc_knows).not.toContain('Fridays');
    expect(`${content.summary} ${content.player_role.brief}`).not.toContain('customer');
  });

  it('makes names, phrases and ids that a sentence and a folder can hold', () => {
    expect(FORMS.map(({ who, language = 'en' }) => FORM_WORDS[language].named(who).name)).toEqual([
      'Marta',
      'Landlord',
      'Zoë: my "best" friend #1',
      'Mum',
      'Marta',
      'Vermieter',
      'Oma',
    ]);
    const { en, de } = FORM_WORDS;
    expect(en.phrase(' I want to go home. ')).toBe('go home');
    expect(en.phrase('for them to listen')).toBe('them to listen');
    expect(de.phrase('Ich hätte gern mehr Zeit!')).toBe('mehr Zeit');
    expect([slugOf('Über 3 Dinge!'), slugOf('Große Pause'), slugOf('漢字')]).toEqual([
      'uber_3_dinge',
      'grosse_pause',
      'talk',
    ]);
    expect(PackForm.safeParse({ who: ' ', want: 'x', need: 'y' }).success).toBe(false);
  });
});
