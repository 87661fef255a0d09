import { createServer, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { createProxyServer } from 'http-proxy-3';
import { INTERNAL_KEY_HEADER } from '@parley/shared/contracts';

export interface InTurnProxy {
  close(): Promise<void>;
}

const OWN_NAMES = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * A reverse proxy in front of instances of session-api. Every request and every WebSocket goes to the next one, wherever the
 * one before it went. An instance that is away is a connection that breaks off, as it is without a proxy.
 * @param targets base addresses of the instances
 * @param key SIM_INTERNAL_KEY. Calls to the proxy's own address carry it on, since they come from this machine; others are
 *   passed on as they are, so that the instances refuse the name.
 */
export async function startInTurnProxy(port: number, targets: readonly string[], key: string): Promise<InTurnProxy> {
  const proxy = createProxyServer();
  let asked = 0;
  const next = ({ headers }: IncomingMessage): { target: string; headers: Record<string, string> } => {
    asked += 1;
    const isOwn = OWN_NAMES.some((name) => headers.host?.toLowerCase() === `${name}:${port}`);
    return { target: targets[asked % targets.length] ?? '', headers: isOwn ? { [INTERNAL_KEY_HEADER]: key } : {} };
  };
  // Interim answers and the end of an instance in mid-answer reach the caller too.
  proxy.on('proxyReq', (outgoing, _request, response) => {
    outgoing.on('information', ({ statusCode }) => {
      if (statusCode === 102 && !response.headersSent) response.writeProcessing();
    });
  });
  proxy.on('proxyRes', (answer, _request, response) => void answer.once('error', () => response.destroy()));

  const server = createServer({ requireHostHeader: false }, (request, response) =>
    proxy.web(request, response, next(request), () => response.destroy()),
  );
  server.maxHeadersCount = 0;
  // Closing a server does not end connections that became WebSockets.
  const upgraded = new Set<Duplex>();
  server.on('upgrade', (request, socket, head) => {
    upgraded.add(socket);
    socket.once('close', () => upgraded.delete(socket));
    socket.on('error', () => socket.destroy());
    proxy.ws(request, socket, head, next(request), () => socket.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host: '127.0.0.1' }, resolve);
  });
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
        for (const socket of upgraded) socket.destroy();
      }),
  };
}
