import { createHash } from 'node:crypto';
import { ServiceError, type InstallModelRequest } from '@parley/shared/contracts';
import type { ActiveRuntime } from '../runtime/active-runtime';
import { refusalOf } from './address-rules';
import { GgufError, readGgufHeader } from './gguf-header';
import { readGgufTensors } from './gguf-tensors';
import type { InstallSource } from './install-record';
import { NotAFileError } from './open-regular-file';

/**
 * Where a requested model comes from, and what it will be called.
 * @throws ServiceError VALIDATION_ERROR for an address or a file that cannot be used.
 */
export async function installSource(
  request: InstallModelRequest,
  runtime: Pick<ActiveRuntime, 'takesModelFiles'>,
): Promise<{ source: InstallSource; modelId: string }> {
  if ('pull' in request) return { source: { kind: 'pull', name: request.pull }, modelId: request.pull };
  if ('url' in request) {
    const url = usableUrl(request.url);
    const sha256 = request.sha256?.toLowerCase() ?? null;
    return { source: { kind: 'url', url: url.href, sha256, etag: null }, modelId: fileNameOf(url.pathname) };
  }
  if (runtime.takesModelFiles) await refuseNoModel(request.file);
  return { source: { kind: 'file', path: request.file }, modelId: fileNameOf(request.file) };
}

/** Why the runtime that plays takes no model from there. */
export function notSupported({ kind }: InstallSource): ServiceError {
  return new ServiceError(
    'NOT_SUPPORTED_BY_RUNTIME',
    kind === 'pull'
      ? 'Models are pulled by name with the runtime local_native only; give the address or path of a GGUF file, or choose Ollama under "Connect a model" (SIM_RUNTIME_ID, where that is set).'
      : 'GGUF files are installed for a model server that Parley starts; set SIM_RUNTIME_ID to local_server, with one address of this machine.',
  );
}

function invalid(member: string, message: string): ServiceError {
  return new ServiceError('VALIDATION_ERROR', message, { details: { issues: [{ path: member, message }] } });
}

function usableUrl(text: string): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw invalid('url', 'This is no address; it must begin with https://.');
  }
  const refusal = refusalOf(url, url);
  if (refusal !== null) throw invalid('url', refusal);
  return url;
}

async function refuseNoModel(file: string): Promise<void> {
  try {
    await readGgufHeader(file);
    await readGgufTensors(file);
  } catch (error) {
    throw invalid(
      'file',
      error instanceof GgufError || error instanceof NotAFileError
        ? error.message
        : 'There is no file at this path that can be read; check the path.',
    );
  }
}

/** Letters and digits that a file name of ours cannot have. */
const LOST = /(?!\p{ASCII})[\p{L}\p{N}]/u;

/**
 * A file name out of a path or address that every system takes; ends in .gguf. Names that differ only in letters that not
 * every system takes stay different.
 */
export function fileNameOf(location: string): string {
  const last = location.split(/[/\\]/).filter(Boolean).at(-1) ?? 'model';
  let decoded = last;
  try {
    decoded = decodeURIComponent(last);
  } catch {
    // Not encoded: as it stands.
  }
  const clean = decoded
    .replace(/\.gguf$/i, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/\.{2,}/g, '.')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 140)
    .replace(/\.$/, '');
  const mark = LOST.test(decoded) ? createHash('sha256').update(decoded).digest('hex').slice(0, 8) : '';
  return `${[clean === '' ? 'model' : clean, mark].filter(Boolean).join('-')}.gguf`;
}
