import { isOnPath } from '../model-server/find-program';
import type { SidecarSettings } from './sidecar-settings';

/** What is looked for where nothing is set. */
export const LLAMA_SERVER = 'llama-server';

/** The command that is set; else llama-server from the PATH; else the one that comes with Parley. null: there is none. */
export function findCommand(settings: SidecarSettings, bundledCommand: () => string | null): string | null {
  if (settings.command !== null) return settings.command;
  return isOnPath(LLAMA_SERVER, settings.environment) ? LLAMA_SERVER : bundledCommand();
}
