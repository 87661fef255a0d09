import { closest, distance } from 'fastest-levenshtein';
import { z } from 'zod';
import { ADDED_IN_0_2, PACK_FILE_SCHEMAS, type Finding, type PackFileKind } from '@parley/shared/contracts';
import { dotted, finding } from './finding';
import type { YamlDocument } from './parse-yaml';

/** Ratings that other systems use and that lie above what a pack may claim (interface, "Packs and scenarios"). */
const HIGHER_RATINGS = /^(R|NC-?17|X{1,3}|M|MA|AO|UNRATED|NR|TV-?MA|1[5-8]\+?|M17\+?)$/i;
const GLOBAL_CATEGORIES = ['minors_romantic_or_sexual', 'self_harm_crisis'];

/** "did you mean", when something near enough exists. */
export function suggestion(word: string, candidates: readonly string[]): string | null {
  if (candidates.length === 0 || word.length > 100) return null;
  const near = closest(word.toLowerCase(), [...candidates]);
  return distance(word.toLowerCase(), near) <= Math.max(2, Math.floor(near.length / 3))
    ? `Did you mean ${near}?`
    : null;
}

interface Definition {
  readonly type: string;
  readonly shape?: Record<string, z.ZodType>;
  readonly innerType?: z.ZodType;
  readonly element?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly options?: readonly z.ZodType[];
}
const definitionOf = (schema: z.ZodType): Definition => schema.def as unknown as Definition;

/** Names of the members that may stand at `path`, over all branches of unions. */
function memberNames(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  const definition = definitionOf(schema);
  if (definition.innerType !== undefined) return memberNames(definition.innerType, path);
  if (definition.options !== undefined) return definition.options.flatMap((option) => memberNames(option, path));
  const [first, ...rest] = path;
  if (first === undefined) return Object.keys(definition.shape ?? {});
  const next = definition.shape?.[String(first)] ?? definition.element ?? definition.valueType;
  return next === undefined ? [] : memberNames(next, rest);
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, part) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<PropertyKey, unknown>)[part] : undefined,
    value,
  );
}

const nameOf = (value: unknown): string =>
  value === null
    ? 'empty'
    : Array.isArray(value)
      ? 'a list'
      : typeof value === 'object'
        ? 'a group of members'
        : typeof value === 'string'
          ? 'text'
          : typeof value === 'boolean'
            ? 'true or false'
            : 'a number';
const EXPECTED: Readonly<Record<string, string>> = {
  string: 'text', int: 'a whole number', number: 'a number', boolean: 'true or false', array: 'a list',
  object: 'a group of members', record: 'a group of members',
}; // prettier-ignore

/** What is wrong, in plain words. The author's value is named only where it is short and of a fixed vocabulary. */
function describe(issue: z.core.$ZodIssue, input: unknown): { message: string; hint: string | null } {
  switch (issue.code) {
    case 'invalid_type':
      if (input === undefined)
        return {
          message: 'This member is missing.',
          hint: `It must be ${EXPECTED[issue.expected] ?? issue.expected}.`,
        };
      return {
        message: `This must be ${EXPECTED[issue.expected] ?? issue.expected}, but it is ${nameOf(input)}.`,
        hint: issue.expected === 'string' && typeof input === 'number' ? 'Put it in quotes.' : null,
      };
    case 'invalid_value': {
      const allowed = issue.values.map(String);
      if (input === undefined) return { message: 'This member is missing.', hint: `Allowed: ${allowed.join(', ')}.` };
      const near = typeof input === 'string' ? suggestion(input, allowed) : null;
      const quotes = typeof input === 'number' && allowed.includes(String(input)) ? 'Put it in quotes.' : null;
      return { message: `This is not allowed here. Allowed: ${allowed.join(', ')}.`, hint: quotes ?? near };
    }
    case 'too_small':
      if (issue.origin === 'string') return { message: 'This text must not be empty.', hint: null };
      if (issue.origin === 'array') return { message: `This list needs at least ${issue.minimum} item.`, hint: null };
      return { message: `This must be at least ${issue.minimum}.`, hint: null };
    case 'too_big':
      if (issue.origin === 'string')
        return { message: `This text may have at most ${issue.maximum} characters.`, hint: null };
      return { message: `This must be at most ${issue.maximum}.`, hint: null };
    case 'invalid_format':
      return {
        message: 'This does not have the form that is needed here.',
        hint: 'pattern' in issue && typeof issue.pattern === 'string' ? `It must match ${issue.pattern}.` : null,
      };
    case 'invalid_key':
      return {
        message: 'This name does not have the form that is needed here.',
        hint: 'Use 1 to 64 of a-z, 0-9 and _.',
      };
    case 'invalid_union':
      return input === undefined
        ? { message: 'This member is missing.', hint: null }
        : {
            message: 'This has none of the forms that are allowed here.',
            hint: 'A condition has a type: variable_above, variable_below, max_turns or flag.',
          };
    default:
      return { message: 'This does not match the pack format.', hint: null };
  }
}

/** A union says only that no branch fits: take the branch that the author meant, by the kind of value that is there. */
function meantIssues(issue: z.core.$ZodIssue, input: unknown): readonly z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union' || input === undefined) return [issue];
  const atRoot = (branch: readonly z.core.$ZodIssue[]): boolean =>
    branch.some((one) => one.path.length === 0 && (one.code === 'invalid_type' || one.code === 'invalid_value'));
  const meant = issue.errors.find((branch) => branch.length > 0 && !atRoot(branch));
  if (meant === undefined) return [issue];
  return meant.flatMap((inner) =>
    meantIssues({ ...inner, path: [...issue.path, ...inner.path] } as z.core.$ZodIssue, valueAt(input, inner.path)),
  );
}

/** Paths that `pattern` (dotted, `[]` for the items of a list) has in `value`. */
function pathsLike(value: unknown, pattern: string): PropertyKey[][] {
  let paths: { path: PropertyKey[]; value: unknown }[] = [{ path: [], value }];
  for (const part of pattern.split('.')) {
    const list = part.endsWith('[]');
    const member = list ? part.slice(0, -2) : part;
    paths = paths.flatMap(({ path, value: inner }) => {
      if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, member)) return [];
      const next = (inner as Record<string, unknown>)[member];
      if (!list) return [{ path: [...path, member], value: next }];
      return Array.isArray(next)
        ? next.map((item, index) => ({ path: [...path, member, index], value: item as unknown }))
        : [];
    });
  }
  return paths.map((one) => one.path);
}

/** Members of 0.2 in a file that says 0.1 (pack format: "a 0.1 file that uses one is told so"). */
function laterMembers(document: YamlDocument, kind: PackFileKind): Finding[] {
  const { value } = document;
  if (valueAt(value, ['schema_version']) !== '0.1') return [];
  const listed = pathsLike(value, 'events[].when').filter((path) => Array.isArray(valueAt(value, path)));
  const paths = [
    ...ADDED_IN_0_2[kind].flatMap((pattern) => pathsLike(value, pattern)),
    ...(kind === 'scenario' ? listed : []),
  ];
  return paths.map((path) => {
    const what =
      Array.isArray(valueAt(value, path)) && path.at(-1) === 'when'
        ? 'A list of conditions'
        : `The member ${String(path.at(-1))}`;
    return finding({
      rule: `schema.${kind}`,
      file: document.file,
      place: document.placeOfKey(path),
      path: dotted(path),
      message: `${what} belongs to format 0.2, but this file says schema_version 0.1.`,
      hint: 'Say schema_version: "0.2", or leave it out.',
    });
  });
}

function ruleOf(kind: PackFileKind, path: readonly PropertyKey[], input: unknown): string {
  const last = String(path.at(-1));
  if (
    (last === 'content_rating' || last === 'content_rating_cap') &&
    typeof input === 'string' &&
    HIGHER_RATINGS.test(input)
  )
    return 'rating.too-high';
  if (kind === 'safety' && path.length === 2 && path[0] === 'content_categories' && GLOBAL_CATEGORIES.includes(last))
    return 'policy.global-rule';
  if (kind === 'manifest' && dotted(path) === 'assets.allow_external_urls' && input === true)
    return 'asset.external-url';
  return `schema.${kind}`;
}

const HINTS: Readonly<Record<string, string>> = {
  'rating.too-high': 'The highest rating that a pack may have is PG-13.',
  'policy.global-rule': 'Leave the category out: the rule for it is the same for all packs.',
  'asset.external-url': 'Ship the files in the pack and leave the member out.',
};

/**
 * Holds a parsed file against the schema of its kind. All findings at once, each at the place of the member it is about.
 * @returns the typed content, or null when something does not match.
 */
export function matchSchema<K extends PackFileKind>(
  document: YamlDocument,
  kind: K,
): { content: z.infer<(typeof PACK_FILE_SCHEMAS)[K]> | null; findings: Finding[] } {
  const schema: z.ZodType = PACK_FILE_SCHEMAS[kind];
  const result = schema.safeParse(document.value);
  const later = laterMembers(document, kind);
  if (result.success && later.length === 0)
    return { content: result.data as z.infer<(typeof PACK_FILE_SCHEMAS)[K]>, findings: [] };

  const { file } = document;
  const issues = result.success
    ? []
    : result.error.issues.flatMap((issue) => meantIssues(issue, valueAt(document.value, issue.path)));
  const findings = issues.flatMap((issue): Finding[] => {
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => {
        const path = [...issue.path, key];
        const licensed = kind === 'npc' && key === 'licensed_persona';
        return finding({
          rule: `schema.${kind}`,
          file,
          place: document.placeOfKey(path),
          path: dotted(path),
          message: licensed
            ? 'Characters of a licence are not accepted: every character is fictional.'
            : `The member ${key} is not known here.`,
          hint: licensed ? 'Leave licensed_persona out.' : suggestion(key, memberNames(schema, issue.path)),
        });
      });
    const input = valueAt(document.value, issue.path);
    const rule = ruleOf(kind, issue.path, input);
    const { message, hint } = describe(issue, input);
    const place = issue.code === 'invalid_key' ? document.placeOfKey(issue.path) : document.placeOf(issue.path);
    return [
      finding({
        rule,
        file,
        place,
        path: dotted(issue.path),
        message: `${dotted(issue.path) || 'The file'}: ${message}`,
        hint: HINTS[rule] ?? hint,
      }),
    ];
  });
  return { content: null, findings: [...findings, ...later] };
}
