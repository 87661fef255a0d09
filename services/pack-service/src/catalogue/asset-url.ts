import { PACK_ROUTES } from '@parley/shared/contracts';
import { pathOf } from '@parley/shared/client';
import type { PackRecord } from '../pack-records';
import type { AssetUrl } from './describe-scenario';

/** How much of a file's hash its address carries: enough that a changed file has another address. */
const HASH_LENGTH = 16;

export const assetVersion = (sha256: string): string => sha256.slice(0, HASH_LENGTH);

/** Addresses on the API of a pack's assets. They name the version of the file, so that they may be cached for ever. */
export function assetUrlOf(pack: PackRecord | undefined): AssetUrl {
  return (path) => {
    const asset = pack?.inventory.assets.find((one) => one.path === path);
    if (pack === undefined || asset === undefined) return null;
    const params = { pack_id: pack.pack_id, path: path.replace(/^assets\//, '') };
    return `${pathOf(PACK_ROUTES.getPackAsset, params)}?v=${assetVersion(asset.sha256)}`;
  };
}
