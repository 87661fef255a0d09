import path from 'node:path';
import { temporaryFolder, minimalPack, replaced, writePack, type TemporaryFolder } from '@parley/shared/testing';
import { validatePack } from '../import/validating/validate-pack';
import { describeEnding, describeScenario } from './describe-scenario';

describe('making scenarios whole', () => {
  let folder: TemporaryFolder;
  beforeEach(() => {
    folder = temporaryFolder('compile');
  });
  afterEach(() => folder.remove());

  const compile = async (changes: Parameters<typeof minimalPack>[0] = {}) => {
    const { scenarios, findings } = await validatePack(writePack(path.join(folder.path, 'pack'), minimalPack(changes)));
    const [scenario] = scenarios;
    if (scenario === undefined) throw new Error(JSON.stringify(findings));
    return scenario;
  };

  it('fills in what an author left out', async () => {
    const { content } = await compile();
    expect(content.variables).toMatchObject({
      trust: { min: 0, max: 100, default: 40, visibility: 'visible', max_delta_per_turn: 20, authored: true },
      doubt: { min: 0, max: 100, default: 60, visibility: 'hidden', max_delta_per_turn: 15, authored: true },
      pressure: { default: 25, visibility: 'hidden', authored: false },
      objective_progress: { default: 0, authored: false },
    });
    expect(content.rubric.dimensions.map((dimension) => [dimension.weight, dimension.max_delta_per_turn])).toEqual([
      [1, 10],
      [0.5, 10],
    ]);
    expect(content.opening.emotion).toBe('neutral');
    expect(content.npc.emotions).toHaveLength(15);
    expect(content.npc.boundaries).toEqual([]);
    expect(content.endings.map((ending) => [ending.id, ending.type])).toEqual([
      [null, 'success'],
      [null, 'failure'],
    ]);
    expect(content.events[0]).toMatchObject({
      when: [{ type: 'max_turns', value: 3 }],
      repeat: false,
      effects: {},
      narration: null,
    });
  });

  it('keeps the visibility of a baseline variable that is only given another start', async () => {
    const { content } = await compile({
      'scenarios/talk.yaml': replaced('scenarios/talk.yaml', 'trust: 40', 'trust: 40\n    pressure: {max: 60}'),
    });
    expect(content.variables['pressure']).toMatchObject({
      default: 25,
      max: 60,
      visibility: 'hidden',
      authored: false,
    });
  });

  it('makes older names of categories current, block a stop, and adds the rules that no pack can loosen', async () => {
    const { content } = await compile({
      'safety/policy.yaml': replaced(
        'safety/policy.yaml',
        'legal_claim: redirect',
        'crisis_content: redirect, violence_graphic: block',
      ),
    });
    expect(content.policy.content_categories).toEqual({
      real_person_impersonation: 'stop',
      nsfw_sexual_content: 'stop',
      violence_graphic: 'stop',
      minors_romantic_or_sexual: 'stop',
      self_harm_crisis: 'stop_with_resource_message',
    });
  });

  it('offers the presets that are listed', async () => {
    const { content } = await compile();
    expect(content.difficulty).toMatchObject({ declared: true, default: 'standard' });
    expect(Object.keys(content.difficulty.options)).toEqual(['standard', 'hard']);
    const without = replaced(
      'scenarios/talk.yaml',
      'difficulty:\n  default: standard',
      'difficulty:\n  default: hard',
    ).replace(/ {2}options:[\s\S]*?(?=events:)/, '');
    expect((await compile({ 'scenarios/talk.yaml': without })).content.difficulty).toEqual({
      declared: false,
      default: 'hard',
      options: {},
    });
  });

  it('hashes what a scenario says, not how its files are written', async () => {
    const before = await compile();
    const reordered = await compile({
      'scenes/room.yaml':
        '# A comment\ndescription: "Two chairs."\ndisplay_name: A room\nscene_id: room\nschema_version: "0.1"\n',
    });
    const changed = await compile({ 'scenes/room.yaml': replaced('scenes/room.yaml', 'Two chairs.', 'Three chairs.') });
    expect(reordered.content_hash).toBe(before.content_hash);
    expect(changed.content_hash).not.toBe(before.content_hash);
  });

  it('makes a whole scenario in each language that has texts, the rest in the default language', async () => {
    const { content, translations } = await compile({
      'manifest.yaml': replaced('manifest.yaml', '[en]', '[en, de, fr]'),
      'i18n/de.yaml':
        'schema_version: "0.2"\nscenarios/talk.yaml:\n  title: Ein Gespräch\n  events[id=phone].npc_instruction: Das Telefon klingelt.\nnpcs/kim.yaml:\n  private_persona.hidden_agenda[0]: Will heim.\n',
    });
    expect(Object.keys(translations)).toEqual(['de']);
    expect(content).toMatchObject({ language: 'en', languages: ['en', 'de', 'fr'], title: 'A talk' });
    expect(translations['de']).toMatchObject({
      language: 'de',
      title: 'Ein Gespräch',
      npc: { hidden_agenda: ['Will heim.'], occupation: 'Clerk' },
    });
    expect(translations['de']?.events[0]?.npc_instruction).toBe('Das Telefon klingelt.');
  });

  it('tells a player nothing that is hidden', async () => {
    const { content } = await compile();
    const detail = describeScenario(content, () => null);
    const text = JSON.stringify(detail);
    for (const hidden of [
      ...content.goals.hidden,
      ...content.npc.hidden_agenda,
      ...content.events.map((event) => event.npc_instruction),
    ])
      expect(text).not.toContain(hidden);
    expect(detail.endings.map((ending) => [ending.type, ending.description])).toEqual([
      ['success', 'Trust is above 79.'],
      ['failure', 'What you say decides; play shows when.'],
      ['timeout', 'After 8 turns.'],
    ]);
    expect(detail.difficulties.map((one) => [one.id, one.label])).toEqual([
      ['standard', 'Standard'],
      ['hard', 'A bad day'],
    ]);
    expect(detail.warnings).toEqual(['There is no picture of Kim in this pack.']);
    expect(detail.duration_minutes).toBe(8);
  });

  it('says that there is more to an ending than it shows', async () => {
    const { content } = await compile();
    expect(
      describeEnding(content, [
        { type: 'variable_below', variable: 'trust', threshold: 20 },
        { type: 'flag', flag_id: 'apology' },
      ]),
    ).toBe('Trust is below 20, and something more that play shows.');
  });
});
