import { existsSync } from 'node:fs';
import path from 'node:path';
import { packFromForm } from '../authoring/pack-from-form';
import { writePackFiles } from '../authoring/write-pack';
import type { CommandOutput } from './command-output';
import { packAnswers, type GivenAnswers, type Terminal } from './pack-answers';
import { UsageError } from './usage-error';

/** The JSON schema of each kind of file, by its folder; `manifest.yaml` lies at the root. */
const SCHEMAS: Readonly<Record<string, string>> = {
  '.': 'manifest-file',
  scenarios: 'scenario-file',
  npcs: 'npc-file',
  rubrics: 'rubric-file',
  safety: 'safety-file',
  scenes: 'scene-file',
  i18n: 'translation-file',
  tests: 'playthrough-file',
};
/** From the compiled program or its source: services/pack-service/{dist,src}/cli. */
const SCHEMA_FOLDER = path.resolve(__dirname, '../../../../schemas');

/** The line by which an editor with a YAML language server knows the members of a file. */
function withModeline(folder: string, name: string, text: string): string {
  const schema = SCHEMAS[path.posix.dirname(name)];
  if (schema === undefined || !name.endsWith('.yaml')) return text;
  const from = path.dirname(path.join(folder, name));
  const to = path
    .relative(from, path.join(SCHEMA_FOLDER, `${schema}.json`))
    .split(path.sep)
    .join('/');
  return `# yaml-language-server: $schema=${to}\n${text}`;
}

/**
 * Writes a new pack and says what to do next.
 * @param given where it goes; a folder named after the talk, in the current one, when left out. Made when it is not there.
 * @throws UsageError when the folder is there already, or an answer is missing.
 */
export async function newPack(
  given: string | undefined,
  answers: GivenAnswers,
  output: CommandOutput,
  terminal: Terminal | null,
): Promise<void> {
  const form = await packAnswers(answers, terminal);
  const made = packFromForm(form);
  const shown = given ?? made.pack_id.split('.').at(-1) ?? 'pack';
  const folder = path.resolve(shown);
  if (existsSync(folder)) throw new UsageError(`${shown} is there already: name another folder.`);
  const files = new Map([...made.files].map(([name, text]) => [name, withModeline(folder, name, text)]));
  await writePackFiles(folder, { files });
  output.stdout(`${shown}\n`);
  output.stderr(
    [
      `${made.pack_id} lies in ${shown}: ${files.size} files.`,
      'Next:',
      `  npm run packs -- lint ${shown}          is it right?`,
      `  npm run packs -- test ${shown} --demo   how does it sound?`,
      `  npm run packs -- install ${shown}       play it in the browser`,
      `  npm run packs -- dev ${shown}           the same, again whenever you save`,
      'docs/authoring.md goes on from here.\n',
    ].join('\n'),
  );
}
