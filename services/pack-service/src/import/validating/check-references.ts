import path from 'node:path';
import type { Finding } from '@parley/shared/contracts';
import { resolveInside } from './check-name';
import { reportAt, strictIn02, type Keys } from './file-report';
import { finding } from './finding';
import type { LoadedFile, LoadedPack } from './load-pack';
import { folderOf } from './references';
import { nearest } from './meant-schema';
import { withoutFollowOns } from './slips';

const isUrl = (text: string): boolean => /^[a-z][a-z0-9+.-]*:|^\/\//i.test(text);

/** Where the paths of a member start: a ref at the file that holds it, every other path at the pack's root. */
type Base = 'file' | 'root';

const BASES: Readonly<Record<Base, string>> = {
  file: 'a ref is relative to the file that holds it',
  root: "paths here start at the pack's root",
};

const baseFolder = (file: LoadedFile, base: Base): string => (base === 'file' ? folderOf(file.path) : '');

/** How a file of the pack is written in this member. */
const asWritten = (file: LoadedFile, base: Base, target: string): string =>
  path.posix.relative(baseFolder(file, base), target);

/** The file that a path with the wrong start means: one that is there when the path is read from the root, or by its name. */
function meantFile(pack: LoadedPack, folder: string, written: string): string | null {
  const fromRoot = resolveInside('', written.replace(/^(?:\.\.?\/)+/, ''));
  if (fromRoot === null) return null;
  const inFolder = `${folder}/${path.posix.basename(fromRoot)}`;
  const candidates = [fromRoot, `${folder}/${fromRoot}`, inFolder, `${inFolder}.yaml`];
  return candidates.find((one) => one.startsWith(`${folder}/`) && pack.paths.has(one)) ?? null;
}

function escaping(
  pack: LoadedPack,
  file: LoadedFile,
  keys: Keys,
  base: Base,
  written: string,
  folder: string,
): Finding {
  if (isUrl(written) && !/^[a-z]:/i.test(written))
    return reportAt(file, keys, {
      rule: 'asset.external-url',
      message: 'This is an address, not a path in the pack.',
      hint: 'Ship the file in the pack.',
    });
  const meant = meantFile(pack, folder, written);
  return reportAt(file, keys, {
    rule: 'path.escape',
    message: `The path leads out of the pack: ${BASES[base]}.`,
    hint: meant === null ? 'Name a file inside the pack.' : `Write ${asWritten(file, base, meant)}.`,
  });
}

/** A reference to another YAML file: missing ones are errors in both formats. */
function checkTarget(
  pack: LoadedPack,
  file: LoadedFile,
  keys: Keys,
  written: string,
  base: Base,
  folder: string,
): Finding[] {
  const target = resolveInside(baseFolder(file, base), written);
  if (target === null) return [escaping(pack, file, keys, base, written, folder)];
  const ofKind = [...pack.paths].filter((one) => one.startsWith(`${folder}/`));
  if (ofKind.includes(target)) return [];
  const meant = meantFile(pack, folder, written);
  const near = nearest(target, ofKind);
  const shown = (one: string): string => asWritten(file, base, one);
  return [
    reportAt(file, keys, {
      rule: 'ref.unknown',
      message: pack.paths.has(target) ? `${target} is not in ${folder}/.` : `There is no file ${target}.`,
      hint:
        meant !== null
          ? `Write ${shown(meant)}: ${BASES[base]}.`
          : near !== null
            ? `Did you mean ${shown(near)}?`
            : ofKind.length === 0
              ? null
              : `There is: ${ofKind.slice(0, 5).map(shown).join(', ')}.`,
    }),
  ];
}

/** A picture or sound: packs are published without them, so a missing one is only a warning. */
function checkAsset(pack: LoadedPack, file: LoadedFile, keys: Keys, written: string): Finding[] {
  const target = resolveInside('', written);
  if (target === null) return [escaping(pack, file, keys, 'root', written, 'assets')];
  if (pack.paths.has(target) && target.startsWith('assets/')) return [];
  const meant = meantFile(pack, 'assets', written);
  return [
    reportAt(file, keys, {
      severity: 'warning',
      rule: 'ref.missing-asset',
      message: pack.paths.has(target)
        ? `${target} is not in assets/.`
        : `There is no file ${target}; the page will do without.`,
      hint: meant === null ? 'Put the file there, or leave the member out.' : `Write ${meant}: ${BASES.root}.`,
    }),
  ];
}

/** Every path that a file names: references, entry scenarios, the policy, pictures, credits. */
export function checkReferences(pack: LoadedPack): Finding[] {
  const findings: Finding[] = [];
  const { manifest } = pack;
  if (![...pack.paths].some((path) => /^scenarios\/.+\.yaml$/.test(path)))
    findings.push(
      finding({
        rule: 'schema.manifest',
        file: 'manifest.yaml',
        message: 'The pack has no scenario.',
        hint: 'Add one in scenarios/; without one there is nothing to play.',
      }),
    );
  if (manifest !== null) {
    const { entry_scenarios: entries, safety, credits } = manifest.content;
    for (const [index, entry] of (entries ?? []).entries())
      findings.push(...checkTarget(pack, manifest, ['entry_scenarios', index], entry, 'root', 'scenarios'));
    findings.push(...checkTarget(pack, manifest, ['safety', 'policy'], safety.policy, 'root', 'safety'));
    for (const [index, credit] of (credits ?? []).entries())
      findings.push(...checkAsset(pack, manifest, ['credits', index, 'asset'], credit.asset));
  }
  for (const scenario of pack.scenarios) {
    const { npc, scene, rubric } = scenario.content;
    findings.push(...checkTarget(pack, scenario, ['npc', 'ref'], npc.ref, 'file', 'npcs'));
    findings.push(...checkTarget(pack, scenario, ['rubric', 'ref'], rubric.ref, 'file', 'rubrics'));
    if (scene !== undefined)
      findings.push(...checkTarget(pack, scenario, ['scene', 'ref'], scene.ref, 'file', 'scenes'));
  }
  for (const npc of pack.npcs) {
    if (npc.content.portrait !== undefined) findings.push(...checkAsset(pack, npc, ['portrait'], npc.content.portrait));
    for (const [emotion, picture] of Object.entries(npc.content.portraits ?? {}))
      findings.push(...checkAsset(pack, npc, ['portraits', emotion], picture));
  }
  for (const scene of pack.scenes)
    if (scene.content.background !== undefined)
      findings.push(...checkAsset(pack, scene, ['background'], scene.content.background));
  return withoutFollowOns(pack, findings);
}

/** Says that a name does not exist, unless it does. Nothing is said while the known names may lack some (null). */
export function checkName(
  file: LoadedFile,
  keys: Keys,
  what: string,
  name: string,
  known: Iterable<string> | null,
  atKey = false,
): Finding[] {
  if (known === null) return [];
  const names = [...new Set(known)];
  if (names.includes(name)) return [];
  const near = nearest(name, names);
  return [
    reportAt(file, keys, {
      severity: strictIn02(file),
      rule: 'ref.unknown',
      message: `There is no ${what} ${name}.`,
      hint:
        near !== null
          ? `Did you mean ${near}?`
          : names.length === 0
            ? 'None is declared.'
            : `There is: ${names.slice(0, 12).join(', ')}.`,
      atKey,
    }),
  ];
}
