import type { Finding } from '@parley/shared/contracts';
import { languageOf, languagesOf } from '../../catalogue/compile-pack';
import { parseMemberPath } from '../../catalogue/member-path';
import { translationProblem, type TranslationProblem } from '../../catalogue/translate';
import { checkName } from './check-references';
import { reportAt } from './file-report';
import { finding } from './finding';
import type { LoadedFile, LoadedPack } from './load-pack';
import { isAuthored, isWhole } from './slips';

/** The names that a member path begins with, up to its first list: goals, hidden of goals.hidden[0]. */
function namesOf(path: string): string[] {
  const steps = parseMemberPath(path) ?? [];
  const list = steps.findIndex((step) => step.kind !== 'member');
  return steps
    .slice(0, list === -1 ? steps.length : list)
    .flatMap((step) => (step.kind === 'member' ? [step.name] : []));
}

const PATHS = 'Write paths as in opening.npc_says, goals.hidden[0] or moves[id=x].signs.';

function whyUnused(problem: TranslationProblem, path: string, member: string): { message: string; hint: string } {
  switch (problem) {
    case 'no-path':
    case 'not-there':
      return { message: `${path} has no member ${member}.`, hint: PATHS };
    case 'not-text':
      return { message: `${member} of ${path} is no text to translate.`, hint: PATHS };
    case 'text':
      return { message: `${member} of ${path} is one text.`, hint: 'Write one text, no list.' };
    case 'texts':
      return {
        message: `${member} of ${path} is a list of texts.`,
        hint: 'Write the whole list, or name one item: [0].',
      };
    case 'signs':
      return { message: `${member} of ${path} is a list of signs.`, hint: 'Write signs: [{says: [danke]}].' };
  }
}

/**
 * What a translation names: its language, files and members, and that each is what stands there.
 */
export function checkTranslation(pack: LoadedPack, file: LoadedFile<'i18n'>): Finding[] {
  const findings: Finding[] = [];
  const language = languageOf(file.path);
  if (!/^[a-z]{2,3}$/.test(language))
    findings.push(
      finding({
        rule: 'schema.i18n',
        file: file.path,
        message: 'The name of the file must be a language, for example de.yaml.',
      }),
    );
  else if (pack.manifest !== null && isWhole(pack.manifest, ['supported_languages']))
    findings.push(...checkName(file, [], 'language in supported_languages:', language, languagesOf(pack)));
  const sources: readonly LoadedFile[] = [
    ...(pack.manifest === null ? [] : [pack.manifest]),
    ...pack.scenarios,
    ...pack.npcs,
    ...pack.rubrics,
    ...pack.policies,
    ...pack.scenes,
  ];
  for (const [path, texts] of Object.entries(file.content)) {
    if (typeof texts === 'string') continue;
    const source = sources.find((one) => one.path === path);
    if (source === undefined) {
      if (!pack.paths.has(path))
        findings.push(
          ...checkName(
            file,
            [path],
            'file',
            path,
            sources.map((one) => one.path),
            true,
          ),
        );
      continue;
    }
    for (const [member, translation] of Object.entries(texts)) {
      const problem = translationProblem(source.content, member, translation);
      // What is not the author's, here or in the original, has its finding already.
      if (!isAuthored(source, namesOf(member)) || !isWhole(file, [path, member])) continue;
      if (problem !== null)
        findings.push(
          reportAt(file, [path, member], {
            rule: problem === 'not-there' || problem === 'no-path' ? 'ref.unknown' : 'schema.i18n',
            ...whyUnused(problem, path, member),
            atKey: true,
          }),
        );
    }
  }
  return findings;
}
