import type { ScenarioContent, Translated } from '@parley/shared/contracts';
import type { LoadedFile, LoadedPack } from '../import/validating/load-pack';
import { partsOf } from '../import/validating/references';
import { compileScenario } from './compile-scenario';
import { contentHash } from './content-hash';
import { translated } from './translate';

/** One scenario of a pack in all its languages, ready to be kept. */
export interface TranslatedScenario {
  readonly content: ScenarioContent;
  /** By language, without the pack's default language. */
  readonly translations: Readonly<Record<string, ScenarioContent>>;
  readonly content_hash: string;
}

/** What is played in a language: the translation, where there is one. */
export const contentIn = (
  { content, translations }: Pick<TranslatedScenario, 'content' | 'translations'>,
  language: string | undefined,
): ScenarioContent =>
  (language !== undefined && Object.hasOwn(translations, language) ? translations[language] : undefined) ?? content;

/** What a scenario comes to grows with each file that it shares with others, and with each language. */
export const MAX_COMPILED_BYTES = 32 * 1024 * 1024;

/** The language of a translation, by the name of its file. */
export const languageOf = (path: string): string => /(?<![^/])([^/]+)\.yaml$/.exec(path)?.[1] ?? '';

/** The languages of a pack: those that its manifest names (the first is the default; English when it names none). */
export function languagesOf(pack: LoadedPack): string[] {
  const named = pack.manifest?.content.supported_languages ?? [];
  return named.length === 0 ? ['en'] : [...new Set(named)];
}

/**
 * Makes all scenarios of a valid pack whole, in the order of the manifest's entry scenarios, the others after them. A
 * scenario whose references lead nowhere is left out: validation has said so.
 * @returns those until they came to more than a pack may, all languages counted; then `tooLarge`
 */
export function compilePack(pack: LoadedPack): { scenarios: TranslatedScenario[]; tooLarge: boolean } {
  const { manifest } = pack;
  if (manifest === null) return { scenarios: [], tooLarge: false };
  const languages = languagesOf(pack);
  const [defaultLanguage = 'en'] = languages;
  const entries = manifest.content.entry_scenarios ?? [];
  const rank = (file: LoadedFile): number => {
    const index = entries.indexOf(file.path);
    return index === -1 ? entries.length : index;
  };
  const ordered = [...pack.scenarios].sort((a, b) => rank(a) - rank(b));
  const textsOf = (language: string): Record<string, Record<string, Translated>> | undefined =>
    pack.translations.find((one) => languageOf(one.path) === language)?.content as
      Record<string, Record<string, Translated>> | undefined;
  const known = new Map<string, unknown>();
  /** A character or rubric is the same in all scenarios that share it: it is translated once. */
  const inLanguage = <F extends LoadedFile>(source: F, language: string): F['content'] => {
    const key = `${language}/${source.path}`;
    if (!known.has(key)) known.set(key, translated(source.content, textsOf(language)?.[source.path] ?? {}));
    return known.get(key) as F['content'];
  };
  const scenarios: TranslatedScenario[] = [];
  let bytes = 0;
  for (const file of ordered) {
    const { npc, scene, rubric, policy } = partsOf(pack, file);
    const sceneMissing = file.content.scene !== undefined && scene === undefined;
    if (npc === undefined || rubric === undefined || policy === undefined || sceneMissing) continue;
    const compileIn = (language: string): ScenarioContent => {
      const content = compileScenario({
        manifest: inLanguage(manifest, language),
        scenario: inLanguage(file, language),
        npc: inLanguage(npc, language),
        scene: scene === undefined ? null : inLanguage(scene, language),
        rubric: inLanguage(rubric, language),
        policy: inLanguage(policy, language),
        language,
        languages,
      });
      bytes += Buffer.byteLength(JSON.stringify(content));
      return content;
    };
    const content = compileIn(defaultLanguage);
    const translations: Record<string, ScenarioContent> = {};
    for (const language of languages) {
      if (bytes > MAX_COMPILED_BYTES) return { scenarios, tooLarge: true };
      if (language !== defaultLanguage && textsOf(language) !== undefined) translations[language] = compileIn(language);
    }
    scenarios.push({ content, translations, content_hash: contentHash({ content, translations }) });
  }
  return { scenarios, tooLarge: bytes > MAX_COMPILED_BYTES };
}
