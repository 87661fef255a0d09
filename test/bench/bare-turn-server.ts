import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BareTurns } from './bare-turns';
import { openDriverTurns } from './driver-turns';
import { openKnexTurns } from './knex-turns';

/** How a bare server writes its turns: with the driver alone, one by one or in groups, or with knex. */
export type BareKind = 'alone' | 'grouped' | 'knex';

export interface BareServer {
  readonly url: string;
  stop(): void;
}

/** Starts a bare server in a process of its own. */
export async function bareTurnServer(folder: string, kind: BareKind = 'alone'): Promise<BareServer> {
  const child = spawn(process.execPath, [__filename, folder, kind], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { url: `http://127.0.0.1:${line.toString().trim()}`, stop: () => child.kill('SIGTERM') };
}

/**
 * What a turn is measured against: a bare HTTP server that does the turn's durable transaction (compare-and-swap, two
 * turns, their full-text rows, two events) in the same settings and nothing else. Run as a process of its own:
 * `node bare-turn-server.js FOLDER KIND`; it prints its port.
 */
async function serve(folder: string, kind: BareKind): Promise<void> {
  const turns: BareTurns = kind === 'knex' ? await openKnexTurns(folder) : openDriverTurns(folder, kind);
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const answer = (value: object): void => {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(value));
      };
      if (request.url === '/sessions') {
        void turns.create().then((id) => answer({ id }));
        return;
      }
      const { text } = JSON.parse(Buffer.concat(chunks).toString()) as { text: string };
      void turns.turn(request.url?.slice('/turn/'.length) ?? '', text, 'I hear you. Go on.').then(answer);
    });
  });
  server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
  process.once('SIGTERM', () => {
    server.close(() => void turns.close().then(() => process.exit(0)));
    server.closeAllConnections();
  });
}

if (require.main === module) {
  const [folder = '.', kind = 'alone'] = process.argv.slice(2);
  void serve(folder, kind as BareKind);
}
