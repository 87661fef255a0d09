import type { Translated } from '@parley/shared/contracts';
import { keysOfPath, parseMemberPath, valueAtKeys } from './member-path';

/** Members whose texts are words for people. Ids, references, paths and choices are never translated. */
const TEXT_MEMBERS = new Set([
  'name', 'title', 'summary', 'description', 'label', 'brief', 'npc_says', 'player_visible', 'hidden', 'npc_instruction',
  'narration', 'text', 'debrief_note', 'skills', 'display_name', 'occupation', 'speaking_style', 'demeanor', 'hidden_agenda',
  'biases_to_simulate', 'boundaries', 'sample_lines', 'when_player', 'reaction', 'low', 'medium', 'high', 'framework',
  'sources', 'redirect_message', 'alt', 'meaning', 'shown', 'exemplars', 'hint', 'npc_knows', 'says', 'never_says',
]); // prettier-ignore

/** What a member holds, and therefore what its translation has to be. */
export type TranslatedKind = 'text' | 'texts' | 'signs';
/** Why a translation is not used; a kind where the member wants one and the translation is another. */
export type TranslationProblem = 'no-path' | 'not-there' | 'not-text' | TranslatedKind;

type Keys = readonly (string | number)[];

const isText = (value: unknown): value is string => typeof value === 'string';

/** null: nothing that is written for people or found in their words. */
function kindAt(value: unknown, keys: Keys): TranslatedKind | null {
  const names = keys.filter(isText);
  const found = valueAtKeys(value, keys);
  const last = names.at(-1) ?? '';
  const inMap = names.at(-2) === 'alt' || (names.length === 2 && names[0] === 'flags');
  if (isText(found)) return inMap || TEXT_MEMBERS.has(last) ? 'text' : null;
  if (!Array.isArray(found) || keys.at(-1) !== last) return null;
  if (last === 'signs') return 'signs';
  return TEXT_MEMBERS.has(last) && found.every(isText) ? 'texts' : null;
}

const kindOf = (translation: Translated): TranslatedKind =>
  isText(translation) ? 'text' : (translation as readonly unknown[]).every(isText) ? 'texts' : 'signs';

function keysOfTranslation(value: unknown, path: string, translation: Translated): Keys | TranslationProblem {
  const steps = parseMemberPath(path);
  if (steps === null) return 'no-path';
  const keys = keysOfPath(value, steps);
  if (keys === null) return 'not-there';
  const kind = kindAt(value, keys);
  if (kind === null) return 'not-text';
  return kindOf(translation) === kind ? keys : kind;
}

/** What keeps a translation from being used; null when it can be. */
export function translationProblem(value: unknown, path: string, translation: Translated): TranslationProblem | null {
  const keys = keysOfTranslation(value, path, translation);
  return isText(keys) ? keys : null;
}

/**
 * A file's content with texts and signs replaced, in a copy of it: itself where there is nothing to replace. What cannot be
 * used is left out.
 */
export function translated<T>(content: T, translations: Readonly<Record<string, Translated>>): T {
  if (Object.keys(translations).length === 0) return content;
  const copy = structuredClone(content);
  for (const [path, translation] of Object.entries(translations)) {
    const keys = keysOfTranslation(copy, path, translation);
    if (isText(keys)) continue;
    const parent = valueAtKeys(copy, keys.slice(0, -1)) as Record<string | number, Translated>;
    const last = keys.at(-1);
    if (last !== undefined) parent[last] = translation;
  }
  return copy;
}

/** A member of a file that another language needs of its own. */
export interface TranslatableMember {
  readonly keys: Keys;
  /** As a translation writes it: opening.npc_says, moves[0].signs. */
  readonly path: string;
}

const holdsPhrases = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).some(([key, inner]) => key === 'says' || key === 'never_says' || holdsPhrases(inner));

const pathOf = (keys: Keys): string =>
  keys.map((key, at) => (isText(key) ? `${at === 0 ? '' : '.'}${key}` : `[${key}]`)).join('');

/** All texts of a file that people read or hear, and all signs that look for words. */
export function translatableMembers(content: unknown): TranslatableMember[] {
  const members: TranslatableMember[] = [];
  const visit = (value: unknown, keys: Keys): void => {
    const isSigns = keys.at(-1) === 'signs';
    if (isSigns ? holdsPhrases(value) : isText(value) && kindAt(content, keys) === 'text')
      members.push({ keys, path: pathOf(keys) });
    if (isSigns || typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) visit(inner, [...keys, Array.isArray(value) ? Number(key) : key]);
  };
  visit(content, []);
  return members;
}

/** The keys of a file's member that a translation's path leads to; null when it leads nowhere. */
export function keysOfMember(content: unknown, path: string): Keys | null {
  const steps = parseMemberPath(path);
  return steps === null ? null : keysOfPath(content, steps);
}
