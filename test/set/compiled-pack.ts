import path from 'node:path';
import type { ScenarioContent } from '@parley/shared/contracts';
import { PROJECT_ROOT } from './managed-process';
import type * as validation from '../../services/pack-service/src/import/validating/validate-pack';

/** Of pack-service as it was built: the benches run compiled, where its sources cannot be imported. */
const VALIDATE_PACK = path.join(
  PROJECT_ROOT,
  'services',
  'pack-service',
  'dist',
  'import',
  'validating',
  'validate-pack.js',
);

/** The one scenario of a pack's folder in a language of the pack, made whole as pack-service does. @throws Error with the findings when it is not valid */
export async function compiledPack(folder: string, language?: string): Promise<ScenarioContent> {
  const { validatePack } = (await import(VALIDATE_PACK)) as typeof validation;
  const { scenarios, findings } = await validatePack(folder);
  const [scenario] = scenarios;
  if (scenario === undefined)
    throw new Error(findings.map(({ file, line, message }) => `${file}:${line}: ${message}`).join('\n'));
  if (language === undefined || language === scenario.content.language) return scenario.content;
  const translation = scenario.translations[language];
  if (translation === undefined) throw new Error(`${folder} has no translation into ${language}`);
  return translation;
}
