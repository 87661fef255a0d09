import type { z } from 'zod';
import {
  ADDED_IN_0_2,
  GLOBAL_SAFETY_ACTIONS,
  PACK_FILE_SCHEMAS,
  type Finding,
  type PackFileKind,
} from '@parley/shared/contracts';
import { describeIssue } from './describe-issue';
import { dotted, finding } from './finding';
import { knownMembers, meantMember, valueAt } from './meant-schema';
import type { YamlDocument } from './parse-yaml';
import { mend, missingIn } from './stand-in';
import { inQuotes } from './syntax-findings';

/** A file with more slips than this is none of its kind: the first ones are told, and it is read no further. */
const MAX_SLIPS = 200;

/** Ratings that other systems use and that lie above what a pack may claim (docs/interface.md, Packs). */
const HIGHER_RATINGS = /^(R|NC-?17|X{1,3}|M|MA|AO|UNRATED|NR|TV-?MA|1[5-8]\+?|M17\+?)$/i;

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
  if (
    kind === 'safety' &&
    path.length === 2 &&
    path[0] === 'content_categories' &&
    Object.hasOwn(GLOBAL_SAFETY_ACTIONS, last)
  )
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

type Path = readonly PropertyKey[];

/** A file's content with stand-ins for what does not match. */
export interface ReadableContent<K extends PackFileKind> {
  readonly content: z.infer<(typeof PACK_FILE_SCHEMAS)[K]>;
  /** Where nothing can be concluded from the content, because it is not the author's. */
  readonly slips: readonly Path[];
}

const slipsIn = (issues: readonly z.core.$ZodIssue[]): number =>
  issues.reduce((count, issue) => count + (issue.code === 'unrecognized_keys' ? issue.keys.length : 1), 0);

/** The first issues, each unknown member counted as one. */
function firstOf(issues: readonly z.core.$ZodIssue[], most: number): z.core.$ZodIssue[] {
  let left = most;
  return issues.flatMap((issue): z.core.$ZodIssue[] => {
    if (left <= 0) return [];
    if (issue.code !== 'unrecognized_keys') {
      left -= 1;
      return [issue];
    }
    const keys = issue.keys.slice(0, left);
    left -= keys.length;
    return [{ ...issue, keys }];
  });
}

const knownHint = (known: readonly string[]): string | null =>
  known.length === 0 ? null : `Known here: ${known.join(', ')}.`;

/** What is said of an unknown member. A missing one that was meant by it is the same slip: it is not told again. */
function unknownMembers(
  document: YamlDocument,
  kind: PackFileKind,
  issue: z.core.$ZodIssueUnrecognizedKeys,
  missing: readonly string[],
): { findings: Finding[]; meant: Path[] } {
  const schema: z.ZodType = PACK_FILE_SCHEMAS[kind];
  const meant: Path[] = [];
  const known = knownMembers(schema, document.value, issue.path);
  const findings = issue.keys.map((key) => {
    const path = [...issue.path, key];
    const licensed = kind === 'npc' && key === 'licensed_persona';
    const name = licensed ? null : meantMember(schema, document.value, issue.path, key, missing);
    if (name !== null) meant.push([...issue.path, name]);
    return finding({
      rule: `schema.${kind}`,
      file: document.file,
      place: document.placeOfKey(path),
      path: dotted(path),
      message: licensed
        ? 'Characters of a licence are not accepted: every character is fictional.'
        : `The member ${key} is not known here.`,
      hint: licensed ? 'Leave licensed_persona out.' : name === null ? knownHint(known) : `Did you mean ${name}?`,
    });
  });
  return { findings, meant };
}

/** What is said of pieces of one text that became members. */
function cutText(document: YamlDocument, kind: PackFileKind, path: Path): Finding | null {
  const cut = document.cutTextAt(path);
  if (cut === null) return null;
  const [piece = ''] = cut.pieces;
  const first = [...path.slice(0, -1), piece];
  const shown = piece.length > 60 ? `${piece.slice(0, 60)}…` : piece;
  const quoted = inQuotes(cut.whole);
  return finding({
    rule: `schema.${kind}`,
    file: document.file,
    place: document.placeOfKey(first),
    path: dotted(path.slice(0, -1)),
    message: `Inside { } a comma ends a text: "${shown}" was read as a member of its own.`,
    hint: quoted === null ? 'Put the whole text in quotes.' : `Put the whole text in quotes: ${quoted}`,
  });
}

/**
 * Holds a parsed file against the schema of its kind. All findings at once, each at the place of the member it is about.
 * @returns the typed content, or null when something does not match; and what can be read of it in either case, null
 * only when the file as a whole is something else.
 */
export function matchSchema<K extends PackFileKind>(
  document: YamlDocument,
  kind: K,
): { content: ReadableContent<K>['content'] | null; readable: ReadableContent<K> | null; findings: Finding[] } {
  const schema: z.ZodType = PACK_FILE_SCHEMAS[kind];
  const { file, slips: unread } = document;
  const issuesOf = (value: unknown): z.core.$ZodIssue[] =>
    schema.safeParse(value).error?.issues.flatMap((issue) => meantIssues(issue, valueAt(value, issue.path))) ?? [];
  const later = laterMembers(document, kind).slice(0, MAX_SLIPS);
  const all = issuesOf(document.value);
  const issues = firstOf(all, MAX_SLIPS);
  if (issues.length === 0) {
    const content = document.value as ReadableContent<K>['content'];
    return {
      content: later.length === 0 && unread.length === 0 ? content : null,
      readable: { content, slips: unread },
      findings: later,
    };
  }

  const told: Finding[] = [];
  const meant: Path[] = [];
  const others: z.core.$ZodIssue[] = [];
  const unknownAt = new Set<string>();
  for (const issue of issues) {
    if (issue.code !== 'unrecognized_keys') {
      others.push(issue);
      continue;
    }
    unknownAt.add(dotted(issue.path));
    const keys = issue.keys.filter((key) => {
      const cut = cutText(document, kind, [...issue.path, key]);
      if (cut !== null) told.push(cut);
      return cut === null;
    });
    const unknown = unknownMembers(document, kind, { ...issue, keys }, missingIn(issues, issue.path, document.value));
    told.push(...unknown.findings);
    meant.push(...unknown.meant);
  }
  for (const issue of others) {
    const input = valueAt(document.value, issue.path);
    const path = dotted(issue.path);
    if (input === undefined && meant.some((one) => dotted(one) === path)) continue;
    // A sign whose one member is misspelt has none, too: one slip.
    if (issue.code === 'custom' && unknownAt.has(path)) continue;
    // An empty id is too short and has the wrong form: one slip.
    if (told.some((one) => one.path === path)) continue;
    const cut = cutText(document, kind, issue.path);
    if (cut !== null) {
      told.push(cut);
      continue;
    }
    const rule = ruleOf(kind, issue.path, input);
    const { message, hint } = describeIssue(issue, document, schema);
    told.push(
      finding({
        rule,
        file,
        place: issue.code === 'invalid_key' ? document.placeOfKey(issue.path) : document.placeOf(issue.path),
        path,
        message: `${path || 'The file'}: ${message}`,
        hint: HINTS[rule] ?? hint,
      }),
    );
  }
  // What stands where the text was not read as it was written has had its finding.
  const unreadPaths = unread.map(dotted);
  const findings = told.filter(
    (one) => !unreadPaths.some((path) => one.path === path || one.path?.startsWith(`${path}.`) === true),
  );
  const tooMany = slipsIn(all) - MAX_SLIPS;
  if (tooMany > 0)
    findings.push(
      finding({
        rule: `schema.${kind}`,
        file,
        place: findings.at(-1) ?? null,
        message: `And ${tooMany} more.`,
        hint: 'Mend these first; the file is read no further.',
      }),
    );
  const mended = tooMany > 0 ? null : mend(schema, document.value, issuesOf, MAX_SLIPS);
  const readable =
    mended === null
      ? null
      : { content: mended.value as ReadableContent<K>['content'], slips: [...unread, ...mended.slips] };
  return { content: null, readable, findings: [...findings, ...later] };
}
