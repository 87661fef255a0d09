import { classifyInput, type SafetyVerdict } from '@parley/shared/engine';
import type { ScenarioContent } from '@parley/shared/contracts';
import type { Needs } from '../context';

/** Step 2 of the turn. Accepts everything unless the classifier is connected (SIM_SAFETY_PRECHECK=enforce). */
export function precheck(context: Needs<'config'>, content: ScenarioContent, text: string): SafetyVerdict | null {
  return context.config.safety_precheck === 'enforce' ? classifyInput(text, content.policy, content.language) : null;
}

/** Whether the policy of the scenario answers in the place of the model. */
export const answeredByPolicy = (verdict: SafetyVerdict | null): verdict is SafetyVerdict =>
  verdict !== null && verdict.action !== 'ok';
