import type { InstallModelRequest, SuggestedModel } from '@parley/shared/contracts';
import type { InstallKind } from './install-kinds';

export interface SuggestedInstall {
  readonly kind: InstallKind;
  readonly request: InstallModelRequest;
  /** What the model is called once it is installed. */
  readonly modelId: string;
}

/** How a suggested model gets into a runtime with these ways, by name first; null when by none of them. */
export function suggestedInstall(
  { pull, gguf }: Pick<SuggestedModel, 'pull' | 'gguf'>,
  kinds: readonly InstallKind[],
): SuggestedInstall | null {
  if (kinds.includes('pull')) return { kind: 'pull', request: { pull }, modelId: pull };
  if (gguf === null || !kinds.includes('url')) return null;
  const { url, sha256, file } = gguf;
  return { kind: 'url', request: sha256 === null ? { url } : { url, sha256 }, modelId: file };
}
