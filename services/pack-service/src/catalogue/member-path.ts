/** One step of a member path: a name, the place in a list, or the item of a list whose member has a value. */
export type PathStep =
  | { readonly kind: 'member'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'select'; readonly member: string; readonly value: string };

/**
 * Parses paths as translations and static assertions write them: `opening.npc_says`, `goals.hidden[0]`,
 * `events[id=freeze].narration`. null when it is no path.
 */
export function parseMemberPath(text: string): PathStep[] | null {
  const steps: PathStep[] = [];
  const pattern = /(?:^|\.)([a-zA-Z_][\w-]*|\d+)|\[(\d{1,5})\]|\[([a-zA-Z_]\w*)=([^\]]{1,200})\]/gy;
  while (pattern.lastIndex < text.length) {
    const match = pattern.exec(text);
    if (match === null) return null;
    const [, name, index, member, value] = match;
    if (name !== undefined) steps.push({ kind: 'member', name });
    else if (index !== undefined) steps.push({ kind: 'index', index: Number(index) });
    else if (member !== undefined && value !== undefined)
      steps.push({ kind: 'select', member, value: value.replace(/^(['"])(.*)\1$/, '$2') });
  }
  return steps.length === 0 ? null : steps;
}

const own = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;

/** The keys that lead to what the path means in `value`, or null when it leads nowhere. */
export function keysOfPath(value: unknown, steps: readonly PathStep[]): (string | number)[] | null {
  const keys: (string | number)[] = [];
  let current = value;
  for (const step of steps) {
    if (step.kind === 'member' && Array.isArray(current) && /^\d+$/.test(step.name)) {
      keys.push(Number(step.name));
      current = (current as unknown[])[Number(step.name)];
    } else if (step.kind === 'member') {
      keys.push(step.name);
      current = own(current, step.name);
    } else {
      if (!Array.isArray(current)) return null;
      const list = current as unknown[];
      const index =
        step.kind === 'index' ? step.index : list.findIndex((item) => String(own(item, step.member)) === step.value);
      if (index < 0) return null;
      keys.push(index);
      current = list[index];
    }
    if (current === undefined) return null;
  }
  return keys;
}

export const valueAtKeys = (value: unknown, keys: readonly (string | number)[]): unknown =>
  keys.reduce<unknown>(
    (inner, key) =>
      Array.isArray(inner) && typeof key === 'number' ? (inner[key] as unknown) : own(inner, String(key)),
    value,
  );
