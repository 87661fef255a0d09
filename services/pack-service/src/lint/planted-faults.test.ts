import { readdirSync } from 'node:fs';
import path from 'node:path';
import { stringify } from 'yaml';
import { temporaryFolder, minimalPack, writePack, type TemporaryFolder } from '@parley/shared/testing';
import { validatePack } from '../import/validating/validate-pack';

const PACKS = path.resolve(__dirname, '..', '..', '..', '..', 'packs');

const check = (id: string, target: object, points: number) => ({ id, text: `Does ${id}`, points, ...target });

/** A story without a fault: each plant changes one thing of it. */
const sound = () => ({
  scenario: {
    schema_version: '0.2',
    scenario_id: 'talk',
    title: 'A talk',
    summary: 'The player talks with Kim.',
    player_role: { label: 'A colleague', brief: 'You have news.' },
    npc: { ref: '../npcs/kim.yaml' },
    scene: { ref: '../scenes/room.yaml' },
    rubric: { ref: '../rubrics/basics.yaml' },
    duration: { max_turns: 8 },
    opening: { npc_says: 'Yes?' },
    goals: { player_visible: ['Tell Kim the news.'], hidden: ['Kim knows already.'] },
    state: {
      variables: { trust: 40, doubt: { default: 60, visibility: 'hidden', max_delta_per_turn: 15 } } as Record<string, unknown>,
    },
    moves: [
      { id: 'told_news', description: 'Tells the news.', effect: { trust: 8 }, signs: [{ says: ['the news is'] }], exemplars: ['The news is that we move.'] },
      { id: 'asked_need', description: 'Asks what Kim needs.', effect: { trust: 6 }, signs: [{ question: 'open' }, { says: ['need'] }], exemplars: ['What do you need?'] },
    ] as Record<string, unknown>[],
    flags: { insult: { meaning: 'Insults Kim.', signs: [{ tone: ['insult'] }] } } as Record<string, unknown>,
    secrets: [{ id: 'leaves_early', when: [{ type: 'flag', flag_id: 'asked_need' }], text: 'Kim wants to leave at four.', hint: 'Ask what Kim needs.' }] as Record<string, unknown>[],
    events: [{ id: 'phone', when: { type: 'max_turns', value: 3 }, npc_instruction: 'The phone rings. Do not answer.' }] as Record<string, unknown>[],
    hints: [
      { when: { type: 'variable_below', variable: 'trust', threshold: 30 }, text: 'Say the news plainly.' },
      { when: { type: 'variable_above', variable: 'trust', threshold: 1 }, text: 'Ask what Kim needs.' },
    ] as Record<string, unknown>[],
    outcome: [
      { when: { type: 'flag', flag_id: 'told_news' }, text: 'Kim knows.', quote: 'told_news' },
      { ending: 'at_ease', text: 'You part as friends.' },
    ] as Record<string, unknown>[],
    demo: [
      { after: 'told_news', says: 'I had heard.' },
      { after: 'asked_need', says: 'To leave at four.' },
      { otherwise: true, says: 'Go on.' },
    ] as Record<string, unknown>[],
    endings: [
      { id: 'at_ease', type: 'success', title: 'At ease', when: [{ type: 'variable_above', variable: 'trust', threshold: 54 }, { type: 'flag', flag_id: 'told_news' }] },
      { id: 'walked_off', type: 'failure', title: 'Walked off', when: [{ type: 'variable_above', variable: 'doubt', threshold: 89 }] },
    ] as { [member: string]: unknown; when: Record<string, unknown>[] }[],
  },
  rubric: {
    schema_version: '0.2',
    rubric_id: 'basics',
    title: 'Basics',
    dimensions: [
      { id: 'clarity', name: 'Clarity', description: 'How clear it was.', scoring: { low: 'Vague.', medium: 'Mixed.', high: 'Plain.' }, checks: [check('news', { move: 'told_news' }, 30), check('calm', { without_flag: 'insult', after_move: 'told_news' }, 20)] },
      { id: 'care', name: 'Care', description: 'How kind it was.', scoring: { low: 'Cold.', medium: 'Mixed.', high: 'Kind.' }, checks: [check('need', { move: 'asked_need' }, 50)] },
    ] as { [member: string]: unknown; checks?: Record<string, unknown>[] }[],
  },
}); // prettier-ignore

type Story = ReturnType<typeof sound>;
type Plant = (story: Story) => unknown;

const move = ({ scenario }: Story, index = 0) => scenario.moves[index] ?? {};
const dimension = ({ rubric }: Story, index = 0) => rubric.dimensions[index] ?? {};
const checkOf = (story: Story, index = 0) => dimension(story).checks?.[index] ?? {};
const ending = ({ scenario }: Story, index = 0) => scenario.endings[index] ?? { when: [] };

const above = (variable: string, threshold: number) => ({ type: 'variable_above', variable, threshold });
const below = (variable: string, threshold: number) => ({ type: 'variable_below', variable, threshold });
const flag = (flag_id: string) => ({ type: 'flag', flag_id });
const noFlag = (flag_id: string) => ({ type: 'no_flag', flag_id });

/** What is planted, how, and the rule that must find it. */
const PLANTED: readonly [fault: string, plant: Plant, rule: string][] = [
  ['an ending above the top of its variable', (s) => (ending(s).when = [above('trust', 100)]), 'lint.unreachable-ending'],
  ['an ending below the bottom of its variable', (s) => (ending(s, 1).when = [below('doubt', 0)]), 'lint.unreachable-ending'],
  ['an ending that waits for a turn after the last', (s) => (ending(s).when = [{ type: 'max_turns', value: 9 }]), 'lint.unreachable-ending'],
  ['an ending that waits for a line after the last', (s) => (ending(s).when = [{ type: 'line', value: 9 }]), 'lint.unreachable-ending'],
  ['an ending between two values that leave no room', (s) => (ending(s).when = [above('trust', 60), below('trust', 61)]), 'lint.unreachable-ending'],
  ['an ending too far for the turns there are', (s) => { s.scenario.duration.max_turns = 2; s.scenario.state.variables['doubt'] = { default: 10, max_delta_per_turn: 3, visibility: 'hidden' }; }, 'lint.unreachable-ending'],
  ['an ending for an event that never fires', (s) => { s.scenario.events.push({ id: 'late', when: { type: 'max_turns', value: 20 }, npc_instruction: 'Come in.' }); ending(s).when = [flag('late')]; }, 'lint.unreachable-ending'],
  ['an ending that holds before a word is said', (s) => (ending(s).when = [above('trust', 20)]), 'lint.first-turn-ending'],
  ['a failure that holds before a word is said', (s) => (ending(s, 1).when = [below('doubt', 90)]), 'lint.first-turn-ending'],
  ['an event after the last turn', (s) => s.scenario.events.push({ id: 'late', when: { type: 'max_turns', value: 9 }, npc_instruction: 'Come in.' }), 'lint.dead-event'],
  ['an event that waits for itself', (s) => s.scenario.events.push({ id: 'late', when: flag('late'), npc_instruction: 'Come in.' }), 'lint.dead-event'],
  ['two events that wait for each other', (s) => s.scenario.events.push({ id: 'one', when: flag('two'), npc_instruction: 'A.' }, { id: 'two', when: flag('one'), npc_instruction: 'B.' }), 'lint.dead-event'],
  ['an event above the top', (s) => s.scenario.events.push({ id: 'late', when: above('trust', 100), npc_instruction: 'Smile.' }), 'lint.dead-event'],
  ['an event that fires whatever is said', (s) => s.scenario.events.push({ id: 'early', when: above('trust', 10), npc_instruction: 'Smile.' }), 'lint.first-turn-event'],
  ['a secret above the top', (s) => s.scenario.secrets.push({ id: 'shut', when: [above('trust', 100)], text: 'Never.' }), 'lint.dead-secret'],
  ['a secret after the last line', (s) => s.scenario.secrets.push({ id: 'shut', when: [{ type: 'line', value: 12 }], text: 'Never.' }), 'lint.dead-secret'],
  ['a secret for a flag that must not be raised', (s) => s.scenario.secrets.push({ id: 'shut', when: [flag('told_news'), noFlag('told_news')], text: 'Never.' }), 'lint.dead-secret'],
  ['a secret behind an event that never fires', (s) => { s.scenario.events.push({ id: 'late', when: { type: 'max_turns', value: 20 }, npc_instruction: 'Come in.' }); s.scenario.secrets.push({ id: 'shut', when: [flag('late')], text: 'Never.' }); }, 'lint.dead-secret'],
  ['a hint above the top', (s) => s.scenario.hints.unshift({ when: above('trust', 100), text: 'Never.' }), 'lint.dead-hint'],
  ['a hint below the bottom', (s) => s.scenario.hints.unshift({ when: below('trust', 0), text: 'Never.' }), 'lint.dead-hint'],
  ['a hint after the last turn', (s) => s.scenario.hints.unshift({ when: { type: 'max_turns', value: 9 }, text: 'Never.' }), 'lint.dead-hint'],
  ['a hint that is there twice', (s) => s.scenario.hints.splice(1, 0, { when: below('trust', 30), text: 'Never.' }), 'lint.dead-hint'],
  ['a line of the outcome above the top', (s) => s.scenario.outcome.push({ when: above('trust', 100), text: 'Never.' }), 'lint.dead-outcome'],
  ['a line of the outcome that contradicts itself', (s) => s.scenario.outcome.push({ when: [flag('told_news'), noFlag('told_news')], text: 'Never.' }), 'lint.dead-outcome'],
  ['a move whose words are forbidden to it', (s) => (move(s)['signs'] = [{ says: ['news'] }, { never_says: ['News', 'old'] }]), 'lint.unprovable'],
  ['a move that is long and short', (s) => (move(s)['signs'] = [{ words: { at_least: 12 } }, { words: { at_most: 6 } }]), 'lint.unprovable'],
  ['a move for a line after the last', (s) => (move(s)['signs'] = [{ says: ['the news is'] }, { line: { from: 9 } }]), 'lint.unprovable'],
  ['a move with a sign and its contrary', (s) => (move(s)['signs'] = [{ day: true }, { not: { day: true } }]), 'lint.unprovable'],
  ['a move whose every alternative fails', (s) => (move(s)['signs'] = [{ never_says: ['news', 'change'] }, { any: [{ says: ['news'] }, { says: ['change'] }] }]), 'lint.unprovable'],
  ['a flag that no line can raise', (s) => (s.scenario.flags['rude'] = { meaning: 'Is rude.', signs: [{ says: ['shut up'] }, { never_says: ['shut up'] }] }), 'lint.unprovable'],
  ['a demo line for what nobody can say', (s) => s.scenario.demo.push({ signs: [{ day: true }, { not: { day: true } }], says: 'Quite.' }), 'lint.unprovable'],
  ['a check that no line can meet', (s) => (dimension(s).checks = [check('news', { signs: [{ line: { from: 5 } }, { line: { by: 3 } }] }, 50)]), 'lint.unprovable'],
  ['an exemplar that is not what it shows', (s) => (move(s)['exemplars'] = ['Hello Kim.']), 'lint.exemplar'],
  ['one wrong exemplar among good ones', (s) => (move(s, 1)['exemplars'] = ['What do you need?', 'You need this.']), 'lint.exemplar'],
  ['checks that come to less than 50', (s) => (checkOf(s)['points'] = 10), 'schema.rubric'],
  ['checks that come to more than 50', (s) => (checkOf(s)['points'] = 45), 'schema.rubric'],
  ['a check that looks for nothing', (s) => delete checkOf(s)['move'], 'schema.rubric'],
  ['a check that looks for two things', (s) => (checkOf(s)['flag'] = 'insult'), 'schema.rubric'],
  ['a check for a move that is not there', (s) => (checkOf(s)['move'] = 'told_new'), 'ref.unknown'],
  ['a check that silence meets', (s) => delete checkOf(s, 1)['after_move'], 'lint.check-absence'],
  ['a dimension without checks beside one with', (s) => delete dimension(s, 1).checks, 'lint.no-checks'],
  ['a demo line for a move without signs', (s) => { delete move(s)['signs']; delete move(s)['exemplars']; }, 'lint.demo'],
  ['a demo line after the last line', (s) => s.scenario.demo.push({ when: { type: 'line', value: 9 }, says: 'Never.' }), 'schema.scenario'],
  ['a demo line with conditions that exclude each other', (s) => s.scenario.demo.push({ when: [flag('told_news'), noFlag('told_news')], says: 'Never.' }), 'schema.scenario'],
  ['a demo line that is there twice', (s) => s.scenario.demo.push({ after: 'asked_need', says: 'I had heard.' }), 'schema.scenario'],
  ['a secret that is there twice', (s) => s.scenario.secrets.push({ id: 'leaves_early', when: [flag('told_news')], text: 'Again.' }), 'schema.scenario'],
]; // prettier-ignore

describe('faults planted in a story', () => {
  let folder: TemporaryFolder;
  beforeEach(() => {
    folder = temporaryFolder('planted');
  });
  afterEach(() => folder.remove());

  async function rulesOf(story: Story): Promise<string[]> {
    const at = writePack(path.join(folder.path, 'pack'), {
      ...minimalPack(),
      'scenarios/talk.yaml': stringify(story.scenario),
      'rubrics/basics.yaml': stringify(story.rubric),
    });
    const { findings } = await validatePack(at);
    return findings.map(({ rule }) => rule);
  }

  it('are not found where there is none', async () => {
    const clean = await rulesOf(sound());
    expect(clean.filter((rule) => PLANTED.some(([, , planted]) => planted === rule))).toEqual([]);
  });

  it('are at least forty', () => {
    expect(PLANTED.length).toBeGreaterThanOrEqual(40);
  });

  it.each(PLANTED)('%s', async (_fault, plant, rule) => {
    const story = sound();
    plant(story);
    expect(await rulesOf(story)).toContain(rule);
  });

  it('are in none of the packs that come with Parley', async () => {
    const rules = new Set(PLANTED.map(([, , rule]) => rule));
    for (const name of readdirSync(PACKS)) {
      if (
        !readdirSync(PACKS, { withFileTypes: true })
          .find((one) => one.name === name)
          ?.isDirectory()
      )
        continue;
      if (!readdirSync(path.join(PACKS, name)).includes('manifest.yaml')) continue;
      const { findings } = await validatePack(path.join(PACKS, name));
      expect([name, findings.filter(({ rule }) => rules.has(rule))]).toEqual([name, []]);
    }
  });
});
