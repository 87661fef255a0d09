import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ServedFile {
  readonly url: string;
  readonly sha256: string;
  /** How often it was asked for. */
  readonly asked: () => number;
  close(): void;
}

/** A host on this machine with one file. */
export async function servedFile(name: string, bytes: Buffer): Promise<ServedFile> {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  let asked = 0;
  const server = createServer((request, response) => {
    const isIt = request.url === `/${name}`;
    if (isIt) asked += 1;
    response.writeHead(isIt ? 200 : 404, { etag: `"${sha256}"`, 'content-length': isIt ? bytes.length : 0 });
    response.end(isIt ? bytes : undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${name}`,
    sha256,
    asked: () => asked,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
