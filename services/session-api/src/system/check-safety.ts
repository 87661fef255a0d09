import { classifyInput } from '@parley/shared/engine';
import type { CheckSafetyRequest, SafetyCheck, ScenarioContent } from '@parley/shared/contracts';
import type { Needs } from '../context';

/** A policy that adds nothing to the global rules. */
const GLOBAL_RULES_ONLY: ScenarioContent['policy'] = {
  policy_id: 'global',
  description: null,
  content_categories: {},
  redirect_message: null,
  allow_profanity: true,
  content_rating_cap: 'PG-13',
};

/**
 * What the input classifier says of a text, as a turn of that scenario would be judged. Stores and logs nothing.
 * @throws ServiceError SCENARIO_NOT_FOUND, SERVICE_UNAVAILABLE.
 */
export async function checkSafety(
  context: Needs<'scenarios' | 'config'>,
  request: CheckSafetyRequest,
  requestId: string,
): Promise<SafetyCheck> {
  const policy =
    request.scenario_id === undefined
      ? GLOBAL_RULES_ONLY
      : (await context.scenarios.current(request.scenario_id, undefined, requestId)).content.policy;
  const verdict = classifyInput(request.text, policy);
  return { ...verdict, enforced: context.config.safety_precheck === 'enforce' };
}
