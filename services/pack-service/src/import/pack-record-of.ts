import type { Finding } from '@parley/shared/contracts';
import type { PackRecord } from '../pack-records';
import type { Validation } from './validate-pack';

/** The row of a valid pack. */
export function packRecordOf(
  validation: Validation,
  findings: readonly Finding[],
  place: { readonly builtIn: boolean; readonly folder: string; readonly installedAt: string },
): PackRecord {
  const { pack, assets } = validation;
  const manifest = pack.manifest?.content;
  if (manifest === undefined) throw new Error('a pack without manifest is never valid');
  return {
    pack_id: manifest.pack_id,
    name: manifest.name,
    version: manifest.version,
    author: manifest.author,
    license: manifest.license,
    description: manifest.description,
    content_rating: manifest.content_rating,
    built_in: place.builtIn,
    installed_at: place.installedAt,
    folder: place.folder,
    content_hash: validation.content_hash,
    manifest,
    findings,
    inventory: {
      npcs: pack.npcs.map(({ content }) => ({ id: content.npc_id, name: content.display_name })),
      rubrics: pack.rubrics.map(({ content }) => ({ id: content.rubric_id, title: content.title })),
      policies: pack.policies.map(({ content }) => ({
        id: content.policy_id,
        description: content.description ?? null,
      })),
      scenes: pack.scenes.map(({ content }) => ({ id: content.scene_id, name: content.display_name })),
      assets,
    },
  };
}
