import type { Finding } from '@parley/shared/contracts';
import { resolveInside } from '../import/validating/check-name';
import { conditionsAreAuthored, conditionsOf, variablesOf } from '../import/validating/scenario-names';
import { reportAt } from '../import/validating/file-report';
import { finding } from '../import/validating/finding';
import type { Asset } from '../import/validating/inspect-files';
import type { LoadedFile, LoadedPack } from '../import/validating/load-pack';
import { partsOf } from '../import/validating/references';
import { isAuthored, isWhole } from '../import/validating/slips';
import { BASELINE_VARIABLES } from '@parley/shared/contracts';

const warnAt = (
  file: LoadedFile,
  keys: readonly (string | number)[],
  rule: string,
  message: string,
  hint: string,
): Finding => reportAt(file, keys, { severity: 'warning', rule, message, hint, atKey: true });

function checkAltTexts(pack: LoadedPack): Finding[] {
  const npcs = pack.npcs.flatMap((npc) => {
    const { schema_version: version, portrait, portraits, alt = {} } = npc.content;
    if (version !== '0.2' || !isAuthored(npc, ['alt'])) return [];
    const missing = Object.keys(portraits ?? {}).filter((emotion) => alt[emotion] === undefined);
    const findings = missing.map((emotion) =>
      warnAt(
        npc,
        ['portraits', emotion],
        'lint.missing-alt',
        `The picture of ${emotion} has no alt text.`,
        `Add alt.${emotion}: what somebody who does not see it must know.`,
      ),
    );
    if (portrait !== undefined && portraits === undefined && alt['portrait'] === undefined)
      findings.push(
        warnAt(npc, ['portrait'], 'lint.missing-alt', 'The portrait has no alt text.', 'Add alt.portrait.'),
      );
    return findings;
  });
  const scenes = pack.scenes.flatMap((scene) =>
    scene.content.schema_version === '0.2' &&
    scene.content.background !== undefined &&
    scene.content.alt === undefined &&
    isAuthored(scene, ['alt'])
      ? [warnAt(scene, ['background'], 'lint.missing-alt', 'The background has no alt text.', 'Add alt.')]
      : [],
  );
  return [...npcs, ...scenes];
}

function checkLicences(pack: LoadedPack, assets: readonly Asset[]): Finding[] {
  const findings: Finding[] = [];
  if (![...pack.paths].some((path) => /^LICENSE(\.(md|txt))?$/i.test(path)))
    findings.push(
      finding({
        severity: 'warning',
        rule: 'lint.missing-license',
        file: '',
        message: 'The pack has no LICENSE file.',
        hint: 'Add the text of the licence that the manifest names.',
      }),
    );
  const { manifest } = pack;
  if (manifest === null || manifest.content.schema_version !== '0.2' || !isWhole(manifest, ['credits']))
    return findings;
  const credited = new Set((manifest.content.credits ?? []).map((credit) => resolveInside('', credit.asset)));
  const bare = assets.filter(
    ({ path, media_type: type }) =>
      /^(image|audio)\//.test(type) &&
      !credited.has(path) &&
      !pack.paths.has(`${path}.meta.json`) &&
      !pack.paths.has(path.replace(/\.[^./]+$/, '.meta.json')),
  );
  if (bare.length > 0)
    findings.push(
      warnAt(
        manifest,
        manifest.content.credits === undefined ? [] : ['credits'],
        'lint.missing-credit',
        `No credit for ${bare.length} of the pictures and sounds: ${bare
          .slice(0, 3)
          .map((asset) => asset.path)
          .join(', ')}${bare.length > 3 ? ', …' : ''}.`,
        'Add credits: who made it, under which licence.',
      ),
    );
  return findings;
}

/** Members that are kept and do nothing: their authors should know. */
function checkUnusedMembers(pack: LoadedPack): Finding[] {
  const unused = (file: LoadedFile, keys: readonly string[], why: string): Finding =>
    warnAt(
      file,
      keys,
      'lint.unused-field',
      `${keys.join('.')} has no effect: ${why}`,
      'Leave it out, or keep it for later.',
    );
  return [
    ...(pack.manifest?.content.requirements?.recommended_llm === undefined
      ? []
      : [unused(pack.manifest, ['requirements', 'recommended_llm'], 'the person who plays chooses the model.')]),
    ...pack.npcs.flatMap((npc) =>
      npc.content.voice === undefined ? [] : [unused(npc, ['voice'], 'voice is reserved.')],
    ),
    ...pack.scenarios.flatMap((scenario) => {
      const variables = variablesOf(scenario);
      const known =
        conditionsAreAuthored(scenario) && ['events', 'moves'].every((member) => isWhole(scenario, [member]));
      if (variables === null || !known) return [];
      const used = new Set<string>([
        ...conditionsOf(scenario).flatMap(({ value }) => ('variable' in value ? [value.variable] : [])),
        ...(scenario.content.moves ?? []).flatMap((move) => Object.keys(move.effect ?? {})),
        ...(scenario.content.events ?? []).flatMap((event) => Object.keys(event.effects ?? {})),
        ...Object.keys(BASELINE_VARIABLES),
      ]);
      // What the player sees is a bar that the model moves: only a hidden variable that nothing names does nothing.
      const shown = (name: string): boolean => {
        const variable = scenario.content.state?.variables?.[name];
        return typeof variable !== 'object' || variable.visibility !== 'hidden';
      };
      return variables
        .filter((variable) => !used.has(variable) && !shown(variable))
        .map((variable) => unused(scenario, ['state', 'variables', variable], 'no condition, move or event names it.'));
    }),
  ];
}

/** Every picture that a character or a scene names. */
const picturesOf = (pack: LoadedPack): string[] =>
  [
    ...pack.npcs.flatMap((npc) => [npc.content.portrait, ...Object.values(npc.content.portraits ?? {})]),
    ...pack.scenes.map((scene) => scene.content.background),
  ].flatMap((picture) => picture ?? []);

function checkUnusedFiles(pack: LoadedPack, assets: readonly Asset[]): Finding[] {
  const parts = pack.scenarios.map((scenario) => partsOf(pack, scenario));
  const used = new Set<LoadedFile | undefined>(parts.flatMap((one) => [one.npc, one.scene, one.rubric, one.policy]));
  const idle = [...pack.npcs, ...pack.scenes, ...pack.rubrics, ...pack.policies].filter((file) => !used.has(file));
  const named = new Set(picturesOf(pack).map((picture) => resolveInside('', picture)));
  const idleAssets = picturesAreKnown(pack)
    ? assets.filter((asset) => /^(image|audio)\//.test(asset.media_type) && !named.has(asset.path))
    : [];
  return [
    ...idle.map((file) =>
      finding({
        severity: 'warning',
        rule: 'lint.unused-file',
        file: file.path,
        message: 'No scenario uses this file.',
        hint: 'Name it in a scenario, or delete it.',
      }),
    ),
    ...idleAssets.map((asset) =>
      finding({
        severity: 'warning',
        rule: 'lint.unused-asset',
        file: asset.path,
        message: 'No character and no scene shows this file.',
        hint: 'Name it where it belongs, or delete it.',
      }),
    ),
  ];
}

/** Whether it is known which files the pack uses: every file could be read, and every ref leads to one. */
function usesAreKnown(pack: LoadedPack): boolean {
  const leads = (scenario: LoadedFile<'scenario'>): boolean => {
    const { npc, scene, rubric, policy } = partsOf(pack, scenario);
    const sceneLeads = scene !== undefined || scenario.content.scene === undefined;
    return npc !== undefined && rubric !== undefined && policy !== undefined && sceneLeads;
  };
  return (
    pack.complete &&
    pack.unparsed.length === 0 &&
    (pack.manifest === null || isWhole(pack.manifest, ['safety'])) &&
    pack.scenarios.every(
      (scenario) => leads(scenario) && ['npc', 'scene', 'rubric'].every((member) => isWhole(scenario, [member])),
    )
  );
}

/** Whether it is known which pictures the pack shows. */
const picturesAreKnown = (pack: LoadedPack): boolean =>
  [...pack.npcs, ...pack.scenes].every((file) =>
    ['portrait', 'portraits', 'background'].every((member) => isWhole(file, [member])),
  ) && picturesOf(pack).every((picture) => resolveInside('', picture) !== null);

/** What is missing or idle in a pack: alt texts, the licence, credits, members and files that nothing uses. */
export function checkCompleteness(pack: LoadedPack, assets: readonly Asset[]): Finding[] {
  return [
    ...checkAltTexts(pack),
    ...checkLicences(pack, assets),
    ...checkUnusedMembers(pack),
    ...(usesAreKnown(pack) ? checkUnusedFiles(pack, assets) : []),
  ];
}
