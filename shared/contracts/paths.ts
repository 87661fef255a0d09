/** Every process has these three beside its routes. */
export const PROBE_PATHS = { livez: '/livez', readyz: '/readyz', metrics: '/metrics' } as const;

/** Path of a session's WebSocket on session-api. */
export const SOCKET_PATH = /^\/ws\/session\/([^/]+)$/;
export const socketPath = (sessionId: string): string => `/ws/session/${encodeURIComponent(sessionId)}`;
