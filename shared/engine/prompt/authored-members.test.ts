import type { ScenarioContent } from '@parley/shared/contracts';
import { scenarioFixture } from '../../testing/scenario-fixture';
import { compileScenario } from '../compiled-scenario';
import { buildDebriefPrompt } from '../debrief/debrief-prompt';
import { scoreSession } from '../debrief/scoring';
import { openSession } from '../open-session';
import { npcOutputSchema } from '../reply/npc-output-schema';
import { buildPrompt } from './build-prompt';
import { NO_SUMMARY } from './memory-summary';

type Leaf = string | number | boolean | null;
type Place = (string | number)[];

/** Everything that a model is ever asked with for a scenario: a turn in which all events have fired, and the debrief. */
function whatModelsRead(content: ScenarioContent): { turn: string; debrief: string } {
  const difficulty = 'standard';
  const { state } = openSession(content, difficulty);
  const fired = content.events.map((event) => event.id);
  const base = {
    content,
    difficulty,
    language: 'en',
    focus_dimension: null,
    fence: '9f8e7',
    context_length: 32_768,
  } as const;
  const turns = [
    { index: 1, role: 'npc' as const, text: content.opening.npc_says },
    { index: 2, role: 'player' as const, text: 'It is late.' },
  ];
  const prompt = buildPrompt({
    ...base,
    scenario: compileScenario(content),
    state: { ...state, fired_events: fired, pending_instructions: fired },
    turns: turns.slice(0, 1),
    summary: NO_SUMMARY,
    recap: null,
    player_text: 'It is late.',
  });
  const debriefs = [...content.endings, null].map(
    (ending) =>
      buildDebriefPrompt({
        ...base,
        turns,
        events: [],
        scores: scoreSession(content, [], null),
        turning_points: [],
        ending: { type: ending?.type ?? 'timeout', id: ending?.id ?? null },
      }).messages,
  );
  return {
    turn: JSON.stringify([prompt.messages, npcOutputSchema(content, difficulty)]),
    debrief: JSON.stringify(debriefs),
  };
}

/** Every single value of the fixture, by its place. */
function leavesOf(value: unknown, place: Place = []): { place: Place; leaf: Leaf }[] {
  if (typeof value !== 'object' || value === null) return [{ place, leaf: value as Leaf }];
  return Object.entries(value).flatMap(([name, inner]) =>
    leavesOf(inner, [...place, Array.isArray(value) ? Number(name) : name]),
  );
}

const OTHER_CHOICE: Record<string, string> = {
  G: 'PG',
  terse: 'verbose',
  moderate: 'terse',
  professional: 'casual',
  practice: 'stretch',
  redirect: 'stop',
  refuse: 'stop',
  stop: 'refuse',
  visible: 'hidden',
  hidden: 'visible',
  success: 'failure',
  failure: 'success',
  timeout: 'failure',
};

const changedLeaf = (leaf: Leaf): Leaf => {
  if (typeof leaf === 'number') return leaf + 3;
  if (typeof leaf === 'boolean') return !leaf;
  return leaf === null ? 'set' : (OTHER_CHOICE[leaf] ?? `${leaf}x`);
};

function changedAt(place: Place, leaf: Leaf): ScenarioContent {
  const content = scenarioFixture();
  let holder = content as unknown as Record<string | number, unknown>;
  for (const step of place.slice(0, -1)) holder = holder[step] as Record<string | number, unknown>;
  holder[place.at(-1) ?? ''] = changedLeaf(leaf);
  return content;
}

/** Where a member reaches no turn of the model, and why. Patterns over places. */
const NOT_IN_A_TURN: { place: RegExp; because: string }[] = [
  { place: /^(id|pack_id|scenario_id|version|content_hash)$/, because: 'names and versions are for the processes' },
  { place: /^player_role\.brief$/, because: 'is what the player knows, not the character' },
  { place: /^format_version$/, because: 'the engine plays by the rules of the format' },
  { place: /^rubric\.dimensions\.\d+\.skill$/, because: 'is for progress' },
  {
    place: /^(flags\.\w+|moves\.\d+)\.(shown|proof|repeat|signs|exemplars|asks|effect)\b/,
    because: 'code judges the player',
  },
  { place: /^(language|languages\.\d+)$/, because: "the session's own language counts" },
  { place: /^(npc\.npc_id|scene\.scene_id|rubric\.rubric_id|policy\.policy_id)$/, because: 'ids of files' },
  { place: /^(npc\.(portraits?|alt)|scene\.(background|alt))\b/, because: 'pictures are for the page' },
  { place: /^rubric\.dimensions\.\d+\.(weight|max_delta_per_turn)$/, because: 'the engine reckons with them' },
  { place: /^rubric\.dimensions\.\d+\.(framework|sources)\b/, because: 'background for the player and the debrief' },
  { place: /^opening\.emotion$/, because: 'is shown with the opening line' },
  { place: /^variables\.\w+\.(max|visibility)$/, because: 'bounds are kept by the engine' },
  { place: /^variables\.(?!objective_progress)\w+\.min$/, because: 'bounds are kept by the engine' },
  { place: /^variables\.(trust|rapport|objective_progress|alarm)\.authored$/, because: 'no preset sets these' },
  { place: /^variables\.(openness|pressure)\.default$/, because: 'the preset sets the start' },
  { place: /^difficulty\.(declared|default)$/, because: 'the session names its preset' },
  { place: /^difficulty\.options\.hard\b/, because: 'another preset is played' },
  { place: /^difficulty\.options\.standard\.patience$/, because: 'the scenario sets its own start' },
  {
    place: /^events\.\d+\.(repeat|effects|narration)\b/,
    because: 'the engine fires events; the player reads narration',
  },
  { place: /^events\.\d+\.when\.\d+\.(type|variable|threshold)$/, because: 'the engine decides when' },
  { place: /^(endings|hints)\.\d+\.when\.\d+\.(type|variable|threshold|value)$/, because: 'the engine decides when' },
  { place: /^endings\.\d+\.(id|debrief_note)$/, because: 'is for the debrief and the events' },
  { place: /^hints\.\d+\.text$/, because: 'is for the player' },
  { place: /^replay_seed$/, because: 'is for runs of the test scripts' },
];

const original = whatModelsRead(scenarioFixture());
const leaves = leavesOf(scenarioFixture()).map(({ place, leaf }) => ({ name: place.join('.'), place, leaf }));
const excused = (name: string) => NOT_IN_A_TURN.some((one) => one.place.test(name));

describe('what authors write', () => {
  it.each(leaves.filter(({ name }) => !excused(name)))('reaches the model in a turn: $name', ({ place, leaf }) => {
    expect(whatModelsRead(changedAt(place, leaf)).turn).not.toBe(original.turn);
  });

  it.each(NOT_IN_A_TURN)('is kept from turns where it does not belong there: $place ($because)', ({ place }) => {
    const meant = leaves.filter(({ name }) => place.test(name));
    expect(meant.length).toBeGreaterThan(0);
    const bringers = meant.filter((one) => {
      // Ids and directions of conditions tell which way is favourable and which flags there are: that much is meant to be known.
      if (/^endings\.\d+\.when/.test(one.name)) return false;
      return whatModelsRead(changedAt(one.place, one.leaf)).turn !== original.turn;
    });
    expect(bringers.map((one) => one.name)).toEqual([]);
  });

  it.each([
    'title',
    'player_role.label',
    'npc.display_name',
    'rubric.dimensions.0.name',
    'rubric.dimensions.0.description',
    'rubric.dimensions.0.scoring.low',
    'rubric.dimensions.0.scoring.medium',
    'rubric.dimensions.0.scoring.high',
    'rubric.dimensions.0.framework',
    'moves.0.description',
    'endings.0.debrief_note',
    'endings.0.title',
    'goals.player_visible.0',
  ])('reaches the model in the debrief: %s', (name) => {
    const found = leaves.find((one) => one.name === name);
    expect(found).toBeDefined();
    expect(whatModelsRead(changedAt(found!.place, found!.leaf)).debrief).not.toBe(original.debrief);
  });
});
