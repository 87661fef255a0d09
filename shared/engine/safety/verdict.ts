import type { SafetyAction } from '@parley/shared/contracts';

/** What the classifier says about a text. */
export interface SafetyVerdict {
  action: SafetyAction;
  /** The rule's category in the names of the pack format; null when all is well. */
  category: string | null;
  /** One plain sentence without any of the text; null when all is well. */
  reason: string | null;
  /** What the character says instead; null when all is well. */
  redirect_text: string | null;
  /** Where to find help; only with stop_with_resource_message. */
  resource_text: string | null;
}
