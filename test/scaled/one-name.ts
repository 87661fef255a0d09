import { writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { freePorts, temporaryFolder, type TemporaryFolder } from '@parley/shared/testing';

const NAME = 'packs.test';
/** Linux takes them all; elsewhere the second one has to be set up first. */
const ADDRESSES = ['127.0.0.1', '127.0.0.2'];

/** One of the processes behind the name, at an address of its own. */
class Member {
  private readonly sockets = new Set<Socket>();
  private constructor(private readonly server: Server) {}

  static async listen(address: string, port: number, target: number): Promise<Member> {
    const member: Member = new Member(
      createServer((socket) => {
        const other = connect(target, '127.0.0.1');
        for (const [one, end] of [
          [socket, other],
          [other, socket],
        ] as const) {
          member.sockets.add(one);
          one.once('close', () => member.sockets.delete(one));
          one.on('error', () => undefined).once('close', () => end.destroy());
        }
        socket.pipe(other).pipe(socket);
      }),
    );
    await new Promise<void>((resolve, reject) => {
      member.server.once('error', reject).listen(port, address, resolve);
    });
    return member;
  }

  /** Takes no new connection: what is under way is the process's own to break off. */
  refuse(): void {
    this.server.close();
  }

  close(): void {
    this.refuse();
    for (const socket of this.sockets) socket.destroy();
  }
}

/** A name with two addresses and one port, as a network of containers has it: processes that are given `environment` know it. */
export class OneName {
  readonly environment: Readonly<Record<string, string>>;
  readonly url: string;
  private targets: readonly number[] = [];
  private readonly members: Member[] = [];

  private constructor(
    private readonly folder: TemporaryFolder,
    private readonly port: number,
  ) {
    const hook = path.join(folder.path, 'names.cjs');
    const found = JSON.stringify(ADDRESSES.map((address) => ({ address, family: 4 })));
    // Another one comes first each time.
    writeFileSync(
      hook,
      `const dns = require('node:dns');
const { lookup } = dns;
const found = ${found};
dns.lookup = (name, options, done) => {
  if (name !== '${NAME}') return lookup(name, options, done);
  process.nextTick(done, null, [...found.reverse()]);
};
`,
    );
    this.environment = { NODE_OPTIONS: `--require ${hook}` };
    this.url = `http://${NAME}:${port}`;
  }

  static async make(): Promise<OneName> {
    const [port = 0] = await freePorts(1);
    return new OneName(temporaryFolder('one-name'), port);
  }

  /** @param targets ports of the processes behind the name */
  async listen(targets: readonly number[]): Promise<void> {
    this.targets = targets;
    for (const at of targets.keys()) await this.listenAgain(at);
  }

  /** The process dies, and its address with it. */
  refuse(at: number): void {
    this.members[at]?.refuse();
  }

  /** Its process lives again. */
  async listenAgain(at: number): Promise<void> {
    this.members[at] = await Member.listen(ADDRESSES[at] ?? '', this.port, this.targets[at] ?? 0);
  }

  close(): void {
    for (const member of this.members) member.close();
    this.folder.remove();
  }
}
