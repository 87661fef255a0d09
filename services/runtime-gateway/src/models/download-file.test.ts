import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { temporaryFolder, type TemporaryFolder } from '@parley/shared/testing';
import { systemLookup } from './checked-lookup';
import { downloadFile, type DownloadOptions } from './download-file';
import { RESERVE_BYTES } from './free-space';

const numbers = Buffer.from(Array.from({ length: 4_996 }, (_unused, at) => at % 251));
const FILE = Buffer.concat([Buffer.from('GGUF'), numbers]);
const OTHER = Buffer.concat([Buffer.from('GGUF'), Buffer.from(numbers).reverse()]);

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
    freeBytes: () => Promise.resolve(Infinity),
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

describe('a download that nobody can say the length of', () => {
  /** Sends without end and without a length, as fast as it is taken. */
  const endless =
    (first: string): typeof answer =>
    (_request, response) => {
      response.write(first);
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, 1)));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    };

  it('ends before the disk has only its reserve left, with what to do', async () => {
    answer = endless('GGUF');
    let free = RESERVE_BYTES + 30_000_000;
    let done = 0;
    const outcome = download({
      sha256: null,
      // As if what is written here were all that is written.
      freeBytes: () => Promise.resolve(free - done),
      onProgress: ({ bytes_done }) => {
        done = bytes_done;
        // An old program that does not look would write for ever.
        if (done > 200_000_000) free = -Infinity;
      },
      signal: AbortSignal.timeout(30_000),
    });
    await expect(outcome).rejects.toMatchObject({
      isFinal: true,
      message: expect.stringMatching(/nearly full.*256 MB.*free some space, then install it again/) as string,
    });
    expect(done).toBeGreaterThan(10_000_000);
    expect(done).toBeLessThan(40_000_000);
  });

  it('ends at its first bytes when they are of no GGUF file', async () => {
    answer = endless('<!doctype html>');
    let done = 0;
    const outcome = download({
      sha256: null,
      onProgress: ({ bytes_done }) => {
        done = bytes_done;
      },
      signal: AbortSignal.timeout(5_000),
    });
    await expect(outcome).rejects.toThrow(/no GGUF file/);
    expect(done).toBe(0);
    expect(statSync(part()).size).toBe(0);
  });

  it('is recognised also when its first bytes come one by one', async () => {
    answer = (_request, response) => {
      response.write('G');
      setTimeout(() => response.write('G'), 30);
      setTimeout(() => endless('IF').call(null, {} as IncomingMessage, response), 60);
    };
    await expect(download({ sha256: null, signal: AbortSignal.timeout(5_000) })).rejects.toThrow(/no GGUF file/);
  });
});

describe('a disk that refuses a write', () => {
  it('is a sentence that says what to do, and what is here is of no use', async () => {
    const probe = await open(part(), 'w');
    const write = jest
      .spyOn(Object.getPrototypeOf(probe) as FileHandle, 'write')
      .mockRejectedValue(Object.assign(new Error('no space left'), { code: 'ENOSPC', syscall: 'write' }));
    await probe.close();
    answer = (_request, response) => response.end(FILE);
    try {
      await expect(download()).rejects.toMatchObject({
        isFinal: true,
        message: expect.stringMatching(/free some space/) as string,
      });
    } finally {
      write.mockRestore();
    }
  });
});
