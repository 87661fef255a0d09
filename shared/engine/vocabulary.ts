import { BASELINE_VARIABLES, NPC_REQUESTS_END, type Condition, type ScenarioContent } from '@parley/shared/contracts';

const flagsIn = (conditions: readonly Condition[]): string[] =>
  conditions.flatMap((condition) =>
    condition.type === 'flag' || condition.type === 'no_flag' ? [condition.flag_id] : [],
  );

/**
 * What the model may name in event_flags: ids of moves, flags listed by the scenario and flags named in its conditions.
 * Ids of events are not among them (the engine raises those), nor is the flag of session_control.end_session.
 */
export function flagVocabulary(content: ScenarioContent): readonly string[] {
  const reserved = new Set([NPC_REQUESTS_END, ...content.events.map((event) => event.id)]);
  const conditions = [
    ...content.events.flatMap((event) => event.when),
    ...content.endings.flatMap((ending) => ending.when),
    ...content.hints.flatMap((hint) => hint.when),
  ];
  const names = [...content.moves.map((move) => move.id), ...Object.keys(content.flags), ...flagsIn(conditions)];
  return [...new Set(names)].filter((name) => !reserved.has(name));
}

export type Favour = 'up' | 'down';

/**
 * Which way a variable should go from the player's point of view, where the scenario lets that be seen: what a success
 * asks for comes first, then the opposite of what a failure asks for, then what moves do. null when nothing tells.
 */
export function favourableDirection(content: ScenarioContent, variable: string): Favour | null {
  return favourOfEndings(content, variable) ?? favourOfMoves(content, variable);
}

function favourOfEndings(content: ScenarioContent, variable: string): Favour | null {
  const asked = (type: 'success' | 'failure'): Favour | null => {
    for (const ending of content.endings) {
      if (ending.type !== type) continue;
      for (const condition of ending.when) {
        if (condition.type === 'variable_above' && condition.variable === variable) return 'up';
        if (condition.type === 'variable_below' && condition.variable === variable) return 'down';
      }
    }
    return null;
  };
  const success = asked('success');
  if (success) return success;
  const failure = asked('failure');
  return failure === null ? null : failure === 'up' ? 'down' : 'up';
}

function favourOfMoves(content: ScenarioContent, variable: string): Favour | null {
  for (const move of content.moves) {
    const effect = Object.hasOwn(move.effect, variable) ? (move.effect[variable] ?? 0) : 0;
    if (effect !== 0) return effect > 0 ? 'up' : 'down';
  }
  return null;
}

/**
 * Which way of a variable is good for the player, always: what endings ask for; else less pressure and more of the other
 * baseline variables; else what moves do; else more.
 */
export function favourOf(content: ScenarioContent, variable: string): Favour {
  const baseline = variable === 'pressure' ? 'down' : Object.hasOwn(BASELINE_VARIABLES, variable) ? 'up' : null;
  return favourOfEndings(content, variable) ?? baseline ?? favourOfMoves(content, variable) ?? 'up';
}

/** Whether some move of the player moves the variable the favourable way: then only moves do. */
export function isEarned(content: ScenarioContent, variable: string): boolean {
  const favour = favourOf(content, variable);
  return content.moves.some((move) => {
    const effect = Object.hasOwn(move.effect, variable) ? (move.effect[variable] ?? 0) : 0;
    return effect !== 0 && effect > 0 === (favour === 'up');
  });
}
