/** Where a property's reference is copied to: once, where it stands, or to every element below that has none of its own. */
const INHERITED = /^(?:fill|stroke|marker(?:-start|-mid|-end)?)$/;
/** Properties that draw a reference again in every element that asks for its parent's value. */
const DRAWN_AGAIN = /^(?:mask|clip-path|filter|all)/;
const REFERENCE = /url\(\s*(["']?)#([^\s"'()%\\<>]{1,200})\1\s*\)/gi;
/** Functions of CSS that bring a reference from elsewhere, so that it cannot be seen where it is drawn. */
const INDIRECT = /\b(?:var|env|attr|element|paint|src|image|image-set|cross-fade)\s*\(/i;

/** Elements that a picture may draw when all its references are followed. */
export const MAX_DRAWN_ELEMENTS = 20_000;
/** The same for the text of its attributes: one path of a megabyte may be drawn again and again. */
const MAX_DRAWN_CHARACTERS = 20 * 1024 * 1024;

interface Drawn {
  readonly line: number;
  readonly children: number[];
  /** Ids that are drawn once more where this element stands. */
  readonly references: string[];
  /** Ids that are drawn once more for this element and each one below it. */
  readonly inherited: string[];
  characters: number;
}

/** What a declaration of a style attribute, or a presentation attribute, says. */
interface Declaration {
  readonly property: string;
  readonly value: string;
}

const declarationsOf = (attribute: string, value: string): Declaration[] =>
  attribute !== 'style'
    ? [{ property: attribute, value }]
    : value.split(';').map((declaration) => {
        const colon = declaration.indexOf(':');
        return {
          property: declaration.slice(0, Math.max(0, colon)).trim().toLowerCase(),
          value: declaration.slice(colon + 1),
        };
      });

/**
 * Whether what an attribute refers to can be seen in it: whole `url(#id)` only, nothing by way of a variable, a comment
 * or the parent's mask.
 */
export function isPlainValue(attribute: string, value: string): boolean {
  const references = value.match(/url\(/gi)?.length ?? 0;
  if (references !== (value.match(REFERENCE)?.length ?? 0) || INDIRECT.test(value)) return false;
  if (attribute === 'style' && value.includes('/*')) return false;
  return !declarationsOf(attribute, value).some(
    (one) => one.property.startsWith('--') || (DRAWN_AGAIN.test(one.property) && /\binherit\b/i.test(one.value)),
  );
}

/**
 * The elements of a picture and what they refer to. A browser draws a copy of what `use`, a mask, a clip, a filter, a
 * marker, a pattern or a gradient points to, and copies of what those point to: a few hundred bytes may come to billions
 * of elements. Counted here without copying anything, in time proportional to the file.
 */
export class SvgReferences {
  private readonly drawn: Drawn[] = [];
  private readonly open: number[] = [];
  /** As in browsers, the first element with an id has it. */
  private readonly ids = new Map<string, number>();

  opened(attributes: Readonly<Record<string, string>>, line: number): void {
    const index = this.drawn.length;
    const element: Drawn = { line, children: [], references: [], inherited: [], characters: 0 };
    for (const [attribute, value] of Object.entries(attributes)) {
      element.characters += value.length;
      if (attribute === 'href' || attribute === 'xlink:href') element.references.push(value.trim().replace(/^#/, ''));
      else if (attribute === 'id') {
        if (!this.ids.has(value.trim())) this.ids.set(value.trim(), index);
      } else
        for (const { property, value: said } of declarationsOf(attribute, value))
          for (const [, , id = ''] of said.matchAll(REFERENCE))
            (INHERITED.test(property) ? element.inherited : element.references).push(id);
    }
    const parent = this.open.at(-1);
    if (parent !== undefined) this.drawn[parent]?.children.push(index);
    this.drawn.push(element);
    this.open.push(index);
  }

  text(characters: number): void {
    const element = this.drawn[this.open.at(-1) ?? -1];
    if (element !== undefined) element.characters += characters;
  }

  closed(): void {
    this.open.pop();
  }

  /** What is wrong with the picture once its references are followed; null when nothing is. */
  problem(): { readonly message: string; readonly line: number } | null {
    const weights = this.drawn.map(() => ({ elements: 0, characters: 0 }));
    const state = new Uint8Array(this.drawn.length);
    const [ENTERED, DONE] = [1, 2];
    const stack: { readonly at: number; readonly next: number[] }[] = [];
    const targets = (ids: readonly string[]): number[] =>
      ids.flatMap((id) => {
        const target = this.ids.get(id);
        return target === undefined ? [] : [target];
      });
    const enter = (at: number): void => {
      const { children = [], references = [], inherited = [] } = this.drawn[at] ?? {};
      state[at] = ENTERED;
      stack.push({ at, next: [...children, ...targets(references), ...targets(inherited)] });
    };
    if (this.drawn.length > 0) enter(0);
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const next = top.next.pop();
      if (next !== undefined) {
        if (state[next] === ENTERED) {
          const line = this.drawn[top.at]?.line ?? 1;
          return { message: 'The picture refers to itself in a circle.', line };
        }
        if (state[next] !== DONE) enter(next);
        continue;
      }
      stack.pop();
      state[top.at] = DONE;
      const element = this.drawn[top.at];
      const weight = weights[top.at];
      if (element === undefined || weight === undefined) continue;
      weight.elements = 1;
      weight.characters = element.characters;
      for (const at of [...element.children, ...targets(element.references)]) {
        weight.elements += weights[at]?.elements ?? 0;
        weight.characters += weights[at]?.characters ?? 0;
      }
      const below = weight.elements;
      for (const at of targets(element.inherited)) {
        weight.elements += below * (weights[at]?.elements ?? 0);
        weight.characters += below * (weights[at]?.characters ?? 0);
      }
      if (weight.elements > MAX_DRAWN_ELEMENTS || weight.characters > MAX_DRAWN_CHARACTERS) {
        const what =
          weight.elements > MAX_DRAWN_ELEMENTS
            ? `more than ${MAX_DRAWN_ELEMENTS} elements`
            : `more than ${MAX_DRAWN_CHARACTERS / 1024 / 1024} MB of shapes`;
        return { message: `The picture draws ${what} once its references are followed.`, line: element.line };
      }
    }
    return null;
  }
}
