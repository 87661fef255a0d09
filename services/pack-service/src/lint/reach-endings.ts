import type { Difficulty, Finding, ScenarioContent } from '@parley/shared/contracts';
import { reportAt, strictIn02, type Keys } from '../import/validating/file-report';
import type { LoadedFile } from '../import/validating/load-pack';
import { because, listOf, variablesExist, worldsOf, type Reachability } from './reachability';

/** How soon an ending can come. */
export interface EndingReach {
  readonly scenario_id: string;
  readonly ending: string;
  readonly difficulty: Difficulty;
  /** Smallest number of player turns after which it can hold; null: never within max_turns. */
  readonly turns: number | null;
}

function keysOfEnding(scenario: LoadedFile<'scenario'>, content: ScenarioContent, index: number): Keys {
  return scenario.content.endings !== undefined
    ? ['endings', index]
    : ['ending_conditions', content.endings[index]?.type ?? 'success'];
}

/**
 * Proves what can be proved of a scenario without a model: that every ending can be reached within max_turns, that none
 * holds before the first turn, and that every event can fire and none fires at once.
 */
export function proveReach(
  scenario: LoadedFile<'scenario'>,
  content: ScenarioContent,
): { findings: Finding[]; endings: EndingReach[] } {
  const worlds = worldsOf(content);
  const presets = worlds.map(({ difficulty }) => difficulty);
  const limit = content.duration.max_turns;
  const findings: Finding[] = [];
  const endings: EndingReach[] = [];
  const within = (predicate: (reach: Reachability) => boolean): Difficulty[] =>
    worlds.filter(({ reach }) => predicate(reach)).map(({ difficulty }) => difficulty);
  const where = (found: readonly Difficulty[]): string => listOf(found, presets, content.difficulty.declared);

  for (const [index, ending] of content.endings.entries()) {
    const name = ending.id ?? ending.type;
    const keys = keysOfEnding(scenario, content, index);
    for (const { difficulty, reach } of worlds) {
      const turns = reach.turnsTo(ending.when);
      endings.push({ scenario_id: content.id, ending: name, difficulty, turns: turns <= limit ? turns : null });
    }
    if (!variablesExist(content, ending.when)) continue;
    const never = within((reach) => reach.turnsTo(ending.when) > limit);
    if (never.length > 0)
      findings.push(
        reportAt(scenario, keys, {
          severity: 'warning',
          rule: 'lint.unreachable-ending',
          message: `The ending ${name} cannot be reached within ${limit} turns${where(never)}${because(worlds, never, ending.when, limit)}`,
          hint: 'Look at the start, the bounds and max_delta_per_turn of the variables that it asks for, and at the flags.',
        }),
      );
    const atOnce = within((reach) => reach.holdsAtStart(ending.when));
    if (atOnce.length > 0)
      findings.push(
        reportAt(scenario, keys, {
          severity: strictIn02(scenario),
          rule: 'lint.first-turn-ending',
          message: `The ending ${name} holds before the first turn${where(atOnce)}.`,
          hint: 'Change its threshold or the start of the variable.',
        }),
      );
  }
  for (const [index, event] of content.events.entries()) {
    if (!variablesExist(content, event.when)) continue;
    const dead = within((reach) => reach.turnsToEvent(event.id) > limit);
    if (dead.length > 0)
      findings.push(
        reportAt(scenario, ['events', index], {
          severity: 'warning',
          rule: 'lint.dead-event',
          message: `The event ${event.id} can never fire${where(dead)}${because(worlds, dead, event.when, limit)}`,
          hint: 'Look at what its conditions ask for.',
        }),
      );
    const atOnce = within((reach) => reach.holdsAtStart(event.when));
    if (atOnce.length > 0)
      findings.push(
        reportAt(scenario, ['events', index], {
          severity: 'warning',
          rule: 'lint.first-turn-event',
          message: `The event ${event.id} holds before the first turn${where(atOnce)}.`,
          hint: 'Change its threshold, unless it is meant to fire whatever the player says.',
        }),
      );
  }
  return { findings, endings };
}
