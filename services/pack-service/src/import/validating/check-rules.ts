import { VERSION, type ContentRating, type Finding } from '@parley/shared/contracts';
import type { z } from 'zod';
import { isReservedName, resolveInside } from './check-name';
import { checkTranslation } from './check-translation';
import { holdsControlCharacter } from './control-characters';
import { reportAt, strictIn02, type Keys } from './file-report';
import type { LoadedFile, LoadedPack } from './load-pack';
import { scanText } from './scan-text';
import { isAuthored, withoutFollowOns } from './slips';

const RATINGS: readonly z.infer<typeof ContentRating>[] = ['G', 'PG', 'PG-13'];
/** Of each severity, so that many warnings hide no error. */
const MAX_INJECTIONS = 50;

/** Tells every text of a value, with where it stands. */
function visitTexts(value: unknown, visit: (text: string, keys: Keys) => void, keys: Keys = []): void {
  if (typeof value === 'string') visit(value, keys);
  else if (Array.isArray(value)) value.forEach((item, index) => visitTexts(item, visit, [...keys, index]));
  else if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value)) visitTexts(item, visit, [...keys, key]);
}

/** What a text may not hold, whether anything uses it or not: a later version, or another program, may. */
function checkTexts(files: readonly LoadedFile[]): Finding[] {
  const findings: Finding[] = [];
  const told = { error: 0, warning: 0 };
  for (const file of files)
    visitTexts(file.content, (text, keys) => {
      if (holdsControlCharacter(text) && told.error++ < MAX_INJECTIONS)
        findings.push(
          reportAt(file, keys, {
            rule: 'yaml.control-character',
            message: 'This text holds a control character.',
            hint: 'Leave out what is written as \\x07 or the like.',
          }),
        );
      for (const { severity: worst, kind } of scanText(text)) {
        // A scripted player may well try it: that is what a playthrough is for.
        const severity = file.kind === 'tests' ? 'warning' : worst;
        if (told[severity]++ >= MAX_INJECTIONS) continue;
        findings.push(
          reportAt(file, keys, {
            severity,
            rule: 'text.prompt-injection',
            message: `This text ${kind}.`,
            hint: 'Say it in words that are about the scene, not about the model.',
          }),
        );
      }
    });
  return findings;
}

function checkUnique(file: LoadedFile, list: string, ids: readonly string[]): Finding[] {
  const lineOf = (index: number): number | null => file.document.placeOf([list, index, 'id']).line;
  return ids.flatMap((id, index) => {
    const first = ids.indexOf(id);
    if (first === index) return [];
    return [
      reportAt(file, [list, index, 'id'], {
        severity: strictIn02(file),
        rule: `schema.${file.kind}`,
        message: `The id ${id} is there twice: in line ${lineOf(first)} and in line ${lineOf(index)}.`,
        hint: 'Rename one of the two.',
      }),
    ];
  });
}

function checkVariables(scenario: LoadedFile<'scenario'>): Finding[] {
  return Object.entries(scenario.content.state?.variables ?? {}).flatMap(([name, variable]) => {
    if (typeof variable === 'number') return [];
    const { min = 0, max = 100, default: start } = variable;
    const keys: Keys = ['state', 'variables', name];
    if (min > max)
      return [
        reportAt(scenario, keys, { rule: 'schema.scenario', message: `min ${min} is above max ${max}.`, atKey: true }),
      ];
    if (start !== undefined && (start < min || start > max))
      return [
        reportAt(scenario, [...keys, 'default'], {
          rule: 'schema.scenario',
          message: `The start ${start} lies outside of ${min} to ${max}.`,
        }),
      ];
    return [];
  });
}

function checkScenario(pack: LoadedPack, scenario: LoadedFile<'scenario'>): Finding[] {
  const { content } = scenario;
  const findings = [
    ...checkVariables(scenario),
    ...checkUnique(
      scenario,
      'events',
      (content.events ?? []).map((event) => event.id),
    ),
    ...checkUnique(
      scenario,
      'moves',
      (content.moves ?? []).map((move) => move.id),
    ),
    ...checkUnique(
      scenario,
      'endings',
      (content.endings ?? []).map((ending) => ending.id),
    ),
  ];
  if (content.endings !== undefined && content.ending_conditions !== undefined)
    findings.push(
      reportAt(scenario, ['ending_conditions'], {
        rule: 'schema.scenario',
        message: 'endings and ending_conditions cannot stand beside each other.',
        hint: 'Keep endings.',
        atKey: true,
      }),
    );
  const same = pack.scenarios.find(
    (other) =>
      other.path < scenario.path &&
      other.content.scenario_id === content.scenario_id &&
      isAuthored(other, ['scenario_id']),
  );
  if (same !== undefined)
    findings.push(
      reportAt(scenario, ['scenario_id'], {
        rule: 'schema.scenario',
        message: `The scenario_id ${content.scenario_id} is there twice: here and in ${same.path}, line ${same.document.placeOf(['scenario_id']).line}.`,
        hint: 'Rename one of the two.',
      }),
    );
  return findings;
}

function newerThanThis(version: string): boolean {
  const wanted = version.split('.').map(Number);
  const here = VERSION.split('.').map(Number);
  for (let part = 0; part < 3; part += 1) {
    const difference = (wanted[part] ?? 0) - (here[part] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}

function checkManifest(pack: LoadedPack, manifest: LoadedFile<'manifest'>): Finding[] {
  const { content } = manifest;
  const findings: Finding[] = [];
  if (isReservedName(content.pack_id))
    findings.push(
      reportAt(manifest, ['pack_id'], {
        rule: 'schema.manifest',
        message: 'This name is reserved for a device on some systems.',
        hint: 'Choose another pack_id.',
      }),
    );
  const policy = pack.policies.find((one) => one.path === resolveInside('', content.safety.policy));
  const cap =
    policy !== undefined && isAuthored(policy, ['content_rating_cap']) ? policy.content.content_rating_cap : undefined;
  if (cap !== undefined && RATINGS.indexOf(content.content_rating) > RATINGS.indexOf(cap))
    findings.push(
      reportAt(manifest, ['content_rating'], {
        rule: 'rating.too-high',
        message: `The pack claims ${content.content_rating}, but its policy caps it at ${cap}.`,
        hint: 'Lower the rating, or raise content_rating_cap.',
      }),
    );
  visitTexts(content, (text, keys) => {
    if (/\b(?:https?|ftp):\/\//i.test(text))
      findings.push(
        reportAt(manifest, keys, {
          severity: 'warning',
          rule: 'asset.external-url',
          message: 'This text holds an address on the internet; it is never opened.',
          hint: null,
        }),
      );
  });
  const needed = content.requirements?.min_app_version;
  if (needed !== undefined && newerThanThis(needed))
    findings.push(
      reportAt(manifest, ['requirements', 'min_app_version'], {
        severity: 'warning',
        rule: 'lint.app-version',
        message: `The pack asks for version ${needed}; this is ${VERSION}.`,
        hint: 'Update Parley if something is missing in play.',
      }),
    );
  return findings;
}

/** The rules of the format that lie between members and files: ids, bounds, ratings, texts, translations. */
export function checkRules(pack: LoadedPack): Finding[] {
  const { manifest } = pack;
  const authored: readonly LoadedFile[] = [
    ...(manifest === null ? [] : [manifest]),
    ...pack.scenarios,
    ...pack.npcs,
    ...pack.rubrics,
    ...pack.policies,
    ...pack.scenes,
    ...pack.translations,
    ...pack.playthroughs,
  ];
  return withoutFollowOns(pack, [
    ...(manifest === null ? [] : checkManifest(pack, manifest)),
    ...pack.scenarios.flatMap((scenario) => checkScenario(pack, scenario)),
    ...pack.rubrics.flatMap((rubric) =>
      checkUnique(
        rubric,
        'dimensions',
        rubric.content.dimensions.map((dimension) => dimension.id),
        // In 0.1, too: whose score is whose nobody could say.
      ).map((one) => ({ ...one, severity: 'error' as const })),
    ),
    ...pack.translations.flatMap((file) => checkTranslation(pack, file)),
    ...checkTexts(authored),
  ]);
}
