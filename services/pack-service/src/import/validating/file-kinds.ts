import type { PackFileKind } from '@parley/shared/contracts';
import { ASSET_TYPES } from './sniff-type';

/** Extensions that no file of a pack may have (docs/interface.md, Import rules, 1). */
const FORBIDDEN_EXTENSIONS = [
  'exe', 'bat', 'cmd', 'sh', 'ps1', 'py', 'js', 'ts', 'jar', 'so', 'dll', 'dylib', 'wasm',
] as const; // prettier-ignore

const FOLDERS: Readonly<Record<string, PackFileKind>> = {
  scenarios: 'scenario',
  npcs: 'npc',
  rubrics: 'rubric',
  safety: 'safety',
  scenes: 'scene',
  tests: 'tests',
  i18n: 'i18n',
};

export type FileRole =
  | { readonly role: 'yaml'; readonly kind: PackFileKind }
  | { readonly role: 'asset'; readonly mediaType: string }
  | { readonly role: 'asset-metadata' }
  | { readonly role: 'document' }
  | { readonly role: 'forbidden'; readonly extension: string }
  | { readonly role: 'unexpected'; readonly hint: string };

const extensionOf = (name: string): string => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';

/** What a file is for, by its path alone. */
export function roleOf(path: string): FileRole {
  const parts = path.split('/');
  const name = parts.at(-1) ?? '';
  const extension = extensionOf(name);
  const unexpected = (hint: string): FileRole => ({ role: 'unexpected', hint });
  if ((FORBIDDEN_EXTENSIONS as readonly string[]).includes(extension)) return { role: 'forbidden', extension };
  if (parts.some((part) => part.startsWith('.')))
    return unexpected('Names that begin with a dot have no place in a pack.');
  if (parts.length === 1) {
    if (name === 'manifest.yaml') return { role: 'yaml', kind: 'manifest' };
    if (/^(README|LICENSE)(\.(md|txt))?$/i.test(name)) return { role: 'document' };
    return unexpected(
      /^manifest\.ya?ml$/i.test(name)
        ? 'Rename it to manifest.yaml.'
        : 'At the root are manifest.yaml, README and LICENSE only.',
    );
  }
  const [folder = ''] = parts;
  if (folder === 'assets') {
    if (name.endsWith('.meta.json')) return { role: 'asset-metadata' };
    const mediaType = Object.hasOwn(ASSET_TYPES, extension) ? ASSET_TYPES[extension] : undefined;
    return mediaType === undefined
      ? unexpected(`Assets are ${Object.keys(ASSET_TYPES).join(', ')}.`)
      : { role: 'asset', mediaType };
  }
  const kind = Object.hasOwn(FOLDERS, folder) ? FOLDERS[folder] : undefined;
  if (kind === undefined) return unexpected(`Folders of a pack are assets, ${Object.keys(FOLDERS).join(', ')}.`);
  if (extension === 'yaml') return { role: 'yaml', kind };
  return unexpected(extension === 'yml' ? 'Rename it to end with .yaml.' : `In ${folder}/ are .yaml files only.`);
}
