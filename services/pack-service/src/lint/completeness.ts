import type { Finding } from '@parley/shared/contracts';
import { resolveInside } from '../import/check-name';
import { conditionsOf, variablesOf } from '../import/check-names';
import { reportAt } from '../import/file-report';
import { finding } from '../import/finding';
import type { Asset } from '../import/inspect-files';
import type { LoadedFile, LoadedPack } from '../import/load-pack';
import { partsOf } from '../import/references';
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
    if (version !== '0.2') return [];
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
    scene.content.schema_version === '0.2' && scene.content.background !== undefined && scene.content.alt === undefined
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
  if (manifest === null || manifest.content.schema_version !== '0.2') return findings;
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
      const used = new Set<string>([
        ...conditionsOf(scenario).flatMap(({ value }) => ('variable' in value ? [value.variable] : [])),
        ...(scenario.content.moves ?? []).flatMap((move) => Object.keys(move.effect ?? {})),
        ...(scenario.content.events ?? []).flatMap((event) => Object.keys(event.effects ?? {})),
        ...Object.keys(BASELINE_VARIABLES),
      ]);
      return [...variablesOf(scenario)]
        .filter((variable) => !used.has(variable))
        .map((variable) => unused(scenario, ['state', 'variables', variable], 'no condition, move or event names it.'));
    }),
  ];
}

function checkUnusedFiles(pack: LoadedPack, assets: readonly Asset[]): Finding[] {
  const parts = pack.scenarios.map((scenario) => partsOf(pack, scenario));
  const used = new Set<LoadedFile | undefined>(parts.flatMap((one) => [one.npc, one.scene, one.rubric, one.policy]));
  const idle = [...pack.npcs, ...pack.scenes, ...pack.rubrics, ...pack.policies].filter((file) => !used.has(file));
  const named = new Set(
    [
      ...pack.npcs.flatMap((npc) => [npc.content.portrait, ...Object.values(npc.content.portraits ?? {})]),
      ...pack.scenes.map((scene) => scene.content.background),
    ].flatMap((path) => (path === undefined ? [] : [resolveInside('', path)])),
  );
  const idleAssets = assets.filter((asset) => /^(image|audio)\//.test(asset.media_type) && !named.has(asset.path));
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

/** What is missing or idle in a pack: alt texts, the licence, credits, members and files that nothing uses. */
export function checkCompleteness(pack: LoadedPack, assets: readonly Asset[]): Finding[] {
  return [
    ...checkAltTexts(pack),
    ...checkLicences(pack, assets),
    ...checkUnusedMembers(pack),
    // While a scenario cannot be read, nobody knows what it uses.
    ...(pack.unreadable === 0 ? checkUnusedFiles(pack, assets) : []),
  ];
}
