import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { z } from 'zod';
import type { Finding, PACK_FILE_SCHEMAS, PackFileKind } from '@parley/shared/contracts';
import { roleOf } from './file-kinds';
import { finding } from './finding';
import { parseYaml, YAML_MAX_BYTES, type YamlDocument } from './parse-yaml';
import type { PackTree } from './read-tree';
import { matchSchema } from './schema-findings';

/** A YAML file of a pack that could be read: whole, or with stand-ins for what does not match its schema. */
export interface LoadedFile<K extends PackFileKind = PackFileKind> {
  readonly path: string;
  readonly kind: K;
  readonly document: YamlDocument;
  readonly content: z.infer<(typeof PACK_FILE_SCHEMAS)[K]>;
  /** Where the content is not the author's: each has its finding already, and nothing follows from what stands there. */
  readonly slips: readonly (readonly PropertyKey[])[];
}

/** A YAML file of which nothing but its name, and at most some texts of its top level, is known. */
interface UnparsedFile {
  readonly path: string;
  readonly kind: PackFileKind;
  readonly legible: Readonly<Record<string, string>>;
}

/** The YAML files of a pack by kind. What is wrong in them has its findings. */
export interface LoadedPack {
  readonly manifest: LoadedFile<'manifest'> | null;
  readonly scenarios: readonly LoadedFile<'scenario'>[];
  readonly npcs: readonly LoadedFile<'npc'>[];
  readonly rubrics: readonly LoadedFile<'rubric'>[];
  readonly policies: readonly LoadedFile<'safety'>[];
  readonly scenes: readonly LoadedFile<'scene'>[];
  readonly playthroughs: readonly LoadedFile<'tests'>[];
  readonly translations: readonly LoadedFile<'i18n'>[];
  /** YAML files that could not be read; more than these when `complete` is false. */
  readonly unparsed: readonly UnparsedFile[];
  /** Whether every YAML file was looked at. */
  readonly complete: boolean;
  /** Every path in the pack, YAML that could not be read included. */
  readonly paths: ReadonlySet<string>;
}

/** All YAML of a pack together: far more than any pack has, far less than would fill the memory. */
const MAX_YAML_BYTES = 16 * 1024 * 1024;

/** Files between two pauses: whoever watches must hear of it, and be able to end it. */
const PAUSE_AFTER = 20;

/** Parses the YAML files of a pack and holds each against the schema of its kind. */
export async function loadPack(
  tree: PackTree,
  progress: (done: number) => void = () => undefined,
): Promise<{ pack: LoadedPack; findings: Finding[] }> {
  const findings: Finding[] = [];
  const loaded: LoadedFile[] = [];
  const unparsed: UnparsedFile[] = [];
  let complete = true;
  let total = 0;
  for (const [index, file] of tree.files.entries()) {
    const role = roleOf(file.path);
    if (index % PAUSE_AFTER === 0) {
      progress(index);
      await setImmediate();
    }
    if (role.role !== 'yaml') continue;
    total += file.size;
    if (total > MAX_YAML_BYTES) {
      complete = false;
      const message = `The YAML files are larger than ${MAX_YAML_BYTES / 1024 / 1024} MB together.`;
      findings.push(finding({ rule: 'yaml.too-large', file: '', message, hint: 'Make several packs of it.' }));
      break;
    }
    // The size is known: a file that is too large is never read.
    const bytes =
      file.size > YAML_MAX_BYTES ? Buffer.alloc(YAML_MAX_BYTES + 1) : readFileSync(path.join(tree.root, file.path));
    const parsed = parseYaml(file.path, bytes);
    findings.push(...parsed.findings);
    const { kind } = role;
    if (parsed.readable === null) {
      unparsed.push({ path: file.path, kind, legible: parsed.legible });
      continue;
    }
    const { readable, findings: found } = matchSchema(parsed.readable, kind);
    findings.push(...found);
    if (readable === null) unparsed.push({ path: file.path, kind, legible: {} });
    else loaded.push({ path: file.path, kind, document: parsed.readable, ...readable });
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
      unparsed,
      complete,
      paths,
    },
  };
}
