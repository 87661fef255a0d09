import path from 'node:path';
import { callRoute } from '@parley/shared/client';
import { DEFAULT_PORTS, ServiceError, type Pack, PACK_ROUTES } from '@parley/shared/contracts';
import { formatFindings } from './format-findings';
import { findingsOf } from './findings-of';
import type { CommandOutput } from './command-output';

/** Where Parley is expected unless told. */
export const DEFAULT_URL = `http://127.0.0.1:${DEFAULT_PORTS.session_api}`;

/**
 * Puts a pack into the Parley that runs on this machine.
 * @param replaced which installed version of itself it may take the place of
 * @returns the pack as it is installed; null when it is not, and why was said.
 */
export async function installPack(
  given: string,
  url: string,
  output: CommandOutput,
  replaced: 'lower' | 'any' = 'lower',
): Promise<Pack | null> {
  try {
    const { pack, findings } = await imported(url, path.resolve(given), replaced);
    output.stdout(formatFindings([{ prefix: given, valid: true, findings, extra: {} }], 'text'));
    return pack;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const findings = findingsOf(error);
    if (findings.length > 0)
      output.stdout(formatFindings([{ prefix: given, valid: false, findings, extra: {} }], 'text'));
    const isDown = error.code === 'SERVICE_UNAVAILABLE';
    output.stderr(isDown ? `Parley does not answer at ${url}. Start it with npm start.\n` : `${error.message}\n`);
    return null;
  }
}

async function imported(url: string, at: string, replaced: 'lower' | 'any') {
  const query = { replace: replaced === 'any' ? 'any' : 'true' } as const;
  const answer = await callRoute(url, PACK_ROUTES.importPack, { body: { path: at }, query });
  if ('pack' in answer) return answer;
  throw new Error('the import was answered before it was done');
}
