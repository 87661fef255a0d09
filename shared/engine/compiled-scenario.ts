import type { Difficulty, ScenarioContent } from '@parley/shared/contracts';
import type { RubricDetail, StaticPromptInput } from './prompt/static-layers';
import { staticParts, type StaticParts } from './prompt/static-parts';
import { leakPatterns, type LeakPatterns } from './reply/leaks';
import { npcOutputSchema } from './reply/npc-output-schema';

/** What the static part of a prompt hangs on beside the scenario. */
export type StaticChoices = Omit<StaticPromptInput, 'content'>;

/**
 * A scenario in one language, with what is derived from it and needed again on every turn. Whoever plays talks keeps one for
 * each version and language; each part is made when it is first asked for.
 */
export interface CompiledScenario {
  readonly content: ScenarioContent;
  /** What no character says: ids, and values of variables. */
  readonly leaks: LeakPatterns;
  /** Of one turn's answer, see {@link npcOutputSchema}. */
  outputSchema(difficulty: Difficulty): Record<string, unknown>;
  /** What a prompt says on every turn of a session, with slots for the session's fence. */
  staticParts(choices: StaticChoices, detail: RubricDetail): StaticParts;
}

/** The value of a key, made once. */
function keptIn<K, T>(kept: Map<K, T>, key: K, make: () => T): T {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const made = make();
  kept.set(key, made);
  return made;
}

/** Costs nothing by itself: who needs a scenario for one prompt pays for that prompt alone. */
export function compileScenario(content: ScenarioContent): CompiledScenario {
  const schemas = new Map<Difficulty, Record<string, unknown>>();
  const parts = new Map<string, StaticParts>();
  let leaks: LeakPatterns | undefined;
  return {
    content,
    get leaks() {
      return (leaks ??= leakPatterns(content));
    },
    outputSchema: (difficulty) => keptIn(schemas, difficulty, () => npcOutputSchema(content, difficulty)),
    staticParts({ difficulty, language, focus_dimension }, detail) {
      const key = JSON.stringify([difficulty, language, focus_dimension, detail]);
      return keptIn(parts, key, () => staticParts({ content, difficulty, language, focus_dimension }, detail));
    },
  };
}
