import { createServer, STATUS_CODES, type IncomingMessage, type Server } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type Koa from 'koa';
import { ServiceError, type ErrorCode, type RouteShape } from '@parley/shared/contracts';
import { createGuard, type Guard } from './guard';
import { createHttpApp, type Forward, type Handlers } from './http-app';
import type { BaseConfig } from './base-config';
import { isOnLan, isPublicService, PORT_VARIABLES } from './base-config';
import type { Logger } from './logger';
import { createMetrics, type Metrics } from './metrics';
import { refuseConnection } from './refuse-connection';

export interface HttpServiceOptions {
  readonly config: BaseConfig;
  readonly logger: Logger;
  /** The parts of the route table that concern this process. */
  readonly routes: Readonly<Record<string, RouteShape>>;
  readonly handlers?: Handlers;
  readonly forward?: Forward;
  readonly writer?: Forward;
  readonly extra?: readonly Koa.Middleware[];
  readonly metrics?: Metrics;
  /** Origins that may call as the page may. */
  readonly allowedOrigins?: readonly string[];
  readonly onError?: (code: ErrorCode) => void;
  /** Called for an upgrade that has passed the guard. Without it every upgrade is refused. */
  readonly onUpgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
}

export interface HttpService {
  readonly server: Server;
  readonly port: number;
  /** Where a process answers alone that shares its port with others of its service; null where it is the only one. */
  readonly ownPort: number | null;
  readonly url: string;
  readonly metrics: Metrics;
  /** Stops accepting, waits until running answers are out (at most `graceMs`), then closes what is left. */
  close(graceMs?: number): Promise<void>;
}

/** A port that somebody else holds: one line that says what to do. */
export class PortTakenError extends Error {
  constructor(port: number, variable: string) {
    super(`Port ${port} is taken by another program. Stop that program, or set ${variable} to a free port.`);
    this.name = 'PortTakenError';
  }
}

/** How long the rest of a body may take whose request has been answered; milliseconds. */
const REST_OF_BODY_MS = 5_000;

/** A caller that tears its connection down is nobody's failure, and nobody is left to tell. */
const ignoreLostCaller = (): void => undefined;

/**
 * A request that was answered before its body was here: mostly the rest arrives at once and the connection is used again.
 * A caller that takes its time over it is cut off.
 */
function limitRestOfBody(request: IncomingMessage): void {
  if (request.complete) return;
  const deadline = setTimeout(() => request.socket.destroy(), REST_OF_BODY_MS);
  const settle = (): void => clearTimeout(deadline);
  request.once('end', settle).once('close', settle);
}

/**
 * A port of 127.0.0.1 that the system picks and that PM2's cluster does not share: at the one of all, somebody answers. Same
 * routes, same guard.
 */
async function listenAlone(server: Server, logger: Logger): Promise<TcpServer> {
  const alone = createTcpServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket));
  await new Promise<void>((resolve, reject) => {
    alone.once('error', reject);
    alone.listen({ port: 0, host: '127.0.0.1', exclusive: true }, resolve);
  });
  alone.on('error', (error) => logger.warn({ err: error }, 'a connection was not accepted'));
  return alone;
}

/**
 * Listens with the routes of the process.
 * @throws PortTakenError when the port is taken.
 */
export async function startHttpService(options: HttpServiceOptions): Promise<HttpService> {
  const { config, logger } = options;
  const metrics = options.metrics ?? createMetrics(config.service);
  let port = config.port;
  let ready = false;
  const guard: Guard = createGuard({
    ownPort: () => port,
    uiPort: () => (config.service === 'ui' ? port : config.ui_port),
    lanAccessEnabled: isOnLan(config),
    internalKey: config.internal_key,
    needsKey: config.internal_key !== null && !isPublicService(config.service),
    publicOrigin: config.public_origin,
    ...(options.allowedOrigins === undefined ? {} : { allowedOrigins: options.allowedOrigins }),
  });
  const app = createHttpApp({
    config,
    logger,
    metrics,
    guard,
    routes: options.routes,
    handlers: options.handlers ?? {},
    isReady: () => ready,
    ...(options.forward === undefined ? {} : { forward: options.forward }),
    ...(options.writer === undefined ? {} : { writer: options.writer }),
    ...(options.extra === undefined ? {} : { extra: options.extra }),
    ...(options.onError === undefined ? {} : { onError: options.onError }),
  });
  // A missing Host is answered by the guard like a wrong one. Bodies have a timeout of their own; uploads may be long.
  const server = createServer(
    { requireHostHeader: false, headersTimeout: 10_000, requestTimeout: 300_000 },
    app.callback(),
  );
  server.keepAliveTimeout = 65_000;
  server.maxConnections = 20_000;
  // Node would leave out what comes after the first thousand headers, and the guard would not see it. Their bytes are
  // limited all the same (16 KiB), and the guard limits their number.
  server.maxHeadersCount = 0;
  const sockets = new Set<Socket>();
  // Sockets that an answer or an upgrade is using. Node counts one that never sent a request as busy; for us it is idle.
  const busy = new Set<Socket>();
  server.on('request', (request, response) => {
    busy.add(request.socket);
    response.once('close', () => busy.delete(request.socket));
    response.once('finish', () => limitRestOfBody(request));
  });
  const closeIdle = (): void => {
    for (const socket of sockets) if (!busy.has(socket)) socket.destroy();
  };
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    // For as long as it lives: between an upgrade and whoever takes it over, Node listens no longer.
    socket.on('error', ignoreLostCaller);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('clientError', (_error: NodeJS.ErrnoException, socket) => {
    if (socket.writable) refuseConnection(socket, 400, 'Bad Request');
    else socket.destroy();
  });
  server.on('upgrade', (request, socket, head) => {
    try {
      guard.check(request);
    } catch (error) {
      const status = error instanceof ServiceError ? error.status : 400;
      refuseConnection(socket, status, STATUS_CODES[status] ?? 'Refused');
      return;
    }
    if (options.onUpgrade === undefined) refuseConnection(socket, 404, 'Not Found');
    else {
      busy.add(request.socket);
      request.socket.once('close', () => busy.delete(request.socket));
      options.onUpgrade(request, socket, head);
    }
  });

  await new Promise<void>((resolve, reject) => {
    server.on('error', (error: NodeJS.ErrnoException) => {
      // Once it listens: a connection that could not be accepted, for want of file descriptors for example.
      if (ready) logger.warn({ err: error }, 'a connection was not accepted');
      else if (error.code === 'EADDRINUSE') reject(new PortTakenError(config.port, PORT_VARIABLES[config.service]));
      else reject(error);
    });
    server.listen({ port: config.port, host: config.host, backlog: 511 }, resolve);
  });
  port = (server.address() as AddressInfo).port;
  const alone = config.instance === null ? null : await listenAlone(server, logger);
  ready = true;
  logger.info({ host: config.host, port }, 'listening');

  return {
    server,
    port,
    ownPort: alone === null ? null : (alone.address() as AddressInfo).port,
    url: `http://127.0.0.1:${port}`,
    metrics,
    async close(graceMs = 5_000) {
      ready = false;
      const closed = Promise.all(
        [server, ...(alone === null ? [] : [alone])].map(
          (one) => new Promise<void>((resolve) => one.close(() => resolve())),
        ),
      );
      closeIdle();
      const deadline = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, graceMs);
      // Keep-alive connections become idle only when their answer is out: look again until all are gone.
      const sweep = setInterval(closeIdle, 50);
      await closed;
      clearTimeout(deadline);
      clearInterval(sweep);
    },
  };
}
