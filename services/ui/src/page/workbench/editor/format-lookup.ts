import type { DraftNames, FormatMember } from '@parley/shared/contracts';
import type { YamlPlace } from './yaml-path';

/** Members by kind of file, and those of `sign` and `condition`, which stand in many places. */
export type Format = Readonly<Record<string, readonly FormatMember[]>>;

/** Lists whose items are signs, or a condition, wherever they stand. */
const SIGNS = new Set(['signs']);
const IN_SIGN = new Set(['any', 'all', 'not']);
const CONDITIONS = new Set(['when']);

interface Table {
  readonly members: readonly FormatMember[];
  /** What is left of the path below it. */
  readonly rest: readonly string[];
}

const withoutItems = (path: readonly string[]): readonly string[] => (path[0] === '[]' ? path.slice(1) : path);

/** The table in which a path is looked up. */
function tableOf(format: Format, kind: string, path: readonly string[]): Table {
  const signs = path.findIndex((part) => SIGNS.has(part));
  if (signs !== -1) {
    let rest = withoutItems(path.slice(signs + 1));
    while (IN_SIGN.has(rest[0] ?? '')) rest = withoutItems(rest.slice(1));
    return { members: format['sign'] ?? [], rest };
  }
  const when = path.findIndex((part) => CONDITIONS.has(part));
  const older = path[0] === 'ending_conditions' && path.length > 1 ? 1 : -1;
  const at = when === -1 ? older : when;
  if (at !== -1) return { members: format['condition'] ?? [], rest: withoutItems(path.slice(at + 1)) };
  return { members: format[kind] ?? [], rest: path };
}

const partsOf = (path: string): string[] => path.replaceAll('[]', '.[]').split('.');

const fits = (member: readonly string[], path: readonly string[]): boolean =>
  member.length === path.length && member.every((part, at) => part === path[at] || part === '<name>');

/** The members that may stand at a place. */
export function membersAt(format: Format, kind: string, around: readonly string[]): FormatMember[] {
  const { members, rest } = tableOf(format, kind, around);
  return members.filter((member) => {
    const parts = partsOf(member.path);
    return parts.at(-1) !== '<name>' && fits(parts.slice(0, -1), rest);
  });
}

/** The last name of a member's path. */
export const nameOf = (member: FormatMember): string => partsOf(member.path).at(-1) ?? '';

/** What a member is; null for a name that the format does not know. */
export function memberAt(format: Format, kind: string, around: readonly string[], key: string): FormatMember | null {
  const own = membersAt(format, kind, around).find((member) => nameOf(member) === key);
  return own ?? null;
}

/** Members that refer to names of the pack, by their own name. */
const REFERS: Readonly<Record<string, readonly (keyof DraftNames)[]>> = {
  flag_id: ['moves', 'flags', 'events'],
  after: ['moves', 'flags', 'events'],
  variable: ['variables'],
  emotion: ['emotions'],
  npc_emotion: ['emotions'],
  npc_emotion_not: ['emotions'],
  move: ['moves'],
  after_move: ['moves'],
  moves: ['moves'],
  flag: ['flags', 'moves', 'events'],
  without_flag: ['flags', 'moves', 'events'],
  flags: ['flags', 'moves', 'events'],
  event_flags: ['moves', 'flags'],
  events: ['events'],
  ending: ['endings'],
  scenario_id: ['scenarios'],
  dimension: ['dimensions'],
  taught_dimensions: ['dimensions'],
  tested_dimensions: ['dimensions'],
  policy: ['files'],
  entry_scenarios: ['files'],
};
/** Members whose own members are names of the pack. */
const NAMED_BY: Readonly<Record<string, readonly (keyof DraftNames)[]>> = {
  effect: ['variables'],
  effects: ['variables'],
  state_vars: ['variables'],
  state_delta: ['variables'],
  variables: ['variables'],
  bands: ['variables'],
  skills: ['dimensions'],
  portraits: ['emotions'],
};

const FOLDERS: Readonly<Record<string, string>> = { npc: 'npcs/', rubric: 'rubrics/', scene: 'scenes/' };

const listOf = (names: DraftNames, lists: readonly (keyof DraftNames)[]): string[] => [
  ...new Set(lists.flatMap((list) => names[list])),
];

/** The names of the pack that may stand as a value, or, with `key` null, as a member or an item. */
export function namesAt(names: DraftNames, { around, key }: Pick<YamlPlace, 'around' | 'key'>): string[] {
  const last = around.at(-1) === '[]' ? around.at(-2) : around.at(-1);
  if (key === 'ref') {
    const folder = FOLDERS[last ?? ''];
    return folder === undefined
      ? []
      : names.files.filter((file) => file.startsWith(folder)).map((file) => `../${file}`);
  }
  const refers = key ?? (around.at(-1) === '[]' ? last : undefined);
  if (refers !== undefined) {
    const found = listOf(names, REFERS[refers] ?? []);
    if (refers === 'policy') return found.filter((file) => file.startsWith('safety/'));
    return refers === 'entry_scenarios' ? found.filter((file) => file.startsWith('scenarios/')) : found;
  }
  return listOf(names, NAMED_BY[last ?? ''] ?? []);
}
