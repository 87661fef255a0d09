import { readFileSync } from 'node:fs';
import path from 'node:path';
import { AssetMetadata, type Finding } from '@parley/shared/contracts';
import { roleOf } from './file-kinds';
import { finding } from './finding';
import { inspectSvg } from './inspect-svg';
import { decodeText } from './parse-yaml';
import type { PackTree, TreeFile } from './read-tree';
import { scanText } from './scan-text';
import { documentKind, executableKind, sniffType } from './sniff-type';

/** Texts, SVG and metadata are read whole: more than this is no picture or note of a pack. */
const MAX_TEXT_BYTES = 1024 * 1024;
const URL = /\b(?:https?|ftp|wss?):\/\/[^\s)>\]"']*/i;

/** An asset that may be served, under the type that its bytes show. */
export interface Asset {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
  readonly media_type: string;
}

export interface FileInspection {
  readonly assets: readonly Asset[];
  readonly findings: readonly Finding[];
}

const positionOf = (text: string, index: number) => {
  const before = text.slice(0, index).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
};

function inspectTextAsset(file: TreeFile, mediaType: string, text: string): Finding[] {
  if (mediaType === 'image/svg+xml')
    return inspectSvg(text).map(({ rule, message, line }) =>
      finding({
        rule,
        file: file.path,
        place: { line, column: null },
        message,
        hint: 'Save it as a plain SVG: shapes, gradients and texts only.',
      }),
    );
  const url = URL.exec(text);
  if (url === null) return [];
  return [
    finding({
      rule: 'asset.external-url',
      file: file.path,
      place: positionOf(text, url.index),
      message: 'An asset may not hold an address on the internet.',
      hint: 'Ship what it points to, or name it without its address.',
    }),
  ];
}

function inspectMetadata(file: TreeFile, text: string): Finding[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [finding({ rule: 'schema.meta', file: file.path, message: 'The file is not JSON.', hint: null })];
  }
  const result = AssetMetadata.safeParse(value);
  if (!result.success)
    return result.error.issues.map((issue) =>
      finding({ rule: 'schema.meta', file: file.path, path: issue.path.join('.'), message: issue.message }),
    );
  const findings = Object.entries(result.data).flatMap(([member, text]) =>
    (typeof text === 'string' ? scanText(text) : []).map(({ severity, kind }) =>
      finding({
        severity,
        rule: 'text.prompt-injection',
        file: file.path,
        path: member,
        message: `This text ${kind}.`,
        hint: 'Say it in words that are about the asset, not about the model.',
      }),
    ),
  );
  if (result.data.source_url === undefined) return findings;
  return [
    ...findings,
    finding({
      severity: 'warning',
      rule: 'asset.external-url',
      file: file.path,
      path: 'source_url',
      message: 'The metadata names an address on the internet; it is never opened.',
    }),
  ];
}

async function inspectAsset(
  tree: PackTree,
  file: TreeFile,
  claimed: string,
): Promise<{ asset: Asset | null; findings: Finding[] }> {
  const as = (mediaType: string): Asset => ({
    path: file.path,
    size: file.size,
    sha256: file.sha256,
    media_type: mediaType,
  });
  if (claimed === 'image/svg+xml' || claimed === 'text/plain') {
    if (file.size > MAX_TEXT_BYTES)
      return {
        asset: null,
        findings: [
          finding({ rule: 'asset.too-large', file: file.path, message: 'Texts and SVG may have at most 1 MB.' }),
        ],
      };
    const text = decodeText(readFileSync(path.join(tree.root, file.path)));
    if (text === null)
      return {
        asset: null,
        findings: [
          finding({
            rule: 'asset.type-mismatch',
            file: file.path,
            message: 'The file is not UTF-8 text.',
            hint: 'Save it as UTF-8.',
          }),
        ],
      };
    return { asset: as(claimed), findings: inspectTextAsset(file, claimed, text) };
  }
  const seen = sniffType(file.head);
  if (seen === claimed) return { asset: as(claimed), findings: [] };
  const document = seen === null ? documentKind(file.head) : null;
  if (document !== null)
    return {
      asset: null,
      findings: [
        finding({
          rule: 'asset.type-mismatch',
          file: file.path,
          message: `The file is named like ${claimed}, but its bytes are those of ${document}.`,
          hint: 'Take it out, or put the picture or sound itself there.',
        }),
      ],
    };
  // Served under what the bytes show: a wrong extension does no harm, it only misleads people.
  return {
    asset: as(seen ?? 'application/octet-stream'),
    findings: [
      finding({
        severity: 'warning',
        rule: 'asset.type-mismatch',
        file: file.path,
        message:
          seen === null
            ? `The bytes are not those of ${claimed}; the page will not show it.`
            : `The bytes are those of ${seen}, not of ${claimed}.`,
        hint: 'Convert the file, or rename it to what it is.',
      }),
    ],
  };
}

/**
 * Looks at every file but the content of the YAML: names and places, forbidden extensions, executable signatures, types
 * of assets, SVG, metadata, addresses in assets.
 */
export async function inspectFiles(tree: PackTree): Promise<FileInspection> {
  const findings: Finding[] = [...tree.findings];
  const assets: Asset[] = [];
  const unexpectedFolders = new Set<string>();
  for (const file of tree.files) {
    const executable = executableKind(file.head);
    if (executable !== null)
      findings.push(
        finding({
          rule: 'file.executable-signature',
          file: file.path,
          message: `The file begins like a program: ${executable}.`,
          hint: 'A pack is data only: take it out.',
        }),
      );
    const role = roleOf(file.path);
    if (role.role === 'forbidden')
      findings.push(
        finding({
          rule: 'file.forbidden-extension',
          file: file.path,
          message: `Files that end with .${role.extension} are not allowed.`,
          hint: 'A pack is data only: take it out.',
        }),
      );
    else if (role.role === 'unexpected') {
      // One finding for a whole folder that does not belong here.
      const folder = file.path.split('/')[0] ?? '';
      const whole = file.path.includes('/') && (folder.startsWith('.') || role.hint.startsWith('Folders'));
      if (whole && unexpectedFolders.has(folder)) continue;
      if (whole) unexpectedFolders.add(folder);
      findings.push(
        finding({
          rule: 'file.unexpected',
          file: whole ? `${folder}/` : file.path,
          message: 'This has no place in a pack.',
          hint: role.hint,
        }),
      );
    } else if (role.role === 'asset') {
      const { asset, findings: found } = await inspectAsset(tree, file, role.mediaType);
      findings.push(...found);
      if (asset !== null) assets.push(asset);
    } else if (role.role === 'asset-metadata') {
      if (file.size > MAX_TEXT_BYTES)
        findings.push(
          finding({ rule: 'asset.too-large', file: file.path, message: 'Metadata may have at most 1 MB.' }),
        );
      else findings.push(...inspectMetadata(file, readFileSync(path.join(tree.root, file.path), 'utf8')));
    }
  }
  return { assets, findings };
}
