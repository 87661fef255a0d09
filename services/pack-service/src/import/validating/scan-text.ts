/** Letters of other scripts that look like Latin ones: enough that a pattern cannot be dodged by one of them. */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  а: 'a', е: 'e', о: 'o', р: 'p', с: 'c', у: 'y', х: 'x', і: 'i', ѕ: 's', ј: 'j', ԁ: 'd', һ: 'h', ԛ: 'q', ԝ: 'w', к: 'k',
  м: 'm', н: 'h', т: 't', в: 'b', г: 'r', п: 'n', ѵ: 'v', ӏ: 'l', α: 'a', ε: 'e', ο: 'o', ρ: 'p', τ: 't', υ: 'u', ν: 'v',
  ι: 'i', κ: 'k', η: 'n', χ: 'x', γ: 'y', ı: 'i', ɡ: 'g', ɑ: 'a', ꞌ: "'", '’': "'", '‹': '<', '›': '>', '＜': '<',
}; // prettier-ignore

/** Text as a model may read it: compatibility forms unified, invisible characters gone, look-alikes made Latin. */
function plainForm(text: string): string {
  // Most texts are plain already.
  if (/^[\x00-\x7f]*$/.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Variation_Selector}\u{E0000}-\u{E007F}]/gu, '')
    .toLowerCase()
    .replace(/[^\u0000-\u007f]/g, (letter) => LOOK_ALIKES[letter] ?? letter)
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '');
}

interface InjectionPattern {
  readonly severity: 'error' | 'warning';
  readonly kind: string;
  readonly pattern: RegExp;
}

/**
 * What tries to be more than a character's text (docs/interface.md, Import rules, 5). Every gap is bounded, so that
 * matching stays linear. Errors are what no scenario needs; what a person might say in one is a warning.
 */
const PATTERNS: readonly InjectionPattern[] = [
  { severity: 'error', kind: 'overrides the instructions', pattern: /\b(?:ignore|disregard|forget|override|bypass) (?:(?:all|any|the|your|my|of|these|those|every) ){0,4}(?:previous|prior|above|earlier|preceding|foregoing|existing|initial|original|system) (?:\w+ ){0,2}(?:instruction|prompt|message|direction|rule|guideline|command)s?\b/ },
  { severity: 'error', kind: 'overrides the instructions', pattern: /\b(?:ignore|disregard|forget|override|bypass) (?:(?:all|any|of|the|your) ){1,4}(?:safety )?(?:instructions|guidelines|system prompts?|safety rules)\b/ },
  { severity: 'error', kind: 'imitates a chat token', pattern: /<\|[^<>|\n]{1,60}\|>|\[\/?(?:inst|tool_calls|tool_results|available_tools|system_prompt)\]|<<\/?sys>>|<\/?(?:start_of_turn|end_of_turn|bos|eos|tool_call|tool_response|function_call)>|<\/s>/ },
  { severity: 'error', kind: 'imitates a section of the prompt', pattern: /(?:^|\n)[ \t]*(?:#{1,6}|={3,}|-{3,}|\[{1,2}|<\/?)[ \t]*(?:end of )?(?:global_rules|safety_policy|scenario_context|npc_persona|npc_goals|rubric_dimensions|memory_summary|relationship_memory|response_style|output_schema|player_utterance|system prompt|system)\b/ },
  { severity: 'warning', kind: 'closes a section of the prompt', pattern: /<\/?(?:system|assistant|user|instructions?|prompt)>|\bend of (?:the )?(?:system )?(?:prompt|instructions|context)\b/ },
  { severity: 'warning', kind: 'switches the role', pattern: /(?:^|\n)[ \t]*(?:system|assistant|developer)[ \t]*:/ },
  { severity: 'warning', kind: 'switches the role', pattern: /\byou are (?:now|no longer) (?:\w+ ){0,4}(?:ai|assistant|chatgpt|gpt|language model|chatbot|dan|system|developer mode|unrestricted|jailbroken|character|npc)\b/ },
  { severity: 'warning', kind: 'switches the role', pattern: /\b(?:act|respond|behave|pretend) (?:as if|as though|as|like|to be) (?:you (?:are|were) )?(?:an? )?(?:\w+ ){0,2}(?:unrestricted|unfiltered|uncensored|jailbroken|language model|assistant|chatbot)\b/ },
  { severity: 'warning', kind: 'asks for the prompt', pattern: /\b(?:reveal|print|repeat|show|output|leak|quote) (?:\w+ ){0,4}(?:system|hidden|initial|developer) (?:prompt|instructions|message)s?\b/ },
  { severity: 'warning', kind: 'asks for the prompt', pattern: /\bnew (?:system )?instructions? ?:|\b(?:jailbreak|developer mode|god mode|do anything now)\b/ },
]; // prettier-ignore

/** Almost every text of a pack matches none of them: one pass says so in the place of ten. */
const ANY_PATTERN = new RegExp(PATTERNS.map(({ pattern }) => pattern.source).join('|'));

export interface InjectionHit {
  readonly severity: 'error' | 'warning';
  readonly kind: string;
}

/** What in a text reads like an attempt on the prompt; the worst of each kind, in linear time. */
export function scanText(text: string): InjectionHit[] {
  const lines = plainForm(text);
  const flowing = /\s\s|[^\S ]/.test(lines) ? lines.replace(/\s+/g, ' ') : lines;
  if (!ANY_PATTERN.test(lines) && !ANY_PATTERN.test(flowing)) return [];
  const hits = new Map<string, InjectionHit>();
  for (const { severity, kind, pattern } of PATTERNS)
    if (!hits.has(kind) && (pattern.test(lines) || (flowing !== lines && pattern.test(flowing))))
      hits.set(kind, { severity, kind });
  return [...hits.values()];
}
