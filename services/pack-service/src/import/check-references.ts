import type { Finding } from '@parley/shared/contracts';
import { resolveInside } from './check-name';
import { reportAt, strictIn02, type Keys } from './file-report';
import type { LoadedFile, LoadedPack } from './load-pack';
import { refTarget } from './references';
import { suggestion } from './schema-findings';

const isUrl = (text: string): boolean => /^[a-z][a-z0-9+.-]*:|^\/\//i.test(text);

function escaping(file: LoadedFile, keys: Keys, path: string): Finding {
  return isUrl(path) && !/^[a-z]:/i.test(path)
    ? reportAt(file, keys, {
        rule: 'asset.external-url',
        message: 'This is an address, not a path in the pack.',
        hint: 'Ship the file in the pack.',
      })
    : reportAt(file, keys, {
        rule: 'path.escape',
        message: 'The path leads out of the pack.',
        hint: 'Name a file inside the pack.',
      });
}

/** A reference to another YAML file: missing ones are errors in both formats. */
function checkTarget(
  pack: LoadedPack,
  file: LoadedFile,
  keys: Keys,
  written: string,
  target: string | null,
  folder: string,
): Finding[] {
  if (target === null) return [escaping(file, keys, written)];
  const ofKind = [...pack.paths].filter((path) => path.startsWith(`${folder}/`));
  if (ofKind.includes(target)) return [];
  return [
    reportAt(file, keys, {
      rule: 'ref.unknown',
      message: pack.paths.has(target) ? `${target} is not in ${folder}/.` : `There is no file ${target}.`,
      hint:
        suggestion(target, ofKind) ?? (ofKind.length === 0 ? null : `In ${folder}/: ${ofKind.slice(0, 5).join(', ')}.`),
    }),
  ];
}

/** A picture or sound: packs are published without them, so a missing one is only a warning. */
function checkAsset(pack: LoadedPack, file: LoadedFile, keys: Keys, written: string): Finding[] {
  const target = resolveInside('', written);
  if (target === null) return [escaping(file, keys, written)];
  if (pack.paths.has(target) && target.startsWith('assets/')) return [];
  return [
    reportAt(file, keys, {
      severity: 'warning',
      rule: 'ref.missing-asset',
      message: pack.paths.has(target)
        ? `${target} is not in assets/.`
        : `There is no file ${target}; the page will do without.`,
      hint: 'Put the file there, or leave the member out.',
    }),
  ];
}

/** Every path that a file names: references, entry scenarios, the policy, pictures, credits. */
export function checkReferences(pack: LoadedPack): Finding[] {
  const findings: Finding[] = [];
  const { manifest } = pack;
  if (manifest !== null) {
    const { entry_scenarios: entries, safety, credits } = manifest.content;
    for (const [index, entry] of entries.entries())
      findings.push(
        ...checkTarget(pack, manifest, ['entry_scenarios', index], entry, resolveInside('', entry), 'scenarios'),
      );
    findings.push(
      ...checkTarget(pack, manifest, ['safety', 'policy'], safety.policy, resolveInside('', safety.policy), 'safety'),
    );
    for (const [index, credit] of (credits ?? []).entries())
      findings.push(...checkAsset(pack, manifest, ['credits', index, 'asset'], credit.asset));
  }
  for (const scenario of pack.scenarios) {
    const { npc, scene, rubric } = scenario.content;
    findings.push(...checkTarget(pack, scenario, ['npc', 'ref'], npc.ref, refTarget(scenario, npc.ref), 'npcs'));
    findings.push(
      ...checkTarget(pack, scenario, ['rubric', 'ref'], rubric.ref, refTarget(scenario, rubric.ref), 'rubrics'),
    );
    if (scene !== undefined)
      findings.push(
        ...checkTarget(pack, scenario, ['scene', 'ref'], scene.ref, refTarget(scenario, scene.ref), 'scenes'),
      );
  }
  for (const npc of pack.npcs) {
    if (npc.content.portrait !== undefined) findings.push(...checkAsset(pack, npc, ['portrait'], npc.content.portrait));
    for (const [emotion, path] of Object.entries(npc.content.portraits ?? {}))
      findings.push(...checkAsset(pack, npc, ['portraits', emotion], path));
  }
  for (const scene of pack.scenes)
    if (scene.content.background !== undefined)
      findings.push(...checkAsset(pack, scene, ['background'], scene.content.background));
  return findings;
}

/** Says that a name does not exist, unless it does. */
export function checkName(
  file: LoadedFile,
  keys: Keys,
  what: string,
  name: string,
  known: Iterable<string>,
  atKey = false,
): Finding[] {
  const names = [...known];
  if (names.includes(name)) return [];
  return [
    reportAt(file, keys, {
      severity: strictIn02(file),
      rule: 'ref.unknown',
      message: `There is no ${what} ${name}.`,
      hint: suggestion(name, names) ?? (names.length === 0 ? null : `There is: ${names.slice(0, 12).join(', ')}.`),
      atKey,
    }),
  ];
}
