import os from 'node:os';

export interface MachineFacts {
  /** What a new program could take now. */
  readonly memory_available_bytes: number;
  readonly cores: number;
}

export type MachineNow = () => MachineFacts;

/**
 * What this machine has to give now. On Linux it is MemAvailable or what the container may still take. macOS calls only
 * memory free that nothing was ever put into, which says little: half of all is taken for free there at least.
 */
export const machineNow: MachineNow = () => ({
  memory_available_bytes: Math.round(
    os.platform() === 'darwin' ? Math.max(os.freemem(), os.totalmem() / 2) : process.availableMemory(),
  ),
  cores: os.availableParallelism(),
});
