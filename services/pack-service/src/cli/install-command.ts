import path from 'node:path';
import { callRoute } from '@parley/shared/client';
import { DEFAULT_PORTS, ServiceError } from '@parley/shared/contracts';
import { formatFindings } from './format-findings';
import { findingsOf } from './findings-of';
import type { CommandOutput } from './command-output';

/** Where Parley is expected unless told. */
export const DEFAULT_URL = `http://127.0.0.1:${DEFAULT_PORTS.session_api}`;

/**
 * Puts a pack into the Parley that runs on this machine, in the place of a lower version of itself.
 * @returns whether it is installed; why not was said.
 */
export async function installPack(given: string, url: string, output: CommandOutput): Promise<boolean> {
  try {
    const { pack, findings } = await imported(url, path.resolve(given));
    output.stdout(formatFindings([{ prefix: given, valid: true, findings, extra: {} }], 'text'));
    output.stderr(`${pack.name} ${pack.version} is installed. Open Parley and choose it in the library.\n`);
    return true;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const findings = findingsOf(error);
    if (findings.length > 0)
      output.stdout(formatFindings([{ prefix: given, valid: false, findings, extra: {} }], 'text'));
    const isDown = error.code === 'SERVICE_UNAVAILABLE';
    output.stderr(isDown ? `Parley does not answer at ${url}. Start it with npm start.\n` : `${error.message}\n`);
    return false;
  }
}

async function imported(url: string, at: string) {
  const answer = await callRoute(url, 'importPack', { body: { path: at }, query: { replace: 'true' } });
  if ('pack' in answer) return answer;
  throw new Error('the import was answered before it was done');
}
