/** Name or address in a Host header, without the port. IPv6 keeps its brackets. */
const hostName = (host: string): string => host.replace(/:\d*$/, '').toLowerCase();

/**
 * The Content-Security-Policy of the page: own scripts and styles only, nothing inline, nothing evaluated, no strings
 * into script sinks, and no connection but to the API on the host that the browser used.
 * @param host the Host header, which the guard has checked.
 * @param apiPort null when the API is at the page's own origin. Not every browser counts sockets among its own then.
 */
export function contentPolicy(host: string, apiPort: number | null): string {
  // A policy cannot name an IPv6 address; the page then calls the API at 127.0.0.1 (client/api-address).
  const name = host.startsWith('[') ? '127.0.0.1' : hostName(host);
  const api = apiPort === null ? "'self'" : `http://${name}:${apiPort}`;
  const socket = apiPort === null ? `wss://${host}` : `ws://${name}:${apiPort}`;
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    apiPort === null ? "img-src 'self' data:" : `img-src 'self' data: ${api}`,
    `connect-src ${api} ${socket}`,
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}
