import os from 'node:os';

/** Addresses of this machine that are not loopback and need no zone: what others on the LAN would call. */
export const otherAddresses = (): string[] =>
  Object.values(os.networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter((one) => !one.internal && one.family === 'IPv4')
    .map((one) => one.address);
