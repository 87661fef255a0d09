import type { z } from 'zod';
import { closest, distance } from 'fastest-levenshtein';

interface Definition {
  readonly type: string;
  /** Of a number that must be a whole one: safeint. */
  readonly format?: string;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly catchall?: z.ZodType;
  readonly innerType?: z.ZodType;
  readonly element?: z.ZodType;
  readonly keyType?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly values?: readonly unknown[];
  readonly entries?: Readonly<Record<string, string>>;
}
export const definitionOf = (schema: z.ZodType): Definition => schema.def as unknown as Definition;

export const isGroup = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** "did you mean", when something near enough exists. */
export function nearest(word: string, candidates: readonly string[]): string | null {
  if (candidates.length === 0 || word.length > 100) return null;
  const near = closest(word.toLowerCase(), [...candidates]);
  return distance(word.toLowerCase(), near) <= Math.max(2, Math.floor(near.length / 3)) ? near : null;
}

export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, part) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, part)
        ? (inner as Record<PropertyKey, unknown>)[part]
        : undefined,
    value,
  );
}

function isOfKind(schema: z.ZodType, value: unknown): boolean {
  const { type, innerType, options } = definitionOf(schema);
  if (innerType !== undefined) return isOfKind(innerType, value);
  if (options !== undefined) return options.some((option) => isOfKind(option, value));
  if (type === 'object' || type === 'record') return isGroup(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'string' || type === 'enum') return typeof value === 'string';
  return typeof value === type;
}

/** Whether the members that tell the forms of a group apart (a condition's type) are those of this form. */
function saysSo(schema: z.ZodType, value: unknown): boolean {
  const { shape, options, innerType } = definitionOf(schema);
  if (innerType !== undefined) return saysSo(innerType, value);
  if (options !== undefined) return options.some((option) => saysSo(option, value));
  if (shape === undefined || !isGroup(value)) return isOfKind(schema, value);
  const telling = Object.entries(shape).filter(([, member]) => definitionOf(member).type === 'literal');
  return telling.every(([name, member]) => definitionOf(member).values?.includes(value[name]) === true);
}

/** The forms that the author can have meant by `value`: those that its members name, else those of its kind, else all. */
export function meantForms(schema: z.ZodType, value: unknown): z.ZodType[] {
  const { innerType, options } = definitionOf(schema);
  if (innerType !== undefined) return meantForms(innerType, value);
  if (options === undefined) return [schema];
  const named = options.filter((option) => saysSo(option, value));
  const ofKind = options.filter((option) => isOfKind(option, value));
  const meant = named.length > 0 ? named : ofKind.length > 0 ? ofKind : options;
  return meant.flatMap((option) => meantForms(option, value));
}

/** The schemas of the member at `path` of a value, in the forms that the author can have meant on the way there. */
export function schemasAt(schema: z.ZodType, value: unknown, path: readonly PropertyKey[]): z.ZodType[] {
  const [first, ...rest] = path;
  if (first === undefined) return [schema];
  return meantForms(schema, value).flatMap((form) => {
    const { shape, element, valueType, catchall } = definitionOf(form);
    const next = shape?.[String(first)] ?? element ?? valueType ?? catchall;
    return next === undefined || definitionOf(next).type === 'never'
      ? []
      : schemasAt(next, valueAt(value, [first]), rest);
  });
}

/** Names of the members that the group at `path` may have. */
const memberNames = (schema: z.ZodType, value: unknown, path: readonly PropertyKey[]): string[] => [
  ...new Set(
    schemasAt(schema, value, path)
      .flatMap((found) => meantForms(found, valueAt(value, path)))
      .flatMap((form) => Object.keys(definitionOf(form).shape ?? {})),
  ),
];

/**
 * The member that the author meant by an unknown one: the nearest name that the group does not have yet, or the only
 * one that it lacks, when the value fits there.
 */
/** A longer list is looked up, not read in a finding. */
const MOST_TOLD = 12;

/** The names of all members that may stand at a path, where they are few enough to be told. */
export function knownMembers(schema: z.ZodType, value: unknown, path: readonly PropertyKey[]): string[] {
  const names = memberNames(schema, value, path);
  return names.length > MOST_TOLD ? [] : names;
}

export function meantMember(
  schema: z.ZodType,
  value: unknown,
  path: readonly PropertyKey[],
  unknown: string,
  missing: readonly string[],
): string | null {
  const group = valueAt(value, path);
  const present = isGroup(group) ? Object.keys(group) : [];
  const absent = memberNames(schema, value, path).filter((name) => !present.includes(name));
  const near = nearest(unknown, missing) ?? nearest(unknown, absent);
  if (near !== null) return near;
  const [only] = missing;
  if (only === undefined || missing.length > 1) return null;
  const known = memberNames(schema, value, path);
  if (present.filter((name) => !known.includes(name)).length > 1) return null;
  const fits = schemasAt(schema, value, [...path, only]).some(
    (found) => found.safeParse(valueAt(value, [...path, unknown])).success,
  );
  return fits ? only : null;
}
