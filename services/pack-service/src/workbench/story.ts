import type { Condition, Finding, ScenarioContent, Story, StoryStep } from '@parley/shared/contracts';
import { worldsOf, type LoadedFile } from './pack-tools';

type Keys = readonly [list: string, index: number];
type Worlds = ReturnType<typeof worldsOf>;

/** What a flag of a condition is called to its author. */
function nounOf(content: ScenarioContent, flag: string): string {
  if (content.events.some(({ id }) => id === flag)) return 'the event';
  return content.moves.some(({ id }) => id === flag) ? 'the move' : 'the flag';
}

const DONE: Readonly<Record<string, string>> = {
  'the event': 'has fired',
  'the move': 'was made',
  'the flag': 'was raised',
};

/** A condition as a sentence for its author. */
function conditionWords(content: ScenarioContent, condition: Condition): string {
  switch (condition.type) {
    case 'variable_above':
      return `${condition.variable} is above ${condition.threshold}`;
    case 'variable_below':
      return `${condition.variable} is below ${condition.threshold}`;
    case 'max_turns':
      return `the player has had ${condition.value} lines`;
    case 'line':
      return `it is line ${condition.value}`;
    case 'flag':
    case 'no_flag': {
      const noun = nounOf(content, condition.flag_id);
      const done = DONE[noun] ?? '';
      return condition.type === 'flag'
        ? `${noun} ${condition.flag_id} ${done}`
        : `not yet: ${noun} ${condition.flag_id} ${done}`;
    }
  }
}

const waitsFor = (when: readonly Condition[]): string[] => [
  ...new Set(when.flatMap((one) => (one.type === 'flag' ? [one.flag_id] : []))),
];

interface Coming {
  readonly keys: Keys;
  readonly when: readonly Condition[];
  readonly turns: (world: Worlds[number]) => number;
}

/** How soon something can come, at each preset; what the lint proved of it wins over the bounds. */
function reachOf(worlds: Worlds, limit: number, { when, turns }: Coming, proved: string | null): StoryStep['reach'] {
  return worlds.map((world) => {
    const fewest = turns(world);
    if (proved !== null) return { difficulty: world.difficulty, turns: null, why: proved };
    if (fewest <= limit) return { difficulty: world.difficulty, turns: fewest, why: null };
    const why = world.reach.shortfalls(when, limit).join(', and ');
    return { difficulty: world.difficulty, turns: null, why: why === '' ? null : why };
  });
}

/** Warnings that something contradicts itself, by its path: the bounds alone do not see that. */
const CONTRADICTION = /contradict/;

/**
 * What can come in a scenario, and after how many lines of the player at the earliest: the proofs of the lint as a picture.
 * @param findings those of the file
 */
export function storyOf(file: LoadedFile<'scenario'>, content: ScenarioContent, findings: readonly Finding[]): Story {
  const worlds = worldsOf(content);
  const limit = content.duration.max_turns;
  const proofs = new Map(
    findings.filter(({ message }) => CONTRADICTION.test(message)).map(({ path, message }) => [path, message]),
  );
  const step = (
    own: Pick<StoryStep, 'kind' | 'id' | 'title'> & { readonly ending_type?: StoryStep['ending_type'] },
    coming: Coming,
  ): StoryStep => ({
    ending_type: null,
    ...own,
    line: file.document.placeOf(coming.keys).line,
    waits_for: waitsFor(coming.when),
    when: coming.when.map((one) => conditionWords(content, one)),
    reach: reachOf(worlds, limit, coming, proofs.get(`${coming.keys[0]}[${coming.keys[1]}]`) ?? null),
  });
  const endingKeys = (index: number): Keys =>
    file.content.endings === undefined ? ['ending_conditions', 0] : ['endings', index];
  return {
    scenario_id: content.scenario_id,
    title: content.title,
    file: file.path,
    max_turns: limit,
    steps: [
      ...content.moves.map((move, index) =>
        step(
          { kind: 'move', id: move.id, title: move.description },
          { keys: ['moves', index], when: [], turns: () => 1 },
        ),
      ),
      ...content.events.map((event, index) =>
        step(
          { kind: 'event', id: event.id, title: event.narration },
          { keys: ['events', index], when: event.when, turns: ({ reach }) => reach.turnsToEvent(event.id) },
        ),
      ),
      ...content.secrets.map((secret, index) =>
        step(
          { kind: 'secret', id: secret.id, title: secret.text },
          { keys: ['secrets', index], when: secret.when, turns: ({ reach }) => reach.turnsTo(secret.when) },
        ),
      ),
      ...content.endings.map((ending, index) =>
        step(
          { kind: 'ending', id: ending.id ?? ending.type, title: ending.title, ending_type: ending.type },
          { keys: endingKeys(index), when: ending.when, turns: ({ reach }) => reach.turnsTo(ending.when) },
        ),
      ),
    ],
  };
}
