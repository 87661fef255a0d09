import type { Finding } from '@parley/shared/contracts';
import { dotted } from './finding';
import type { LoadedFile, LoadedPack } from './load-pack';

type Path = readonly PropertyKey[];

const begins = (path: Path, outer: Path): boolean => outer.every((part, index) => path[index] === part);

/** Whether what is at `path` is the author's: no slip there or around it. */
export const isAuthored = (file: LoadedFile, path: Path): boolean => !file.slips.some((slip) => begins(path, slip));

/** Whether all that is at `path` is the author's, down to the last member. */
export const isWhole = (file: LoadedFile, path: Path): boolean =>
  isAuthored(file, path) && !file.slips.some((slip) => begins(slip, path));

/** The names of a map; null when one may be missing. */
export function namesIn(file: LoadedFile, path: Path, map: object | undefined): readonly string[] | null {
  const names = Object.keys(map ?? {});
  const lost = file.slips.some(
    (slip) => slip.length === path.length + 1 && begins(slip, path) && !names.includes(String(slip.at(-1))),
  );
  return lost || !isAuthored(file, path) ? null : names;
}

/** The ids of a list's items; null when one may be missing. */
export function idsIn(
  file: LoadedFile,
  list: string,
  items: readonly { readonly id: string }[] | undefined,
): readonly string[] | null {
  const found = items ?? [];
  const known = isAuthored(file, [list]) && found.every((_item, index) => isAuthored(file, [list, index, 'id']));
  return known ? found.map((item) => item.id) : null;
}

/** All names of several lists; null when one of them may lack some. */
export const together = (...lists: readonly (readonly string[] | null)[]): readonly string[] | null =>
  lists.some((list) => list === null) ? null : [...new Set(lists.flatMap((list) => list ?? []))];

/** Leaves out what was found of a value that is not the author's. */
export function withoutFollowOns(pack: LoadedPack, findings: readonly Finding[]): Finding[] {
  const files: readonly LoadedFile[] = [
    ...(pack.manifest === null ? [] : [pack.manifest]),
    ...pack.scenarios,
    ...pack.npcs,
    ...pack.rubrics,
    ...pack.policies,
    ...pack.scenes,
    ...pack.playthroughs,
    ...pack.translations,
  ];
  const slips = new Map(files.map((file) => [file.path, file.slips.map(dotted)]));
  return findings.filter(
    ({ file, path }) =>
      path === null ||
      slips.get(file)?.some((slip) => path === slip || path.startsWith(`${slip}.`) || path.startsWith(`${slip}[`)) !==
        true,
  );
}
