import { BASELINE_VARIABLES, DEFAULT_EMOTIONS, type DraftNames } from '@parley/shared/contracts';
import type { LoadedPack } from './pack-tools';

const MOST = 2_000;

/** Each name once, in the order in which they stand in the files; what a slip has put there in the place of a name is left out. */
const unique = (names: readonly (string | undefined)[]): string[] =>
  [...new Set(names.filter((name): name is string => name !== undefined && name !== ''))].slice(0, MOST);

/** The names that the files of a pack may use, as far as they can be read: for an editor to offer. */
export function draftNames(pack: LoadedPack): DraftNames {
  const scenarios = pack.scenarios.map(({ content }) => content);
  return {
    files: unique([...pack.paths]),
    scenarios: unique(scenarios.map((one) => one.scenario_id)),
    variables: unique([
      ...Object.keys(BASELINE_VARIABLES),
      ...scenarios.flatMap((one) => Object.keys(one.state?.variables ?? {})),
    ]),
    flags: unique(scenarios.flatMap((one) => Object.keys(one.flags ?? {}))),
    moves: unique(scenarios.flatMap((one) => (one.moves ?? []).map(({ id }) => id))),
    events: unique(scenarios.flatMap((one) => (one.events ?? []).map(({ id }) => id))),
    endings: unique(scenarios.flatMap((one) => (one.endings ?? []).map(({ id }) => id))),
    dimensions: unique(pack.rubrics.flatMap(({ content }) => content.dimensions.map(({ id }) => id))),
    emotions: unique(pack.npcs.flatMap(({ content }) => content.emotions ?? DEFAULT_EMOTIONS)),
  };
}
