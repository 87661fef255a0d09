import { z } from 'zod';
import { definitionOf, isGroup, meantForms, meantMember, nearest, schemasAt, valueAt } from './meant-schema';

/** A value that matches its schema, for the sake of everything around what does not. */
export interface MendedValue {
  readonly value: unknown;
  /** Where something stands in, or was left out: nothing can be concluded from what is there. */
  readonly slips: readonly (readonly PropertyKey[])[];
}

/** Each is right for one form of text or number in the pack format. */
const SAMPLES: readonly unknown[] = ['stand_in', 'x', 'en', '0.0.0', 0, 1, 10, false, true, null];
/** One round mends what can be seen; a form that was mended may show more. */
const MAX_ROUNDS = 8;

/** A value that matches the schema, as near to the author's as can be had without guessing. */
function standIn(schema: z.ZodType, value: unknown): unknown {
  const { type, shape, element, values, entries, options, innerType } = definitionOf(schema);
  if (type === 'optional') return undefined;
  if (innerType !== undefined) return standIn(innerType, value);
  if (options !== undefined) return standIn(meantForms(schema, value)[0] ?? schema, value);
  if (shape !== undefined)
    return Object.fromEntries(
      Object.entries(shape).flatMap(([name, member]) => {
        const given = isGroup(value) ? value[name] : undefined;
        const filled = member.safeParse(given).success ? given : standIn(member, given);
        return filled === undefined ? [] : [[name, filled]];
      }),
    );
  if (type === 'array') return schema.safeParse([]).success || element === undefined ? [] : [standIn(element, null)];
  if (type === 'record') return {};
  const allowed = values ?? Object.values(entries ?? {});
  if (allowed.length > 0)
    return allowed.find((one) => String(one) === nearest(String(value), allowed.map(String))) ?? allowed[0];
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : NaN;
  return [number, ...SAMPLES].find((sample) => schema.safeParse(sample).success);
}

/** Of several forms that one word tells apart, the one whose word is nearest. */
const formNearest = (forms: readonly z.ZodType[], value: unknown): z.ZodType | undefined => {
  const wordOf = (form: z.ZodType): string => String(definitionOf(form).values?.[0]);
  const near = nearest(String(value), forms.map(wordOf));
  return forms.find((form) => wordOf(form) === near) ?? forms[0];
};

type Container = Record<PropertyKey, unknown>;

function put(root: unknown, path: readonly PropertyKey[], value: unknown): void {
  const container = valueAt(root, path.slice(0, -1));
  const key = path.at(-1);
  if (typeof container !== 'object' || container === null || key === undefined) return;
  if (value === undefined && !Array.isArray(container)) delete (container as Container)[key];
  else (container as Container)[key] = value;
}

/**
 * Makes a value match its schema, member by member: what does not match is replaced by a stand-in, and what has no place
 * is left out.
 * @param issuesOf the issues of a value, those inside of unions included.
 * @param most how many stand-ins are made; a value that needs more is something else.
 * @returns null when the whole is not of the right kind.
 */
export function mend(
  schema: z.ZodType,
  value: unknown,
  issuesOf: (value: unknown) => readonly z.core.$ZodIssue[],
  most: number,
): MendedValue | null {
  const mended: unknown = structuredClone(value);
  const slips: PropertyKey[][] = [];
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const issues = issuesOf(mended);
    if (issues.length === 0) return { value: mended, slips };
    if (issues.length + slips.length > 2 * most) return null;
    for (const issue of issues) {
      const path = [...issue.path];
      if (issue.code === 'unrecognized_keys')
        for (const key of issue.keys) {
          const meant = meantMember(schema, mended, path, key, missingIn(issues, path, mended));
          slips.push([...path, key], ...(meant === null ? [] : [[...path, meant]]));
          put(mended, [...path, key], undefined);
        }
      else if (path.length === 0) return null;
      else {
        slips.push(path);
        const given = valueAt(mended, path);
        const found = formNearest(schemasAt(schema, mended, path), given);
        const nameIsWrong = issue.code === 'invalid_key' || found === undefined;
        put(mended, path, nameIsWrong ? undefined : standIn(found, given));
      }
    }
  }
  return null;
}

/** Names of the members that the group at `path` lacks. */
export const missingIn = (
  issues: readonly z.core.$ZodIssue[],
  path: readonly PropertyKey[],
  value: unknown,
): string[] =>
  issues
    .filter(
      (issue) =>
        issue.code !== 'unrecognized_keys' &&
        issue.path.length === path.length + 1 &&
        path.every((part, index) => issue.path[index] === part) &&
        valueAt(value, issue.path) === undefined,
    )
    .map((issue) => String(issue.path.at(-1)));
