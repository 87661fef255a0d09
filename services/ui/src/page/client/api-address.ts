/**
 * Where the API is: the host that served the page, with the port that the ui process wrote into index.html; without one, behind
 * a proxy, at the page's own origin.
 */
export interface ApiAddress {
  readonly http: string;
  readonly socket: string;
}

export function readApiAddress(page: Document, location: Pick<Location, 'hostname' | 'origin'>): ApiAddress {
  const port = page.querySelector('meta[name="parley-api-port"]')?.getAttribute('content') ?? '7355';
  if (port === '') return { http: location.origin, socket: location.origin.replace(/^http/, 'ws') };
  // A policy for content cannot name an IPv6 address, and the API listens on 127.0.0.1 all the same.
  const host = location.hostname.startsWith('[') ? '127.0.0.1' : location.hostname;
  return { http: `http://${host}:${port}`, socket: `ws://${host}:${port}` };
}

let address: ApiAddress | undefined;

/** The address of the API, read from the page once. */
export function apiAddress(): ApiAddress {
  address ??= readApiAddress(document, window.location);
  return address;
}

/** A path on the API as an address: pictures and downloads. Only paths of the API are let through. */
export function apiUrl(path: string): string | null {
  return /^\/api\//.test(path) ? apiAddress().http + path : null;
}
