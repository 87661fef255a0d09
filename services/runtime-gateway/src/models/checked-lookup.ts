import type { LookupAddress, LookupOptions } from 'node:dns';
import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { mayResolveTo } from './address-rules';

/** Resolves a name to all of its addresses. */
export type HostLookup = (host: string, options: LookupOptions & { all: true }) => Promise<LookupAddress[]>;

type Addresses = [LookupAddress, ...LookupAddress[]];

/** The resolver of this machine. */
export const systemLookup: HostLookup = (host, options) => lookup(host, options);

/** The code of the error of a connection to a name that leads where it may not. */
export const LEADS_INSIDE = 'EINSIDE';

/**
 * What a connection resolves names with: answers only addresses that the name may stand for, and for as long as it is used
 * the same ones, so that a name cannot answer differently once it has been looked at.
 */
export function checkedLookup(hostLookup: HostLookup): LookupFunction {
  const pinned = new Map<string, Promise<Addresses>>();
  const resolve = async (host: string, options: LookupOptions): Promise<Addresses> => {
    const addresses = await hostLookup(host, { ...options, all: true });
    const [one, ...others] = addresses.filter(({ address }) => mayResolveTo(host, address));
    if (one === undefined) throw Object.assign(new Error('the name leads inside'), { code: LEADS_INSIDE });
    return [one, ...others];
  };
  return (host, options, callback) => {
    const answer = pinned.get(host) ?? resolve(host, options);
    pinned.set(host, answer);
    answer.then(
      (allowed) => {
        const [one] = allowed;
        if (options.all === true) callback(null, allowed);
        else callback(null, one.address, one.family);
      },
      (error: unknown) => callback(error as NodeJS.ErrnoException, []),
    );
  };
}
