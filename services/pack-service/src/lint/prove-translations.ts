import type { Finding } from '@parley/shared/contracts';
import { languageOf, languagesOf, type TranslatedScenario } from '../catalogue/compile-pack';
import { keysOfMember, translatableMembers } from '../catalogue/translate';
import { reportAt, type Keys } from '../import/validating/file-report';
import type { LoadedFile, LoadedPack } from '../import/validating/load-pack';
import { isWhole } from '../import/validating/slips';
import { checkExemplars } from './prove-judging';

type Translation = LoadedFile<'i18n'>;

/** More are counted, not named. */
const MOST_NAMED = 4;

const begins = (keys: Keys, outer: Keys): boolean => outer.every((key, index) => keys[index] === key);

/** What a translation says of a file: the member as it writes it, and where it leads in the original. */
function translationsOf(file: Translation, source: LoadedFile): { readonly path: string; readonly keys: Keys }[] {
  const texts = file.content[source.path];
  if (texts === undefined || typeof texts === 'string') return [];
  return Object.keys(texts).flatMap((path) => {
    const keys = keysOfMember(source.content, path);
    return keys === null ? [] : [{ path, keys }];
  });
}

/** A member that is the same in every language: the name of a person, where a book was published. */
const isTheSameEverywhere = (source: LoadedFile, keys: Keys): boolean =>
  keys.includes('sources') || (source.kind === 'npc' && keys[0] === 'display_name');

/** Texts that a session in this language would show, or look for, in another one. */
export function checkUntranslated(pack: LoadedPack, file: Translation): Finding[] {
  const { manifest, scenarios, npcs, rubrics, policies, scenes } = pack;
  // A translation into a language that the manifest does not have has its finding already.
  const isOffered =
    manifest !== null &&
    isWhole(manifest, ['supported_languages']) &&
    languagesOf(pack).includes(languageOf(file.path));
  if (!isOffered) return [];
  const sources: readonly LoadedFile[] = [manifest, ...scenarios, ...npcs, ...rubrics, ...policies, ...scenes];
  return sources.flatMap((source) => {
    const told = translationsOf(file, source);
    const missing = translatableMembers(source.content).filter(
      ({ keys }) => !isTheSameEverywhere(source, keys) && !told.some((one) => begins(keys, one.keys)),
    );
    if (missing.length === 0) return [];
    const named = missing.slice(0, MOST_NAMED).map(({ path }) => path);
    const more = missing.length > MOST_NAMED ? ` and ${missing.length - MOST_NAMED} more` : '';
    return [
      reportAt(file, told.length > 0 ? [source.path] : [], {
        severity: 'warning',
        rule: 'lint.untranslated',
        message: `${source.path} is not wholly translated: ${named.join(', ')}${more}.`,
        hint: 'Translate them, or a session in this language mixes two.',
        atKey: told.length > 0,
      }),
    ];
  });
}

/** That the lines which a translation offers as examples make their moves in its language. */
export function proveTranslations(
  pack: LoadedPack,
  scenario: LoadedFile<'scenario'>,
  { translations }: TranslatedScenario,
): Finding[] {
  return Object.entries(translations).flatMap(([language, content]) => {
    const file = pack.translations.find((one) => languageOf(one.path) === language);
    if (file === undefined) return [];
    const told = translationsOf(file, scenario);
    return checkExemplars(content, (keys, input) => {
      const own = told.find((one) => begins(keys, one.keys));
      if (own === undefined) return reportAt(scenario, keys, input);
      return reportAt(file, [scenario.path, own.path, ...keys.slice(own.keys.length)], input);
    });
  });
}
