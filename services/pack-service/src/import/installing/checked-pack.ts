import { closeSync, openSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Finding, ManifestFile } from '@parley/shared/contracts';
import type { PackInventory, StorableScenario } from '../../pack-records';
import { boundedFindings, hasErrors, inFileOrder } from '../validating/finding';
import { isAuthored } from '../validating/slips';
import type { Validation } from '../validating/validate-pack';

/** What a valid pack is, as far as the catalogue wants to know. */
export interface PackFacts {
  readonly manifest: ManifestFile;
  readonly inventory: PackInventory;
  readonly content_hash: string;
}

/** What the check of a pack leaves: plain data that one process hands to another. */
export interface CheckedPack {
  readonly valid: boolean;
  /** What the manifest says, if it could be read. */
  readonly pack_id: string | null;
  /** In the order of files and lines; at most as many as a person can read. */
  readonly findings: readonly Finding[];
  /** null when the pack is not valid. */
  readonly facts: PackFacts | null;
  /** Empty when the pack is not valid. */
  readonly scenarios: readonly StorableScenario[];
}

/** Twice what scenarios may come to, for everything around them. */
const MAX_RESULT_BYTES = 64 * 1024 * 1024;

function inventoryOf({ pack, assets }: Validation): PackInventory {
  return {
    npcs: pack.npcs.map(({ content }) => ({ id: content.npc_id, name: content.display_name })),
    rubrics: pack.rubrics.map(({ content }) => ({ id: content.rubric_id, title: content.title })),
    policies: pack.policies.map(({ content }) => ({ id: content.policy_id, description: content.description ?? null })),
    scenes: pack.scenes.map(({ content }) => ({ id: content.scene_id, name: content.display_name })),
    assets,
  };
}

/** The id that the author wrote; null when it could not be read and something stands in its place. */
const idOf = ({ pack: { manifest } }: Validation): string | null =>
  manifest !== null && isAuthored(manifest, ['pack_id']) ? manifest.content.pack_id : null;

/** @param opening what was found before there were files to look at. */
export function checkedPackOf(validation: Validation, opening: readonly Finding[] = []): CheckedPack {
  const findings = inFileOrder([...opening, ...validation.findings]);
  const manifest = validation.pack.manifest?.content ?? null;
  const valid = validation.valid && !hasErrors(findings) && manifest !== null;
  return {
    valid,
    pack_id: idOf(validation),
    findings: boundedFindings(findings),
    facts: valid ? { manifest, inventory: inventoryOf(validation), content_hash: validation.content_hash } : null,
    scenarios: valid
      ? validation.scenarios.map(({ content, translations, content_hash }) => ({
          id: content.id,
          title: content.title,
          content_hash,
          stored: JSON.stringify({ content, translations }),
        }))
      : [],
  };
}

/** A pack of which nothing but these findings is known. */
export const unreadablePack = (findings: readonly Finding[]): CheckedPack => ({
  valid: false,
  pack_id: null,
  findings: boundedFindings(inFileOrder(findings)),
  facts: null,
  scenarios: [],
});

/** Writes it line by line: what is known of the pack, then for each scenario what is known of it, and its content. */
export function writeCheckedPack(file: string, { scenarios, ...pack }: CheckedPack): void {
  const descriptor = openSync(file, 'wx', 0o600);
  try {
    const line = (text: string): void => {
      const bytes = Buffer.from(`${text}\n`);
      for (let done = 0; done < bytes.length;) done += writeSync(descriptor, bytes, done);
    };
    line(JSON.stringify(pack));
    for (const { stored, ...scenario } of scenarios) {
      line(JSON.stringify(scenario));
      line(stored);
    }
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Reads what the process of its own wrote. The contents of scenarios stay text: nobody here has to understand them.
 * @returns null when there is more than there can be
 */
export async function readCheckedPack(file: string): Promise<CheckedPack | null> {
  const handle = await open(file, 'r');
  let bytes: Buffer;
  try {
    if ((await handle.stat()).size > MAX_RESULT_BYTES) return null;
    bytes = await handle.readFile();
  } finally {
    await handle.close();
  }
  const lines: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf('\n', at);
    lines.push(bytes.toString('utf8', at, end));
    at = end + 1;
  }
  const [head = '{}', ...rest] = lines;
  const scenarios: StorableScenario[] = [];
  for (let at = 0; at + 1 < rest.length; at += 2)
    scenarios.push({ ...(JSON.parse(rest[at] ?? '') as Omit<StorableScenario, 'stored'>), stored: rest[at + 1] ?? '' });
  return { ...(JSON.parse(head) as Omit<CheckedPack, 'scenarios'>), scenarios };
}
