import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request for the file as it arrived. */
export interface FileRequest {
  readonly range: string | null;
  readonly ifRange: string | null;
}

interface Held {
  readonly response: ServerResponse;
  /** What it still has to send. */
  readonly rest: Buffer;
}

/** A file server on loopback with versions and ranges, which sends a file only as far as the test allows. */
export class HeldFileServer {
  readonly requests: FileRequest[] = [];
  /** Whether the length of the whole file is told in advance. */
  announcesLength = true;
  /** Bytes of the file that went out, all requests together. */
  sent = 0;
  private held: Held[] = [];
  private limit = Infinity;
  private readonly server = createServer((request, response) => {
    const range = request.headers.range ?? null;
    const condition = request.headers['if-range'];
    const ifRange = typeof condition === 'string' ? condition : null;
    this.requests.push({ range, ifRange });
    this.answer(response, range, ifRange);
  });

  private constructor(
    private bytes: Buffer,
    private etag: string,
  ) {}

  static async start(bytes: Buffer): Promise<HeldFileServer> {
    const one = new HeldFileServer(bytes, '"first"');
    await new Promise<void>((resolve) => one.server.listen(0, '127.0.0.1', resolve));
    return one;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** From now on nothing behind so many bytes of the file is sent; the connection stays open. */
  holdAfter(bytes: number): void {
    this.limit = bytes;
  }

  /** Sends what was held back. */
  release(): void {
    this.limit = Infinity;
    for (const { response, rest } of this.held.splice(0)) this.end(response, rest);
  }

  /** Another file at the same address. */
  replace(bytes: Buffer): void {
    this.bytes = bytes;
    this.etag = '"second"';
  }

  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private end(response: ServerResponse, rest: Buffer): void {
    if (response.destroyed) return;
    this.sent += rest.length;
    response.end(rest);
  }

  private answer(response: ServerResponse, range: string | null, ifRange: string | null): void {
    const { bytes, etag } = this;
    const isSame = ifRange === null || ifRange === etag;
    const from = isSame ? Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0) : 0;
    if (from >= bytes.length) {
      response.writeHead(416, { 'content-range': `bytes */${bytes.length}` }).end();
      return;
    }
    const length = this.announcesLength ? { 'content-length': bytes.length - from } : {};
    const partial = { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` };
    response.writeHead(from > 0 ? 206 : 200, { etag, ...length, ...(from > 0 ? partial : {}) });
    if (this.limit === Infinity) return this.end(response, bytes.subarray(from));
    const now = bytes.subarray(from, this.limit);
    this.sent += now.length;
    response.write(now);
    this.held.push({ response, rest: bytes.subarray(from + now.length) });
  }
}
