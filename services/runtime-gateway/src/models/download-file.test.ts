import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder, type TemporaryFolder } from '@parley/shared/testing';
import { systemLookup } from './checked-lookup';
import { downloadFile, type DownloadOptions } from './download-file';

const FILE = Buffer.from(Array.from({ length: 5_000 }, (_unused, at) => at % 251));
const OTHER = Buffer.from(FILE).reverse();

let folder: TemporaryFolder;
let server: Server;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let ranges: (string | undefined)[];

beforeEach(async () => {
  folder = temporaryFolder('download');
  ranges = [];
  server = createServer((request, response) => {
    ranges.push(request.headers.range);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  folder.remove();
});

const part = (): string => path.join(folder.path, 'a.gguf.part');

const download = (options: Partial<DownloadOptions> = {}): Promise<void> =>
  downloadFile({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.gguf`,
    partFile: part(),
    sha256: createHash('sha256').update(FILE).digest('hex'),
    etag: null,
    signal: new AbortController().signal,
    lookup: systemLookup,
    keepVersion: () => Promise.resolve(),
    onProgress: () => undefined,
    ...options,
  });

/** Answers whole without a range, and otherwise with what `partial` writes. */
const withPartial =
  (partial: (response: ServerResponse) => void): typeof answer =>
  (request, response) => {
    if (request.headers.range === undefined) response.writeHead(200, { etag: '"now"' }).end(FILE);
    else partial(response);
  };

describe('continuing what is here', () => {
  it.each<[string, (response: ServerResponse) => void]>([
    [
      'answers with the rest of another version although it was told which one is meant',
      (response) =>
        response.writeHead(206, { etag: '"now"', 'content-range': 'bytes 1000-4999/5000' }).end(FILE.subarray(1000)),
    ],
    [
      'begins elsewhere than where the part ends',
      (response) =>
        response.writeHead(206, { etag: '"then"', 'content-range': 'bytes 900-4999/5000' }).end(FILE.subarray(900)),
    ],
    [
      'does not say where its part begins',
      (response) => response.writeHead(206, { etag: '"then"' }).end(FILE.subarray(1000)),
    ],
    [
      'has a file that is shorter than the part',
      (response) => response.writeHead(416, { 'content-range': 'bytes */400' }).end(),
    ],
  ])('is given up for a whole file when the server %s', async (_what, partial) => {
    writeFileSync(part(), OTHER.subarray(0, 1000));
    answer = withPartial(partial);
    await download({ etag: '"then"' });
    expect(ranges).toEqual(['bytes=1000-', undefined]);
    expect(readFileSync(part()).equals(FILE)).toBe(true);
  });

  it('keeps the version that it knows when the rest comes without one', async () => {
    writeFileSync(part(), FILE.subarray(0, 1000));
    const kept: (string | null)[] = [];
    answer = withPartial((response) =>
      response.writeHead(206, { 'content-range': 'bytes 1000-4999/5000' }).end(FILE.subarray(1000)),
    );
    await download({ etag: '"then"', keepVersion: (etag) => Promise.resolve(void kept.push(etag)) });
    expect([ranges, kept]).toEqual([['bytes=1000-'], ['"then"']]);
    expect(readFileSync(part()).equals(FILE)).toBe(true);
  });

  it('refuses a part that is as long as the file and is another one', async () => {
    writeFileSync(part(), OTHER);
    answer = withPartial((response) => response.writeHead(416, { 'content-range': 'bytes */5000' }).end());
    await expect(download()).rejects.toMatchObject({
      isFinal: true,
      message: expect.stringMatching(/SHA-256/) as string,
    });
  });
});

describe('the version of a file', () => {
  it('is kept when nothing of it is written yet and nothing of an older one is left', async () => {
    writeFileSync(part(), OTHER);
    answer = (_request, response) => response.writeHead(200, { etag: '"now"' }).end(FILE);
    let sizeThen = -1;
    await download({
      keepVersion: (etag) => {
        expect(etag).toBe('"now"');
        sizeThen = statSync(part()).size;
        return Promise.resolve();
      },
    });
    expect(sizeThen).toBe(0);
    expect(existsSync(part())).toBe(true);
  });

  it('stops the download when it cannot be kept, before a byte is written', async () => {
    answer = (_request, response) => response.writeHead(200, { etag: '"now"' }).end(FILE);
    await expect(download({ keepVersion: () => Promise.reject(new Error('no room')) })).rejects.toThrow('no room');
    expect(statSync(part()).size).toBe(0);
  });
});
