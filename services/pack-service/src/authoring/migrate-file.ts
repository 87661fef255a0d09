import { isMap, isNode, isPair, isScalar, isSeq, parseDocument, stringify, visit, type Pair, type YAMLMap } from 'yaml';
import type { PackFileKind } from '@parley/shared/contracts';
import { proposeChecks, type ProposedCheck } from './propose-checks';

/** A piece of the text, in UTF-16 units, and what takes its place. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const TITLES = { success: 'Won', failure: 'Lost', timeout: 'Out of time' } as const;

/** Older names of categories and their actions, and what means the same in 0.2. What it cannot say stays as it is. */
const CATEGORIES: Readonly<Record<string, Readonly<Record<string, readonly [name: string, action: string]>>>> = {
  nsfw_sexual: { block: ['nsfw_sexual_content', 'stop'] },
  instructional_criminal: { block: ['criminal_instruction', 'stop'] },
  medical_professional_advice: { redirect: ['medical_or_therapy_claim', 'redirect'] },
  real_person_impersonation: { block: ['real_person_impersonation', 'stop'] },
  // It never did what it says: the rule for self-harm stands in every policy.
  crisis_content: { redirect: ['self_harm_crisis', 'stop_with_resource_message'] },
};

const pairOf = (map: YAMLMap, key: string): Pair | undefined =>
  map.items.find((item) => isScalar(item.key) && item.key.value === key);

const rangeOf = (node: unknown): readonly [number, number] | null =>
  isNode(node) && node.range != null ? [node.range[0], node.range[1]] : null;

/** Where the last word of a node ends: a block's own range takes in the blanks and comments behind it. */
function endOf(node: unknown): number {
  if (isMap(node) && node.flow !== true) return Math.max(0, ...node.items.map(endOf));
  if (isSeq(node) && node.flow !== true) return Math.max(0, ...node.items.map(endOf));
  if (isPair(node)) return Math.max(endOf(node.key), endOf(node.value));
  return rangeOf(node)?.[1] ?? 0;
}

const replacing = (node: unknown, text: string): Edit[] => {
  const range = rangeOf(node);
  return range === null ? [] : [{ start: range[0], end: range[1], text }];
};

const inFlow = (value: unknown): string => stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trim();

/** `ending_conditions` becomes `endings` with ids and titles, unless somebody has written comments into it. */
function endings(text: string, map: YAMLMap): Edit[] {
  const pair = pairOf(map, 'ending_conditions');
  const start = rangeOf(pair?.key)?.[0];
  if (pair === undefined || start === undefined || !isMap(pair.value)) return [];
  const end = endOf(pair);
  if (/(?:^|\s)#/m.test(text.slice(start, end))) return [];
  const { value: conditions } = pair;
  const written = (['success', 'failure', 'timeout'] as const).flatMap((type) =>
    !conditions.has(type)
      ? []
      : [
          `  - id: ${type}`,
          `    type: ${type}`,
          `    title: ${TITLES[type]}`,
          `    when: ${inFlow([conditions.get(type)])}`,
        ],
  );
  return written.length === 0 ? [] : [{ start, end, text: ['endings:', ...written].join('\n') }];
}

/** Ids of the flags that conditions name, anywhere in a file. */
function flagsIn(map: YAMLMap): Set<string> {
  const ids = new Set<string>();
  visit(map, {
    Map(_key, node) {
      const id = node.get('flag_id');
      if (node.get('type') === 'flag' && typeof id === 'string') ids.add(id);
    },
  });
  return ids;
}

/** In 0.2 each flag is declared with what it means; the engine itself raises the ids of events. */
function flags(text: string, map: YAMLMap): Edit[] {
  if (pairOf(map, 'flags') !== undefined) return [];
  const events = map.get('events');
  const named = flagsIn(map);
  if (isSeq(events)) for (const event of events.items) if (isMap(event)) named.delete(String(event.get('id')));
  if (named.size === 0) return [];
  const lines = [...named].map((id) => `  ${id}: ${inFlow(`The player did this: ${id.replaceAll('_', ' ')}.`)}`);
  const block = ['# What each flag means, for the model: say it in your own words.', 'flags:', ...lines, ''].join('\n');
  const isOpen = text !== '' && !text.endsWith('\n');
  return [{ start: text.length, end: text.length, text: `${isOpen ? '\n' : ''}${block}` }];
}

function categories(map: YAMLMap): Edit[] {
  const listed = map.get('content_categories');
  if (!isMap(listed)) return [];
  return listed.items.flatMap(({ key, value }) => {
    if (!isScalar(key) || !isScalar(value)) return [];
    const meant = CATEGORIES[String(key.value)]?.[String(value.value)];
    if (meant === undefined || (meant[0] !== key.value && listed.has(meant[0]))) return [];
    return [...replacing(key, meant[0]), ...replacing(value, meant[1])];
  });
}

const written = (kind: string, ones: readonly ProposedCheck[]): string[] =>
  ones.length === 0
    ? []
    : [
        `${kind}:`,
        ...ones.flatMap(({ id, text, signs, points }) => [
          `  - id: ${id}`,
          `    text: ${inFlow(text)}`,
          `    signs: ${inFlow(signs)}`,
          `    points: ${points}`,
        ]),
      ];

/** Behind each dimension, as comments: checks that it could be scored by. */
function proposals(text: string, map: YAMLMap): Edit[] {
  const dimensions = map.get('dimensions');
  if (!isSeq(dimensions) || dimensions.flow === true) return [];
  return dimensions.items.flatMap((item) => {
    const scoring = isMap(item) ? item.get('scoring') : undefined;
    if (!isMap(item) || !isMap(scoring) || pairOf(item, 'checks') !== undefined) return [];
    const start = rangeOf(item)?.[0] ?? 0;
    const column = start - (text.lastIndexOf('\n', start - 1) + 1);
    const { checks, faults, unproven } = proposeChecks({
      high: String(scoring.get('high')),
      low: String(scoring.get('low')),
    });
    const lines = [
      `Checks score ${String(item.get('id'))} from the words alone, whatever model plays (docs/scoring.md).`,
      ...(checks.length + faults.length === 0 ? [] : ['Guessed from your anchors: keep what fits and mend it.']),
      ...unproven.map((sentence) => `No sign was found for: ${sentence} Describe it as a move with exemplars.`),
      ...written('checks', checks),
      ...written('faults', faults),
    ];
    const next = text.indexOf('\n', endOf(item));
    const at = next === -1 ? text.length : next + 1;
    const comment = lines.map((line) => `${' '.repeat(column)}# ${line}\n`).join('');
    return [{ start: at, end: at, text: next === -1 ? `\n${comment}` : comment }];
  });
}

/**
 * Turns a file of format 0.1 into 0.2: what it says stays the same, and the author's own text stays as it was written but for
 * what changes. A file of 0.2 comes back as it is.
 * @param text of a file that its schema accepts
 */
export function migrateFile(kind: PackFileKind, text: string): string {
  const { contents } = parseDocument(text);
  if (!isMap(contents)) return text;
  const version = pairOf(contents, 'schema_version')?.value;
  if (!isScalar(version) || version.value !== '0.1') return text;
  const edits = replacing(version, '"0.2"');
  // What is written in one pair of braces has no lines to put others between.
  if (contents.flow !== true) {
    if (kind === 'scenario') edits.push(...endings(text, contents), ...flags(text, contents));
    if (kind === 'rubric') edits.push(...proposals(text, contents));
  }
  if (kind === 'safety') edits.push(...categories(contents));
  return edits
    .sort((one, other) => other.start - one.start)
    .reduce((current, { start, end, text: by }) => `${current.slice(0, start)}${by}${current.slice(end)}`, text);
}
