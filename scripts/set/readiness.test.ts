import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { askLocally, isPortFree, lookAt } from './readiness.cjs';

describe('looking at a process', () => {
  const servers: Server[] = [];
  const sockets: Socket[] = [];
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
  });

  const listening = async (server: Server): Promise<number> => {
    servers.push(server);
    server.on('connection', (socket: Socket) => sockets.push(socket));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  };
  const answering = (answer: RequestListener): Promise<number> => listening(createHttpServer(answer));
  const look = (port: number): ReturnType<typeof lookAt> =>
    lookAt({ name: 'session-api', variable: 'SIM_API_PORT', port, script: '' });
  const says = (status: number, body: object): Promise<number> =>
    answering((_request, response) => response.writeHead(status).end(JSON.stringify(body)));

  it('tells one that is ready from one that is not yet, and from another program', async () => {
    expect(await look(await says(200, { service: 'session_api', pid: 7 }))).toEqual({ state: 'ready', pid: 7 });
    expect(await look(await says(503, { service: 'session_api', pid: 7 }))).toEqual({ state: 'not ready', pid: 7 });
    expect(await look(await says(200, { service: 'ui', pid: 7 }))).toEqual({ state: 'another program', pid: null });
    const page = await answering((_request, response) => response.end('<html>'));
    expect(await look(page)).toEqual({ state: 'another program', pid: null });
    expect(await askLocally(page, '/')).toBe(null);
  });

  it('tells one that hangs from one that is not there', async () => {
    const port = await listening(createServer());
    expect(await look(port)).toEqual({ state: 'silent', pid: null });
    expect(await isPortFree(port)).toBe(false);
    // Answers, but never to the end.
    expect(await look(await answering((_request, response) => response.write('{')))).toMatchObject({ state: 'silent' });
    const breaking = await answering((request) => request.socket.destroy());
    expect(await look(breaking)).toEqual({ state: 'away', pid: null });
    const server = servers.pop();
    await new Promise((resolve) => server?.close(resolve));
    expect(await look(breaking)).toEqual({ state: 'away', pid: null });
    expect(await isPortFree(breaking)).toBe(true);
  });
});
