import { isCollection, isMap, isNode, isPair, isScalar, isSeq, type Pair, type ParsedNode } from 'yaml';
import type { Place } from './finding';

/** The way back from a member to its text. */
export interface YamlPlaces {
  /** Place of the value at `path`, or of the nearest thing around it that exists. */
  placeOf(path: readonly PropertyKey[]): Place;
  /** Place of the last key of `path`. */
  placeOfKey(path: readonly PropertyKey[]): Place;
  /** The single value at `path` as it is written, for example `1.0`; null when there is none. */
  sourceOf(path: readonly PropertyKey[]): string | null;
  /** The text that an unquoted comma cut, when the member at `path` is one of its pieces. */
  cutTextAt(path: readonly PropertyKey[]): CutText | null;
}

/** A plain text inside { } that ends at a comma, so that its other pieces look like members. */
interface CutText {
  /** All of it, as it is written. */
  readonly whole: string;
  /** The names of the pieces that became members. */
  readonly pieces: readonly string[];
}

function nodeAt(contents: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((node, part) => {
    if (isMap(node)) return node.items.find((item) => isScalar(item.key) && item.key.value === part)?.value;
    return isSeq(node) && typeof part === 'number' ? node.items[part] : undefined;
  }, contents);
}

/** A member without a colon, behind a plain text: both are pieces of one text that a comma cut. */
function cutTextAt(contents: unknown, text: string, path: readonly PropertyKey[]): CutText | null {
  const map = nodeAt(contents, path.slice(0, -1));
  if (!isMap(map) || map.flow !== true) return null;
  const isPiece = (index: number): boolean => {
    const pair = map.items[index];
    return pair !== undefined && isScalar(pair.key) && pair.key.type === 'PLAIN' && pair.value == null;
  };
  const found = map.items.findIndex((item) => isScalar(item.key) && item.key.value === path.at(-1));
  if (!isPiece(found)) return null;
  let first = found;
  while (isPiece(first - 1)) first -= 1;
  let last = found;
  while (isPiece(last + 1)) last += 1;
  const begin = map.items[first - 1]?.value;
  const end = map.items[last]?.key;
  if (!isScalar(begin) || begin.type !== 'PLAIN' || !isScalar(end)) return null;
  return {
    whole: text.slice(begin.range?.[0], end.range?.[1]),
    pieces: map.items.slice(first, last + 1).map((item) => String(isScalar(item.key) ? item.key.value : '')),
  };
}

/**
 * The places of a text that parses. Most files have no finding, and the nodes of a hundred of them are most of what a lint would keep in
 * memory: they are parsed anew by the first question for a place.
 * @param parse answers the contents of the document.
 * @param at makes a line and a column of an offset.
 */
export function placesOf(text: string, parse: (text: string) => unknown, at: (offset: number) => Place): YamlPlaces {
  let parsed: { readonly contents: unknown } | null = null;
  const contentsOf = (): unknown => (parsed ??= { contents: parse(text) }).contents;
  const walk = (path: readonly PropertyKey[], keyOfLast: boolean): Place => {
    const contents = contentsOf();
    let node = contents;
    let place = at((contents as ParsedNode | null)?.range?.[0] ?? 0);
    for (const [index, part] of path.entries()) {
      const last = index === path.length - 1;
      if (isMap(node)) {
        const pair = node.items.find((item) => isPair(item) && isScalar(item.key) && item.key.value === part);
        if (pair === undefined) break;
        const keyStart = isNode(pair.key) ? pair.key.range?.[0] : undefined;
        if (keyStart !== undefined) place = at(keyStart);
        node = pair.value;
        const valueStart = isNode(node) ? node.range?.[0] : undefined;
        // A missing value has no place of its own: its key is what a person must look at.
        if (last && !keyOfLast && valueStart !== undefined && !(isScalar(node) && node.value === null))
          place = at(valueStart);
      } else if (isSeq(node) && typeof part === 'number') {
        node = node.items[part];
        const start = isNode(node) ? node.range?.[0] : undefined;
        if (start === undefined) break;
        place = at(start);
      } else break;
    }
    return place;
  };
  return {
    placeOf: (path) => walk(path, false),
    placeOfKey: (path) => walk(path, true),
    sourceOf: (path) => {
      const node = nodeAt(contentsOf(), path);
      return isScalar(node) ? (node.source ?? null) : null;
    },
    cutTextAt: (path) => cutTextAt(contentsOf(), text, path),
  };
}

/** The keys that lead to the member in whose text an offset lies. */
export function keysAt(contents: unknown, offset: number): PropertyKey[] {
  const holds = (node: unknown): boolean => {
    const range = isScalar(node) || isCollection(node) ? node.range : null;
    return range != null && range[0] <= offset && offset < range[2];
  };
  const keys: PropertyKey[] = [];
  let node = contents;
  for (;;) {
    if (isMap(node)) {
      const pair: Pair | undefined = node.items.find((item) => holds(item.key) || holds(item.value));
      if (pair === undefined || !isScalar(pair.key)) return keys;
      keys.push(pair.key.value as string);
      if (holds(pair.key)) return keys;
      node = pair.value;
    } else if (isSeq(node)) {
      const index: number = node.items.findIndex(holds);
      if (index === -1) return keys;
      keys.push(index);
      node = node.items[index];
    } else return keys;
  }
}
