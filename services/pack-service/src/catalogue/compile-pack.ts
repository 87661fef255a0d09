import type { ScenarioContent } from '@parley/shared/contracts';
import type { LoadedFile, LoadedPack } from '../import/load-pack';
import { partsOf } from '../import/references';
import { compileScenario } from './compile-scenario';
import { contentHash } from './content-hash';
import { translated } from './translate';

/** One scenario of a pack in all its languages, ready to be kept. */
export interface CompiledScenario {
  readonly content: ScenarioContent;
  /** By language, without the pack's default language. */
  readonly translations: Readonly<Record<string, ScenarioContent>>;
  readonly content_hash: string;
}

const languageOf = (path: string): string => /([^/]+)\.yaml$/.exec(path)?.[1] ?? '';

/** The languages of a pack: those that its manifest names (the first is the default; English when it names none). */
export function languagesOf(pack: LoadedPack): string[] {
  const named = pack.manifest?.content.supported_languages ?? [];
  return named.length === 0 ? ['en'] : [...new Set(named)];
}

/**
 * Makes all scenarios of a valid pack whole, in the order of the manifest's entry scenarios, the others after them. A
 * scenario whose references lead nowhere is left out: validation has said so.
 */
export function compilePack(pack: LoadedPack): CompiledScenario[] {
  const { manifest } = pack;
  if (manifest === null) return [];
  const languages = languagesOf(pack);
  const [defaultLanguage = 'en'] = languages;
  const entries = manifest.content.entry_scenarios;
  const rank = (file: LoadedFile): number => {
    const index = entries.indexOf(file.path);
    return index === -1 ? entries.length : index;
  };
  const ordered = [...pack.scenarios].sort((a, b) => rank(a) - rank(b));
  return ordered.flatMap((file): CompiledScenario[] => {
    const { npc, scene, rubric, policy } = partsOf(pack, file);
    const sceneMissing = file.content.scene !== undefined && scene === undefined;
    if (npc === undefined || rubric === undefined || policy === undefined || sceneMissing) return [];
    const compileIn = (language: string): ScenarioContent => {
      const texts = pack.translations.find((one) => languageOf(one.path) === language)?.content as
        Record<string, Record<string, string>> | undefined;
      const inLanguage = <F extends LoadedFile>(source: F): F['content'] =>
        translated(source.content, texts?.[source.path] ?? {});
      return compileScenario({
        manifest: inLanguage(manifest),
        scenario: inLanguage(file),
        npc: inLanguage(npc),
        scene: scene === undefined ? null : inLanguage(scene),
        rubric: inLanguage(rubric),
        policy: inLanguage(policy),
        language,
        languages,
      });
    };
    const content = compileIn(defaultLanguage);
    const translations = Object.fromEntries(
      languages
        .filter(
          (language) =>
            language !== defaultLanguage && pack.translations.some((one) => languageOf(one.path) === language),
        )
        .map((language) => [language, compileIn(language)]),
    );
    return [{ content, translations, content_hash: contentHash({ content, translations }) }];
  });
}
