import type { z } from 'zod';
import { Condition } from '@parley/shared/contracts';
import { conditionForm } from './condition-form';
import { definitionOf, isGroup, meantForms, nearest, schemasAt, valueAt } from './meant-schema';
import type { YamlDocument } from './parse-yaml';
import { inQuotes } from './syntax-findings';

export interface Description {
  readonly message: string;
  readonly hint: string | null;
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
  string: 'text',
  int: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a group of members',
  record: 'a group of members',
};

/** What other formats, and YAML before 1.2, write for true and false. */
const TRUTHS: Readonly<Record<string, boolean>> = { yes: true, y: true, on: true, no: false, n: false, off: false };

const CONDITION_TYPES = Condition.options.map((option) => option.shape.type.value as string);
const CONDITION_EXAMPLE = '{type: variable_above, variable: trust, threshold: 60}';

const isCondition = (schema: z.ZodType): boolean => {
  const type = definitionOf(schema).shape?.['type'];
  return type !== undefined && CONDITION_TYPES.includes(String(definitionOf(type).values?.[0]));
};

/** The form that a text must have, in the words that its schema has for it. */
function formOf(schema: z.ZodType, text: string): string | null {
  const issue = schema.safeParse(text).error?.issues.find((one) => one.code === 'invalid_format');
  return issue?.message.startsWith('must be ') === true ? issue.message.slice('must be '.length) : null;
}

const slug = (text: string, joint: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((part) => part !== '')
    .join(joint);

/** The nearest text that has the form, for a name that was written freely. */
function inForm(schemas: readonly z.ZodType[], text: string): string | null {
  if (text.length > 100) return null;
  const fits = (candidate: string): boolean => schemas.some((schema) => schema.safeParse(candidate).success);
  const numbers = text.match(/\d{1,9}/g) ?? [];
  const candidates = fits('a')
    ? [
        text
          .split('.')
          .map((part) => slug(part, '_'))
          .join('.'),
        slug(text, '_'),
        // A licence: CC BY 4.0 is CC-BY-4.0, but plain words are no id.
        numbers.length === 0
          ? ''
          : text
              .trim()
              .split(/[^-a-zA-Z0-9.+]+/)
              .join('-'),
      ]
    : numbers.length === 0
      ? []
      : [[...numbers, '0', '0'].slice(0, 3).join('.')];
  return candidates.find((candidate) => candidate !== text && fits(candidate)) ?? null;
}

/** true or false, where the author wrote another word for it. */
function truthHint(input: unknown, allowed: readonly unknown[]): string | null {
  if (typeof input !== 'string') return null;
  const word = input.toLowerCase();
  if (allowed.map(String).includes(word)) return 'Take the quotes away.';
  const truth = Object.hasOwn(TRUTHS, word) ? TRUTHS[word] : undefined;
  return truth !== undefined && allowed.includes(truth) ? `Write ${truth}: YAML 1.2 knows no "${input}".` : null;
}

/** A text in the list or group that has a place for it: [work], {ref: ../npcs/kim.yaml}. */
function inContainer(schema: z.ZodType, text: string): string | null {
  const { type, element, shape } = definitionOf(schema);
  if (!/^[\w./-]{1,80}$/.test(text)) return null;
  if (type === 'array') return element?.safeParse(text).success === true ? `[${text}]` : null;
  const needed = Object.entries(shape ?? {}).filter(([, member]) => !member.safeParse(undefined).success);
  const [only] = needed;
  return only !== undefined && needed.length === 1 && only[1].safeParse(text).success ? `{${only[0]}: ${text}}` : null;
}

/** How a value of another kind becomes the one that is needed. */
function kindHint(schemas: readonly z.ZodType[], input: unknown, source: string | null): string | null {
  const fits = (value: unknown): boolean => schemas.some((schema) => schema.safeParse(value).success);
  if (typeof input === 'string') {
    if (input.trim() !== '' && fits(Number(input))) return 'Take the quotes away.';
    const contained = schemas.map((schema) => inContainer(schema, input)).find((one) => one !== null);
    if (contained !== undefined) return `Write ${contained}.`;
    return schemas.some((schema) => definitionOf(schema).type === 'boolean') ? truthHint(input, [true, false]) : null;
  }
  const text = source ?? String(input);
  if ((typeof input === 'number' || typeof input === 'boolean') && fits(text)) return 'Put it in quotes.';
  const [first] = isGroup(input) ? Object.entries(input) : [];
  const takesText = schemas.some((schema) => definitionOf(schema).type === 'string');
  if (!takesText || first === undefined || typeof first[1] === 'object') return null;
  const quoted = inQuotes(`${first[0]}: ${String(first[1])}`);
  return `A text with ": " in it needs quotes${quoted === null ? '.' : `: ${quoted}`}`;
}

function describeKind(schemas: readonly z.ZodType[], input: unknown, source: string | null): Description {
  if (typeof input === 'number' && schemas.some((schema) => definitionOf(schema).format === 'safeint'))
    return { message: 'This must be a whole number.', hint: `Write ${Math.round(input)}.` };
  if (schemas.some(isCondition) && !isGroup(input)) {
    const form = typeof input === 'string' ? conditionForm(input) : null;
    return {
      message: `This must be a condition, but it is ${nameOf(input)}.`,
      hint: form === null ? `A condition has a form such as ${CONDITION_EXAMPLE}.` : `Write ${form}.`,
    };
  }
  const kinds = [...new Set(schemas.map((schema) => definitionOf(schema).type))];
  const expected = kinds.map((kind) => EXPECTED[kind] ?? kind).join(' or ');
  const text = source ?? String(input);
  const form =
    typeof input === 'number' ? schemas.map((schema) => formOf(schema, text)).find((one) => one !== null) : null;
  const better = typeof form === 'string' ? inForm(schemas, text) : null;
  return {
    message: `This must be ${form ?? expected}, but it is ${nameOf(input)}.`,
    hint: better === null ? kindHint(schemas, input, source) : `Write "${better}", in quotes.`,
  };
}

/** What is wrong with the value at an issue's path, and what to write. What the author wrote is named only where it is short. */
export function describeIssue(issue: z.core.$ZodIssue, document: YamlDocument, schema: z.ZodType): Description {
  const input = valueAt(document.value, issue.path);
  const source = document.sourceOf(issue.path);
  const schemas = schemasAt(schema, document.value, issue.path);
  const forms = schemas.flatMap((found) => meantForms(found, input));
  if (input === undefined && issue.code !== 'invalid_key') {
    const words = forms.flatMap((form) => definitionOf(form).values ?? Object.values(definitionOf(form).entries ?? {}));
    const kinds = [...new Set(forms.map((form) => EXPECTED[definitionOf(form).type]))].filter((kind) => kind);
    return {
      message: 'This member is missing.',
      hint:
        words.length > 0
          ? `Allowed: ${words.map(String).join(', ')}.`
          : kinds.length > 0
            ? `It must be ${kinds.join(' or ')}.`
            : null,
    };
  }
  switch (issue.code) {
    case 'invalid_type':
      return describeKind(forms, input, source);
    case 'invalid_union': {
      const words = forms.flatMap((form) => definitionOf(form).values ?? []).map(String);
      if (words.length === 0 || typeof input !== 'string') return describeKind(forms, input, source);
      const near = nearest(input, words);
      return {
        message: `This is not allowed here. Allowed: ${words.join(', ')}.`,
        hint: near === null ? null : `Did you mean ${near}?`,
      };
    }
    case 'invalid_value': {
      const allowed = issue.values.map(String);
      const near = typeof input === 'string' ? nearest(input, allowed) : null;
      const quotes = typeof input === 'number' && allowed.includes(String(input)) ? 'Put it in quotes.' : null;
      return {
        message: `This is not allowed here. Allowed: ${allowed.join(', ')}.`,
        hint:
          quotes ??
          truthHint(input, [...issue.values]) ??
          (near !== null ? `Did you mean ${near}?` : allowed.length === 1 ? `Write ${allowed.join()}.` : null),
      };
    }
    case 'too_small':
      if (issue.origin === 'string') return { message: 'This text must not be empty.', hint: null };
      if (issue.origin === 'array') return { message: `This list needs at least ${issue.minimum} item.`, hint: null };
      return { message: `This must be at least ${issue.minimum}.`, hint: null };
    case 'too_big':
      if (issue.origin === 'string')
        return {
          message: `This text may have at most ${issue.maximum} characters; it has ${String(input).length}.`,
          hint: null,
        };
      return { message: `This must be at most ${issue.maximum}.`, hint: null };
    case 'invalid_format':
    case 'invalid_key': {
      const written = issue.code === 'invalid_key' ? String(issue.path.at(-1)) : String(input);
      const wanted = issue.code === 'invalid_key' ? issue.issues[0]?.message : issue.message;
      const form = wanted?.startsWith('must be ') === true ? wanted : 'must have another form';
      const names = issue.code === 'invalid_key' ? keySchemas(schema, document, issue.path) : forms;
      const better = inForm(names, written);
      return {
        message: `This ${issue.code === 'invalid_key' ? 'name ' : ''}${form}.`,
        hint: better === null ? null : `Write ${better}.`,
      };
    }
    // A rule of our own schemas, which say it themselves.
    case 'custom':
      return { message: issue.message, hint: null };
    default:
      return { message: 'This does not match the pack format.', hint: null };
  }
}

/** The schemas of the names of a map whose members are free. */
const keySchemas = (schema: z.ZodType, document: YamlDocument, path: readonly PropertyKey[]): z.ZodType[] => {
  const group = path.slice(0, -1);
  const value = valueAt(document.value, group);
  return schemasAt(schema, document.value, group)
    .flatMap((found) => meantForms(found, value))
    .flatMap((form) => definitionOf(form).keyType ?? []);
};
