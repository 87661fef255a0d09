export type InstallKind = 'pull' | 'url' | 'file';

const KINDS: Readonly<Record<string, readonly InstallKind[]>> = {
  fake: [],
  local_native: ['pull'],
  local_server: ['url', 'file'],
};

/** How a model can get into a runtime. One that the page does not know is offered everything, and says itself what it cannot. */
export const installKinds = (runtimeId: string): readonly InstallKind[] => KINDS[runtimeId] ?? ['pull', 'url', 'file'];
