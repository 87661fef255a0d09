import type { Finding } from '@parley/shared/contracts';
import type { PackRecord } from '../../pack-records';
import type { PackFacts } from './checked-pack';

/** The row of a valid pack. */
export function packRecordOf(
  { manifest, inventory, content_hash }: PackFacts,
  findings: readonly Finding[],
  place: { readonly builtIn: boolean; readonly folder: string; readonly installedAt: string },
): PackRecord {
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
    content_hash,
    manifest,
    findings,
    inventory,
  };
}
