import { filterScenarios, skillsOf, startHere, type ScenarioSummary } from './filter-scenarios';

const scenario = (id: string, title: string, name: string, skills: string[]): ScenarioSummary => ({
  id,
  pack_id: id,
  version: 1,
  title,
  summary: 'A talk.',
  skills,
  difficulty: 'standard',
  duration_minutes: null,
  content_rating: 'G',
  npc: { id: 'npc', name, portrait_url: null },
});
const all = [
  scenario('kitchen_rota', 'The kitchen rota', 'Jules', ['living together']),
  scenario('the_ask', 'The ask', 'Señora Ibáñez', ['negotiation', 'listening']),
];
const idsOf = (words: string, skill: string | null = null) =>
  filterScenarios(all, { words, skill }).map((one) => one.id);

describe('filterScenarios', () => {
  it('finds every word, wherever it stands, whatever its accents and capitals', () => {
    expect(idsOf('ibanez ASK')).toEqual(['the_ask']);
    expect(idsOf('the')).toEqual(['kitchen_rota', 'the_ask']);
    expect(idsOf('ask kitchen')).toEqual([]);
  });

  it('keeps to the chosen skill', () => {
    expect(idsOf('', 'listening')).toEqual(['the_ask']);
    expect(idsOf('rota', 'listening')).toEqual([]);
  });
});

it('lists each skill once, in order', () => {
  expect(skillsOf([...all, all[1] as ScenarioSummary])).toEqual(['listening', 'living together', 'negotiation']);
});

it('starts a first visit with the ask, or with whatever is there', () => {
  expect(startHere(all)?.id).toBe('the_ask');
  expect(startHere(all.slice(0, 1))?.id).toBe('kitchen_rota');
  expect(startHere([])).toBeUndefined();
});
