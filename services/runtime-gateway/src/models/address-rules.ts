import { BlockList, isIP } from 'node:net';

/** Addresses of this machine and of networks around it, also inside of others: nothing on the public network has one. */
const INSIDE = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8], ['10.0.0.0', 8], ['100.64.0.0', 10], ['127.0.0.0', 8], ['169.254.0.0', 16], ['172.16.0.0', 12],
  ['192.0.0.0', 24], ['192.88.99.0', 24], ['192.168.0.0', 16], ['198.18.0.0', 15], ['224.0.0.0', 4], ['240.0.0.0', 4],
] as const) INSIDE.addSubnet(network, prefix, 'ipv4'); // prettier-ignore
for (const [network, prefix] of [
  // Unspecified, loopback, and IPv4 addresses in their oldest form; translated ones (SIIT, NAT64 of both kinds).
  ['::', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  // Tunnels that carry an IPv4 address: Teredo and 6to4.
  ['2001::', 32],
  ['2002::', 16],
  // Private, link-local, site-local, discarded, multicast.
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['100::', 64],
  ['ff00::', 8],
] as const)
  INSIDE.addSubnet(network, prefix, 'ipv6');

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** An IPv4 address that is mapped into IPv6 (`::ffff:10.0.0.1`) is looked up as what it is. */
function isIn(list: BlockList, address: string): boolean {
  // The name of an interface may follow a link-local address.
  const [plain = ''] = address.split('%');
  const family = isIP(plain);
  return family !== 0 && list.check(plain, family === 4 ? 'ipv4' : 'ipv6');
}

/** Whether an IP address is this machine's or a neighbouring network's. Anything that is no IP address counts as inside. */
export function isInsideAddress(address: string): boolean {
  return isIP(address) === 0 || isIn(INSIDE, address);
}

const isLoopbackAddress = (address: string): boolean => isIn(LOOPBACK, address);

/** What a person is told when an address leads where they did not point to. */
export const LEADS_INSIDE_MESSAGE =
  'The address leads to a machine inside the network, which was not asked for; if you mean that machine, name it by its own IP address.';

const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '').toLowerCase();

const isLoopbackHost = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);

/**
 * Whether a model may be fetched from an address: https anywhere, http from this machine only. An address inside (private,
 * loopback, link-local) must have been named by the person, in the host of the first address: a redirect that leads inside
 * is refused here, a DNS answer when the name is resolved.
 * @returns Why not, as one sentence for a person; null when it may.
 */
export function refusalOf(url: URL, first: URL): string | null {
  const host = hostOf(url);
  if (url.username !== '' || url.password !== '') return 'Addresses with a user name or password in them are not used.';
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopbackHost(host)))
    return 'Models are fetched over https only (or http from this machine); use an address that begins with https://.';
  const isInside = isLoopbackHost(host) || (isIP(host) !== 0 && isInsideAddress(host));
  if (isInside && host !== hostOf(first)) return LEADS_INSIDE_MESSAGE;
  return null;
}

/**
 * Whether a name may stand for an address: `localhost` for this machine and nothing else, every other name for the public
 * network only. A person who means a machine inside names it by its IP address, which is never resolved.
 */
export function mayResolveTo(host: string, address: string): boolean {
  return isLoopbackHost(host.toLowerCase()) ? isLoopbackAddress(address) : !isInsideAddress(address);
}
