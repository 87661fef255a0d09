import { keysOfPath, parseMemberPath, valueAtKeys } from './member-path';

/** Members whose texts are words for people. Ids, references, paths and choices are never translated. */
const TEXT_MEMBERS = new Set([
  'name', 'title', 'summary', 'description', 'label', 'brief', 'npc_says', 'player_visible', 'hidden', 'npc_instruction',
  'narration', 'text', 'debrief_note', 'skills', 'display_name', 'occupation', 'speaking_style', 'demeanor', 'hidden_agenda',
  'biases_to_simulate', 'boundaries', 'sample_lines', 'when_player', 'reaction', 'low', 'medium', 'high', 'framework',
  'sources', 'redirect_message', 'alt', 'meaning', 'shown', 'exemplars', 'hint', 'npc_knows', 'says', 'never_says',
]); // prettier-ignore

export type TranslationProblem = 'no-path' | 'not-there' | 'not-text';

function keysOfText(value: unknown, path: string): (string | number)[] | TranslationProblem {
  const steps = parseMemberPath(path);
  if (steps === null) return 'no-path';
  const keys = keysOfPath(value, steps);
  if (keys === null) return 'not-there';
  const names = keys.filter((key): key is string => typeof key === 'string');
  const inMap = names.at(-2) === 'alt' || (names.length === 2 && names[0] === 'flags');
  if (typeof valueAtKeys(value, keys) !== 'string' || !(inMap || TEXT_MEMBERS.has(names.at(-1) ?? '')))
    return 'not-text';
  return keys;
}

/** What keeps a translated text from being used; null when it can be. */
export function translationProblem(value: unknown, path: string): TranslationProblem | null {
  const keys = keysOfText(value, path);
  return typeof keys === 'string' ? keys : null;
}

/** A copy of a file's content with the texts replaced. Paths that lead nowhere are left out. */
export function translated<T>(content: T, texts: Readonly<Record<string, string>>): T {
  const copy = structuredClone(content);
  for (const [path, text] of Object.entries(texts)) {
    const keys = keysOfText(copy, path);
    if (typeof keys === 'string') continue;
    const parent = valueAtKeys(copy, keys.slice(0, -1)) as Record<string | number, string>;
    const last = keys.at(-1);
    if (last !== undefined) parent[last] = text;
  }
  return copy;
}
