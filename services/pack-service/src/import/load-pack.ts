import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { z } from 'zod';
import type { Finding, PACK_FILE_SCHEMAS, PackFileKind } from '@parley/shared/contracts';
import { roleOf } from './file-kinds';
import { finding } from './finding';
import { parseYaml, YAML_MAX_BYTES, type YamlDocument } from './parse-yaml';
import type { PackTree } from './read-tree';
import { matchSchema } from './schema-findings';

/** A YAML file of a pack that matches its schema. */
export interface LoadedFile<K extends PackFileKind = PackFileKind> {
  readonly path: string;
  readonly kind: K;
  readonly document: YamlDocument;
  readonly content: z.infer<(typeof PACK_FILE_SCHEMAS)[K]>;
}

/** The YAML files of a pack by kind. Files that do not match are absent here and have their findings. */
export interface LoadedPack {
  readonly manifest: LoadedFile<'manifest'> | null;
  readonly scenarios: readonly LoadedFile<'scenario'>[];
  readonly npcs: readonly LoadedFile<'npc'>[];
  readonly rubrics: readonly LoadedFile<'rubric'>[];
  readonly policies: readonly LoadedFile<'safety'>[];
  readonly scenes: readonly LoadedFile<'scene'>[];
  readonly playthroughs: readonly LoadedFile<'tests'>[];
  readonly translations: readonly LoadedFile<'i18n'>[];
  /** How many YAML files did not parse or do not match. */
  readonly unreadable: number;
  /** Every path in the pack, YAML that does not match included. */
  readonly paths: ReadonlySet<string>;
}

/** All YAML of a pack together: far more than any pack has, far less than would fill the memory. */
const MAX_YAML_BYTES = 16 * 1024 * 1024;

/** Parses the YAML files of a pack and holds each against the schema of its kind. */
export async function loadPack(tree: PackTree): Promise<{ pack: LoadedPack; findings: Finding[] }> {
  const findings: Finding[] = [];
  const loaded: LoadedFile[] = [];
  let unreadable = 0;
  let total = 0;
  for (const file of tree.files) {
    const role = roleOf(file.path);
    if (role.role !== 'yaml') continue;
    total += file.size;
    if (total > MAX_YAML_BYTES) {
      unreadable += 1;
      const message = `The YAML files are larger than ${MAX_YAML_BYTES / 1024 / 1024} MB together.`;
      findings.push(finding({ rule: 'yaml.too-large', file: '', message, hint: 'Make several packs of it.' }));
      break;
    }
    // The size is known: a file that is too large is never read.
    const bytes =
      file.size > YAML_MAX_BYTES ? Buffer.alloc(YAML_MAX_BYTES + 1) : await readFile(path.join(tree.root, file.path));
    const parsed = parseYaml(file.path, bytes);
    findings.push(...parsed.findings);
    if (parsed.document === null) {
      unreadable += 1;
      continue;
    }
    const matched = matchSchema(parsed.document, role.kind);
    findings.push(...matched.findings);
    if (matched.content === null) unreadable += 1;
    else loaded.push({ path: file.path, kind: role.kind, document: parsed.document, content: matched.content });
  }
  const paths = new Set(tree.files.map((file) => file.path));
  if (!paths.has('manifest.yaml'))
    findings.push(
      finding({
        rule: 'schema.manifest',
        file: 'manifest.yaml',
        message: 'The pack has no manifest.yaml at its root.',
        hint: 'Add one; the folder that holds it is the pack.',
      }),
    );
  const ofKind = <K extends PackFileKind>(kind: K): LoadedFile<K>[] =>
    loaded.filter((one): one is LoadedFile<K> => one.kind === kind);
  return {
    findings,
    pack: {
      manifest: ofKind('manifest')[0] ?? null,
      scenarios: ofKind('scenario'),
      npcs: ofKind('npc'),
      rubrics: ofKind('rubric'),
      policies: ofKind('safety'),
      scenes: ofKind('scene'),
      playthroughs: ofKind('tests'),
      translations: ofKind('i18n'),
      unreadable,
      paths,
    },
  };
}
