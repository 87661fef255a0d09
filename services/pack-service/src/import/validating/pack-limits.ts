import type { Finding } from '@parley/shared/contracts';
import { languagesOf, MAX_COMPILED_BYTES } from '../../catalogue/compile-pack';
import { roleOf } from './file-kinds';
import { finding } from './finding';
import type { LoadedPack } from './load-pack';
import type { PackTree } from './read-tree';

const MAX_SCENARIOS = 200;
const MAX_LANGUAGES = 30;
/** Every scenario is put together, checked and kept in every language. */
const MAX_IN_ALL_LANGUAGES = 600;

const tooMany = (message: string, hint: string): Finding =>
  finding({ rule: 'pack.too-large', file: '', message, hint });
const HINT = 'Make several packs of it.';

/** Looks at the names of files alone: what is too much is not even read. */
export function checkFileCounts({ files }: PackTree): Finding[] {
  const count = (kind: string): number =>
    files.filter((file) => {
      const role = roleOf(file.path);
      return role.role === 'yaml' && role.kind === kind;
    }).length;
  const [scenarios, languages] = [count('scenario'), count('i18n')];
  return [
    ...(scenarios <= MAX_SCENARIOS
      ? []
      : [tooMany(`The pack has ${scenarios} scenarios; a pack may have ${MAX_SCENARIOS}.`, HINT)]),
    ...(languages <= MAX_LANGUAGES
      ? []
      : [tooMany(`The pack has ${languages} translations; a pack may have ${MAX_LANGUAGES} languages.`, HINT)]),
  ];
}

/** Looks at what the manifest says of languages, before anything is put together in each of them. */
export function checkLanguageCounts(pack: LoadedPack): Finding[] {
  const languages = languagesOf(pack).length;
  const scenarios = pack.scenarios.length;
  if (languages > MAX_LANGUAGES)
    return [tooMany(`The pack names ${languages} languages; a pack may have ${MAX_LANGUAGES}.`, HINT)];
  if (scenarios * languages <= MAX_IN_ALL_LANGUAGES) return [];
  return [
    tooMany(
      `The pack has ${scenarios} scenarios in ${languages} languages, ${scenarios * languages} in all; a pack may have ${MAX_IN_ALL_LANGUAGES}.`,
      'Take out languages, or make several packs of it.',
    ),
  ];
}

export const compiledTooLarge = (): Finding =>
  tooMany(
    `The scenarios come to more than ${MAX_COMPILED_BYTES / 1024 / 1024} MB when each is put together with its character, scene and rubric in every language.`,
    'Shorten the texts that many scenarios share, take out languages, or make several packs of it.',
  );
