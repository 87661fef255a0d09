import {
  GLOBAL_SAFETY_ACTIONS,
  WHOM_TO_CALL,
  WHOM_TO_CALL_IN_GERMAN,
  type SafetyAction,
  type ScenarioContent,
} from '@parley/shared/contracts';
import { normalForm } from './normal-form';
import { CATEGORY_ALIASES, GLOBAL_RULES, POLICY_RULES } from './rules';
import type { SafetyRule } from './safety-rule';
import type { SafetyVerdict } from './verdict';

type Policy = Pick<ScenarioContent['policy'], 'content_categories' | 'redirect_message'>;

/** Categories that are judged whatever a policy says. */
export const GLOBAL_SAFETY_CATEGORIES: readonly string[] = [...new Set(GLOBAL_RULES.map((rule) => rule.category))];
/** Categories that are judged where a policy names them. */
export const SAFETY_CATEGORIES: readonly string[] = POLICY_RULES.map((rule) => rule.category);

/** The graver action wins when several rules hold. */
const GRAVITY: SafetyAction[] = ['ok', 'redirect', 'refuse', 'stop', 'stop_with_resource_message'];

const REASONS: Record<string, string> = {
  self_harm_crisis: 'The message speaks of self-harm.',
  minors_romantic_or_sexual: 'Romantic or sexual content with minors is never played.',
  criminal_instruction: 'The message asks for help with a crime.',
  harassment_extreme: 'The message threatens or demeans someone.',
  nsfw_sexual_content: 'Explicit sexual content is outside of this scenario.',
  violence_graphic: 'Graphic violence is outside of this scenario.',
  real_person_impersonation: 'Real people are not impersonated.',
  voice_cloning_request: "Nobody's voice is cloned here.",
  medical_or_therapy_claim: 'Medical or therapeutic advice is not given here.',
  legal_claim: 'Legal advice is not given here.',
};

/** What a player in a crisis is shown. */
export const RESOURCE_TEXT = `This practice stops here, because what you wrote sounds serious, and you deserve a person to talk to. ${WHOM_TO_CALL}`;

/** What the character says where the policy has no words of its own, by language. */
interface SafetyWords {
  readonly redirect: string;
  readonly refusal: string;
  readonly stop: string;
  readonly resource: string;
}
const ENGLISH: SafetyWords = {
  redirect: "Let's stay with what we were talking about.",
  refusal: "That is not something I'll go into. Let's stay with what we were talking about.",
  stop: "I'm going to stop here.",
  resource: RESOURCE_TEXT,
};
const WORDS: Readonly<Record<string, SafetyWords>> = {
  en: ENGLISH,
  de: {
    redirect: 'Bleiben wir bei dem, worüber wir gerade gesprochen haben.',
    refusal: 'Darauf gehe ich nicht ein. Bleiben wir bei dem, worüber wir gerade gesprochen haben.',
    stop: 'Ich höre hier auf.',
    resource: `Diese Übung endet hier, denn was du geschrieben hast, klingt ernst, und du verdienst einen Menschen, mit dem du reden kannst. ${WHOM_TO_CALL_IN_GERMAN}`,
  },
};

/** Figures of speech with the words of a crisis, beside those that the rules themselves leave out. */
const FIGURES_OF_SPEECH =
  /\b(?:kill(?:ing|s|ed)? (?:me|it|time|for (?:a|an|some)|two birds|the (?:mood|vibe|deal|project|idea|engine|lights?))|to die for|d(?:ie|ied|ying) (?:of (?:embarrassment|boredom|shame|laughter|curiosity|hunger|thirst)|laughing|to (?:know|see|hear|get|ask|tell|try|go|meet))|dead(?: tired| line| end| serious| weight|lines?)|(?:bored|worked|scared|sick|tired|worried) to death|over my dead body|drop dead|hang(?:ing)? (?:in there|out|up|on|around)|shoot (?:me|you|them|us) (?:an?|the) (?:e-?mail|message|text|note|question)|jump(?:ing)? (?:off (?:the|this) (?:call|train|topic|bandwagon)|ship)|drowning in|burn(?:ed|t|ing)? (?:out|bridges|the)|cut (?:corners|costs|me (?:some slack|off|out)|hours|ties)|bleeding (?:money|cash|edge)|suicide mission|murder(?:ing)? (?:me|my)|the death of me|end of (?:the|my) (?:rope|tether|day|week|month|shift))\b/;

function actionFor(category: string, policy: Policy): SafetyAction {
  const names = [category, ...(CATEGORY_ALIASES[category] ?? [])];
  const named = names.find((name) => Object.hasOwn(policy.content_categories, name));
  return (named === undefined ? undefined : policy.content_categories[named]) ?? 'ok';
}

const matches = (rule: SafetyRule, text: string): boolean =>
  rule.shows.test(rule.harmless ? text.replace(rule.harmless, ' ~ ') : text);

/**
 * Sorts what a player wrote (docs/interface.md, Safety): global rules (self-harm, minors) that no policy can loosen,
 * then the categories that the policy names, with the policy's action. When several hold, the gravest action wins.
 * Global rules are read in English and German, those of the policy in English.
 * Deterministic, in time proportional to the text; neither verdict nor reason holds any of the text.
 * @param language of what the character says then; English where there are no words for it
 */
export function classifyInput(text: string, policy: Policy, language = 'en'): SafetyVerdict {
  const normal = normalForm(text);
  let found: { category: string; action: SafetyAction } | null = null;
  const consider = (category: string, action: SafetyAction) => {
    if (action === 'ok') return;
    if (!found || GRAVITY.indexOf(action) > GRAVITY.indexOf(found.action)) found = { category, action };
  };
  for (const rule of GLOBAL_RULES) {
    if (matches(rule, normal)) consider(rule.category, GLOBAL_SAFETY_ACTIONS[rule.category] ?? 'stop');
  }
  for (const rule of POLICY_RULES) {
    const action = actionFor(rule.category, policy);
    if (action !== 'ok' && matches(rule, normal)) consider(rule.category, action);
  }
  return found
    ? verdict(found, policy, (Object.hasOwn(WORDS, language) ? WORDS[language] : undefined) ?? ENGLISH)
    : { action: 'ok', category: null, reason: null, redirect_text: null, resource_text: null };
}

/**
 * Whether a text is known to look like a crisis and to be none ("I could die of embarrassment"): a model that takes it for
 * one is wrong.
 */
export function isKnownLookalike(text: string): boolean {
  const normal = normalForm(text);
  const crises = GLOBAL_RULES.filter(
    ({ category }) => GLOBAL_SAFETY_ACTIONS[category] === 'stop_with_resource_message',
  );
  if (crises.some((rule) => matches(rule, normal))) return false;
  return FIGURES_OF_SPEECH.test(normal) || crises.some(({ shows }) => shows.test(normal));
}

function verdict(
  { category, action }: { category: string; action: SafetyAction },
  policy: Policy,
  words: SafetyWords,
): SafetyVerdict {
  const ends = action === 'stop' || action === 'stop_with_resource_message';
  const fallback = action === 'refuse' ? words.refusal : words.redirect;
  return {
    action,
    category,
    reason: REASONS[category] ?? 'The message is outside of what this scenario plays.',
    redirect_text: ends ? words.stop : policy.redirect_message?.trim() || fallback,
    resource_text: action === 'stop_with_resource_message' ? words.resource : null,
  };
}
