import { mkdirSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { identityOf, writeIdentity, writeRunRecord } from '@parley/shared/process-identity';
import { temporaryFolder } from '@parley/shared/testing';
import { lookAtEach } from './look-at-each.cjs';
import { readProject } from './project.cjs';

it('each of several processes at one port is asked at its own, and one that is not there is counted', async () => {
  const folder = temporaryFolder('look');
  const sockets: Socket[] = [];
  const listening = async (server: Server): Promise<number> => {
    server.on('connection', (socket: Socket) => sockets.push(socket));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  };
  const answering = createHttpServer((_request, response) =>
    response.end(JSON.stringify({ service: 'session_api', pid: process.pid })),
  );
  const silent = createServer();
  const details = { service: 'session_api', port: 1, supervisor: '/home', debugged: false };
  mkdirSync(path.join(folder.path, 'run'));
  writeRunRecord(folder.path, { ...details, instance: 1, own_port: await listening(answering) });
  const identity = identityOf(process.ppid) ?? { pid: 0, started: '', boot: '' };
  const hung = { ...identity, ...details, instance: 0, own_port: await listening(silent) };
  writeIdentity(path.join(folder.path, 'run', `session_api-${process.ppid}.json`), hung);

  const project = { ...readProject(), dataDir: folder.path };
  const service = { name: 'session-api', variable: 'SIM_API_PORT', port: 1, script: '', instances: 3 };
  expect(await lookAtEach(project, service)).toEqual([
    { state: 'silent', pid: process.ppid },
    { state: 'ready', pid: process.pid },
    { state: 'away', pid: null },
  ]);

  for (const socket of sockets) socket.destroy();
  await Promise.all([answering, silent].map((server) => new Promise((resolve) => server.close(resolve))));
  folder.remove();
});
