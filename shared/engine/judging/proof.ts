import type { Proof, Proven, ScenarioCheck, ScenarioContent, Sign } from '@parley/shared/contracts';
import { knowsLanguage } from '../signs/sign-languages';

/** What is judged by signs, by the model, or by both: a move, a flag, a check. */
export interface Provable {
  readonly signs: readonly Sign[] | null;
  readonly proof: Proof;
}

/**
 * What proves it in a talk of this language. Without signs, or where a sign does not know the language, only the model
 * can tell.
 */
export function proofIn(provable: Provable, language: string): Proof {
  const signs = provable.signs ?? [];
  return signs.length === 0 || !knowsLanguage(signs, language) ? 'model' : provable.proof;
}

/** Whether what was found is enough: the signs, the model, or both of them. */
export function isProven(by: Proven['by'], proof: Proof): boolean {
  if (proof === 'both') return by === 'both';
  return by === 'both' || by === proof;
}

const owned = <Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined;

/** What a move or a flag of the scenario is proven by; undefined when the scenario has none of this id. */
function provableOf(content: ScenarioContent, id: string): Provable | undefined {
  return content.moves.find((move) => move.id === id) ?? owned(content.flags, id);
}

/** Who judges a check or a fault: its own proof, or that of the move or flag that it looks for. */
export function proofOfCheck(content: ScenarioContent, check: ScenarioCheck, language: string): Proof {
  if (check.signs !== null) return proofIn({ signs: check.signs, proof: check.proof }, language);
  const named = provableOf(content, check.move ?? check.flag ?? check.without_flag ?? '');
  if (named === undefined) return check.proof;
  const proof = proofIn(named, language);
  return proof === 'model' ? 'model' : check.proof;
}
