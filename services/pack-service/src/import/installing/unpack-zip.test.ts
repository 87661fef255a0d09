import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { DiskFullError } from '@parley/shared/contracts';
import { temporaryFolder, minimalPack, type TemporaryFolder } from '@parley/shared/testing';
import {
  descriptorOf,
  unicodeNameField,
  zip64Field,
  zipBytes,
  zipOfPack,
  type ZipEntry,
  type ZipOptions,
} from '../../../testing/zip-bytes';
import { UNPACK_FROM_SOURCES } from '../../../testing/pack-service-fixture';
import { openArchive } from './open-archive';
import { unpackZip } from './unpack-zip';

const MANIFEST: ZipEntry = { name: 'manifest.yaml', data: 'a: 1\n' };
/** What a header says whose value stands in the extra field of the 64-bit form. */
const IN_EXTRA = 0xffffffff;
/** Text that packs to something, and how long it is then. */
const HELLO = 'hello '.repeat(20);
const HELLO_PACKED = deflateRawSync(HELLO).length;

describe('unpacking archives', () => {
  let folder: TemporaryFolder;
  let target: string;
  let archive: string;
  beforeEach(() => {
    folder = temporaryFolder('zip');
    target = path.join(folder.path, 'inside', 'target');
    mkdirSync(target, { recursive: true });
    archive = path.join(folder.path, 'pack.zip');
  });
  afterEach(() => folder.remove());

  const unpack = (bytes: Buffer) => {
    writeFileSync(archive, bytes);
    return unpackZip(archive, target);
  };
  const rules = async (entries: readonly ZipEntry[], options?: ZipOptions): Promise<string[]> =>
    (await unpack(zipBytes(entries, options))).map((one) => one.rule);

  it('says of a full disk that it is full, not that the archive is damaged', async () => {
    writeFileSync(archive, zipOfPack(minimalPack()));
    const disk = path.join(folder.path, 'full-disk.cjs');
    writeFileSync(
      disk,
      `const full = () => Object.assign(new Error('no space left on device, write'), { code: 'ENOSPC', errno: -28, syscall: 'write' });
      const fs = require('node:fs');
      fs.write = (...parameters) => parameters.at(-1)(full());
      fs.writeSync = fs.writeFileSync = () => { throw full(); };`,
    );
    const { childPath, nodeArguments = [] } = UNPACK_FROM_SOURCES;
    const unpacking = openArchive(archive, target, {
      ...(childPath === undefined ? {} : { childPath }),
      nodeArguments: [...nodeArguments, '-r', disk],
    });
    await expect(unpacking).rejects.toBeInstanceOf(DiskFullError);
  });

  it('unpacks the files of a pack, readable by their owner alone', async () => {
    expect(await unpack(zipOfPack(minimalPack()))).toEqual([]);
    expect(readFileSync(path.join(target, 'manifest.yaml'), 'utf8')).toContain('sample.pack');
    expect(statSync(path.join(target, 'scenarios/talk.yaml')).mode & 0o777).toBe(0o600);
  });

  it('takes the one folder that wraps a pack for the pack, leftovers beside it or not', async () => {
    const files = { ...minimalPack(), '../__MACOSX/x': '' };
    const wrapped = Object.entries(files).map(([name, data]) => ({ name: path.posix.join('my pack', name), data }));
    const findings = await unpack(zipBytes([{ name: 'my pack/', mode: 0o40755 }, ...wrapped]));
    expect(findings).toEqual([
      expect.objectContaining({ severity: 'warning', rule: 'file.skipped', file: '__MACOSX' }),
    ]);
    expect(existsSync(path.join(target, 'manifest.yaml'))).toBe(true);
  });

  it('accepts stored entries, a comment, and archives made on other systems', async () => {
    expect(await rules([{ ...MANIFEST, stored: true, madeOn: 0, mode: 0 }], { comment: 'hello' })).toEqual([]);
  });

  it('accepts archives that were written without going back, with sizes after the data', async () => {
    const streamed = [MANIFEST, { name: 'assets/a.txt', data: 'hello' }].map((entry) => ({
      ...entry,
      descriptor: true,
    }));
    expect(await rules(streamed)).toEqual([]);
    expect(readFileSync(path.join(target, 'assets/a.txt'), 'utf8')).toBe('hello');
  });

  it('accepts what packs well: a high ratio alone is no fault', async () => {
    expect(await rules([MANIFEST, { name: 'assets/a.txt', data: Buffer.alloc(20_000_000, 32) }])).toEqual([]);
  });

  it.each<[string, readonly ZipEntry[], ZipOptions?]>([
    ['sizes after the data, without a signature', [{ name: 'a', data: HELLO, descriptor: descriptorOf(HELLO, { signature: false }) }]],
    ['sizes after the data in 64 bits', [{ name: 'a', data: HELLO, descriptor: descriptorOf(HELLO, { wide: true }) }]],
    ['sizes after the data in 64 bits, without a signature', [{ name: 'a', data: HELLO, descriptor: descriptorOf(HELLO, { wide: true, signature: false }) }]],
    ['64-bit sizes in the local header', [{ name: 'a', data: HELLO, local: { size: IN_EXTRA, packedSize: IN_EXTRA, extra: zip64Field(HELLO.length, HELLO_PACKED) } }]],
    ['64-bit sizes in the local header that are filled in later', [{ name: 'a', data: HELLO, descriptor: descriptorOf(HELLO, { wide: true }), local: { size: IN_EXTRA, packedSize: IN_EXTRA, extra: zip64Field(0, 0) } }]],
    ['64-bit sizes in both places', [{ name: 'a', data: HELLO, central: { size: IN_EXTRA, packedSize: IN_EXTRA, offset: IN_EXTRA }, extra: zip64Field(HELLO.length, HELLO_PACKED, 0) }]],
    ['64-bit sizes that nothing needs but that are true', [{ name: 'a', data: HELLO, extra: zip64Field(HELLO.length, HELLO_PACKED) }]],
    ['a Unicode name that is the name', [{ name: 'ä', data: HELLO, extra: unicodeNameField('ä', 'ä'), local: { extra: unicodeNameField('ä', 'ä') } }]],
    ['extra fields of other kinds', [{ name: 'a', data: HELLO, extra: Buffer.from('5554050001aabbccdd', 'hex'), local: { extra: Buffer.from('5554050001aabbccdd', 'hex') } }]],
    ['a 64-bit end that nothing needs', [MANIFEST], { zip64: 'not needed', comment: 'hello' }],
    ['a 64-bit end that the other end leaves it to', [MANIFEST], { zip64: 'needed' }],
    ['the signature of an end in a stored file', [{ name: 'a', data: 'PK\x05\x06 and PK\x06\x07 and PK\x01\x02', stored: true }, MANIFEST]],
    ['a whole archive in a stored file', [{ name: 'a', data: zipBytes([MANIFEST]), stored: true }]],
    ['a name of 200 characters', [{ name: 'n'.repeat(200), data: HELLO }]],
    ['a path of 390 characters', [MANIFEST, { name: `${'p'.repeat(190)}/${'n'.repeat(199)}`, data: HELLO }]],
    ['a file that is larger than what is unpacked at once', [{ name: 'a', data: 'some text '.repeat(400_000) }, { name: 'b', data: 'some text '.repeat(400_000), stored: true }]],
  ])('accepts %s', async (_name, entries, options = {}) => {
    expect(await rules(entries, options)).toEqual([]);
    for (const { name, data = '' } of entries)
      expect(readFileSync(path.join(target, String(name))).equals(Buffer.from(data as string))).toBe(true);
  }); // prettier-ignore

  it('composes names that were taken apart, as some systems do', async () => {
    await unpack(zipBytes([MANIFEST, { name: 'assets/u\u0308.txt', data: 'x' }]));
    expect(readdirSync(path.join(target, 'assets'))).toEqual(['\u00fc.txt']);
  });

  it.each<[string, readonly ZipEntry[], ZipOptions | undefined, string]>([
    ['a symbolic link', [{ name: 'a', data: '/etc/passwd', mode: 0o120777 }], undefined, 'zip.symlink'],
    ['a symbolic link under the number of another system', [{ name: 'a', data: '/etc', mode: 0o120777, madeOn: 0 }], undefined, 'zip.symlink'],
    ['a device', [{ name: 'a', mode: 0o020644 }], undefined, 'zip.special-file'],
    ['a name pipe', [{ name: 'a', mode: 0o010644 }], undefined, 'zip.special-file'],
    ['a folder that says it is a file', [{ name: 'a/', mode: 0o100644 }], undefined, 'zip.special-file'],
    ['a folder with data', [{ name: 'a/', data: 'x', mode: 0o40755 }], undefined, 'zip.invalid'],
    ['..', [{ name: '../../evil.txt' }], undefined, 'zip.path-escape'],
    ['.. in the middle', [{ name: 'a/../../evil.txt' }], undefined, 'zip.path-escape'],
    ['an absolute name', [{ name: '/tmp/evil.txt' }], undefined, 'zip.path-escape'],
    ['a drive', [{ name: 'C:/evil.txt' }], undefined, 'zip.path-escape'],
    ['backslashes', [{ name: '..\\evil.txt' }], undefined, 'zip.path-escape'],
    ['a stream of a file', [{ name: 'abc:stream' }], undefined, 'zip.name'],
    ['a device name', [{ name: 'assets/aux.txt' }], undefined, 'zip.name'],
    ['a control character', [{ name: 'a\u0007' }], undefined, 'zip.name'],
    ['a NUL', [{ name: 'a.txt\0.exe' }], undefined, 'zip.name'],
    ['a dot at the end', [{ name: 'a.' }], undefined, 'zip.name'],
    ['an empty part', [{ name: 'a//b' }], undefined, 'zip.name'],
    ['an empty name', [{ name: '' }], undefined, 'zip.name'],
    ['a name that is no UTF-8', [{ name: Buffer.from([0x61, 0xff]) }], undefined, 'zip.name'],
    ['deep folders', [{ name: `${'a/'.repeat(20)}b` }], undefined, 'zip.name'],
    ['the same name twice', [MANIFEST, MANIFEST], undefined, 'zip.duplicate'],
    ['names that differ in case', [{ name: 'A.txt' }, { name: 'a.txt' }], undefined, 'zip.duplicate'],
    ['names that differ in composition', [{ name: '\u00fc' }, { name: 'u\u0308' }], undefined, 'zip.duplicate'],
    ['a file that is a folder too', [{ name: 'a' }, { name: 'a/b' }], undefined, 'zip.duplicate'],
    ['an encrypted entry', [{ name: 'a', flags: 0x801 }], undefined, 'zip.encrypted'],
    ['strong encryption', [{ name: 'a', flags: 0x840 }], undefined, 'zip.invalid'],
    ['an unknown method', [{ name: 'a', method: 12 }], undefined, 'zip.method'],
    ['a wrong checksum', [{ name: 'a', data: 'abc', crc: 1 }], undefined, 'zip.invalid'],
    ['an entry larger than it says', [{ name: 'a', data: 'x'.repeat(100_000), size: 10 }], undefined, 'zip.invalid'],
    ['an entry smaller than it says', [{ name: 'a', data: 'abc', size: 10 }], undefined, 'zip.invalid'],
    ['two names for one entry', [{ name: 'a', data: 'abc', local: { name: 'b' } }], undefined, 'zip.invalid'],
    ['two methods for one entry', [{ name: 'a', data: 'abc', local: { method: 0 } }], undefined, 'zip.invalid'],
    ['two sizes for one entry', [{ name: 'a', data: 'abc', local: { size: 9 } }], undefined, 'zip.invalid'],
    ['entries that share their bytes', [{ name: 'a', data: 'abc' }, { name: 'b', data: 'abc', sameBytesAsBefore: true, local: {} }], undefined, 'zip.invalid'],
    ['something before the first entry', [MANIFEST], { before: Buffer.from('MZ\x90\0') }, 'zip.invalid'],
    ['something between entries', [MANIFEST, { name: 'b' }], { gap: Buffer.from('hidden') }, 'zip.invalid'],
    ['something after the end', [MANIFEST], { after: Buffer.from('x') }, 'zip.invalid'],
    ['a second end', [MANIFEST], { comment: 'PK\x05\x06' + '\0'.repeat(18) }, 'zip.invalid'],
    ['a 64-bit size beside the data that is another one', [{ name: 'a', data: HELLO, local: { size: IN_EXTRA, packedSize: IN_EXTRA, extra: zip64Field(5, HELLO_PACKED) } }], undefined, 'zip.invalid'],
    ['a 64-bit packed size beside the data that is another one', [{ name: 'a', data: HELLO, local: { size: IN_EXTRA, packedSize: IN_EXTRA, extra: zip64Field(HELLO.length, 5) } }], undefined, 'zip.invalid'],
    ['a 64-bit size that nothing needs and that is another one', [{ name: 'a', data: HELLO, local: { extra: zip64Field(5, 5) } }], undefined, 'zip.invalid'],
    ['a 64-bit size in the list that nothing needs and that is another one', [{ name: 'a', data: HELLO, extra: zip64Field(5, HELLO_PACKED) }], undefined, 'zip.invalid'],
    ['two 64-bit sizes', [{ name: 'a', data: HELLO, extra: Buffer.concat([zip64Field(HELLO.length), zip64Field(HELLO.length)]) }], undefined, 'zip.invalid'],
    ['a size that is said to be elsewhere and is nowhere', [{ name: 'a', data: HELLO, local: { size: IN_EXTRA } }], undefined, 'zip.invalid'],
    ['a Unicode name that is another one', [{ name: 'a.txt', data: HELLO, extra: unicodeNameField('a.txt', 'b.sh') }], undefined, 'zip.invalid'],
    ['a Unicode name beside the data that is another one', [{ name: 'a.txt', data: HELLO, local: { extra: unicodeNameField('a.txt', '../b') } }], undefined, 'zip.invalid'],
    ['extra fields that do not end where they should', [{ name: 'a', data: HELLO, local: { extra: Buffer.from('55540500aa', 'hex') } }], undefined, 'zip.invalid'],
    ['another checksum after the data', [{ name: 'a', data: HELLO, descriptor: descriptorOf(HELLO, { crc: 1 }) }], undefined, 'zip.invalid'],
    ['another size after the data', [{ name: 'a', data: HELLO, descriptor: descriptorOf(HELLO, { size: 5 }) }], undefined, 'zip.invalid'],
    ['another size after the data, without a signature', [{ name: 'a', data: HELLO, descriptor: descriptorOf(HELLO, { size: 5, signature: false }) }], undefined, 'zip.invalid'],
    ['another size after the data in 64 bits', [{ name: 'a', data: HELLO, descriptor: descriptorOf(HELLO, { size: 5, wide: true }) }], undefined, 'zip.invalid'],
    ['no signature where one must be', [{ name: 'a', data: HELLO, descriptor: Buffer.concat([Buffer.alloc(4), descriptorOf(HELLO, { signature: false })]) }], undefined, 'zip.invalid'],
    ['bytes behind the packed data', [{ name: 'a', data: HELLO, behind: Buffer.from('hidden') }], undefined, 'zip.invalid'],
    ['many bytes behind the packed data of a large file', [{ name: 'a', data: 'x'.repeat(3_000_000), behind: Buffer.alloc(300_000, 1) }], undefined, 'zip.invalid'],
    ['an entry on disk 1', [{ name: 'a', data: HELLO, disk: 1 }], undefined, 'zip.invalid'],
    ['another 64-bit place of the list', [MANIFEST], { zip64: 'not needed', changeZip64: (record) => record.writeBigUInt64LE(0n, 48) }, 'zip.invalid'],
    ['another 64-bit count', [MANIFEST], { zip64: 'not needed', changeZip64: (record) => record.writeBigUInt64LE(2n, 32) }, 'zip.invalid'],
    ['something in the 64-bit end', [MANIFEST], { zip64: 'not needed', changeZip64: (record) => record.writeBigUInt64LE(43n, 4) }, 'zip.invalid'],
    ['a 64-bit end on another disk', [MANIFEST], { zip64: 'not needed', changeZip64: (record) => record.writeUInt32LE(1, 16) }, 'zip.invalid'],
    ['a 64-bit end that points elsewhere', [MANIFEST], { zip64: 'not needed', changeZip64: (_record, locator) => locator.writeBigUInt64LE(0n, 8) }, 'zip.invalid'],
    ['an end that leaves it to one that is not there', [MANIFEST], { entryCount: 0xffff }, 'zip.invalid'],
    ['a part of a path that is longer than 240 bytes', [{ name: `a/${'n'.repeat(241)}` }], undefined, 'zip.name'],
    ['a path that is longer than 400 bytes', [{ name: `${'p'.repeat(200)}/${'n'.repeat(200)}` }], undefined, 'zip.name'],
    ['more entries than it has', [MANIFEST], { entryCount: 2 }, 'zip.invalid'],
    ['fewer entries than it has', [MANIFEST, { name: 'b' }], { entryCount: 1 }, 'zip.invalid'],
    ['more than 10,000 entries', Array.from({ length: 10_001 }, (_, index) => ({ name: `a${index}`, stored: true })), undefined, 'zip.too-large'],
    ['a promise of more than 500 MB', [{ name: 'a', data: 'x', size: 501 * 1024 * 1024 }], undefined, 'zip.too-large'],
  ])('refuses %s', async (_name, entries, options, rule) => {
    expect(await rules(entries, options)).toContain(rule);
    expect(readdirSync(folder.path).sort()).toEqual(['inside', 'pack.zip']);
    expect(readdirSync(path.join(folder.path, 'inside'))).toEqual(['target']);
  }); // prettier-ignore

  it.each([
    ['no archive at all', Buffer.from('hello')],
    ['an empty file', Buffer.alloc(0)],
    ['an archive cut in half', zipOfPack(minimalPack()).subarray(0, 900)],
    ['an end without the rest', zipOfPack(minimalPack()).subarray(-40)],
  ])('says that %s is not valid', async (_name, bytes) => {
    expect((await unpack(bytes)).map((one) => one.rule)).toEqual(['zip.invalid']);
  });

  it('never throws, whatever byte of an archive is another one', async () => {
    const honest = zipBytes([
      MANIFEST,
      { name: 'assets/', mode: 0o40755 },
      { name: 'assets/a.txt', data: 'hello', stored: true },
    ]);
    for (let at = 0; at < honest.length; at += 1) {
      const changed = Buffer.from(honest);
      changed[at] = (changed[at] ?? 0) ^ 0xff;
      const place = path.join(folder.path, `run${at}`);
      mkdirSync(place);
      writeFileSync(archive, changed);
      const findings = await unpackZip(archive, place);
      expect(findings.every((one) => /^(zip|file)\./.test(one.rule))).toBe(true);
    }
    expect(
      readdirSync(folder.path)
        .filter((name) => !name.startsWith('run'))
        .sort(),
    ).toEqual(['inside', 'pack.zip']);
  });

  it('reports every name that is wrong, not only the first', async () => {
    expect(await rules([{ name: '../a' }, { name: 'b', mode: 0o120777 }, { name: 'aux' }])).toEqual([
      'zip.path-escape',
      'zip.symlink',
      'zip.name',
    ]);
  });

  describe('in a process of its own', () => {
    it('answers what it found', async () => {
      writeFileSync(archive, zipOfPack(minimalPack()));
      expect(await openArchive(archive, target, UNPACK_FROM_SOURCES)).toEqual([]);
      expect(existsSync(path.join(target, 'manifest.yaml'))).toBe(true);
      writeFileSync(archive, zipBytes([{ name: '../x' }]));
      expect(await openArchive(archive, target, UNPACK_FROM_SOURCES)).toEqual([
        expect.objectContaining({ rule: 'zip.path-escape', file: '../x' }),
      ]);
    });

    it.each([
      ['hangs', 'setInterval(() => {}, 1000)', 'takes too long'],
      ['dies', 'process.exit(3)', 'cannot be unpacked'],
      ['eats memory', 'const a = []; for (;;) a.push(new Array(1e5).fill(Math.random()))', 'cannot be unpacked'],
    ])('is refused when that process %s', async (_name, script, message) => {
      const broken = path.join(folder.path, 'broken.js');
      writeFileSync(broken, script);
      const timeoutMs = script.startsWith('setInterval') ? 300 : 60_000;
      const findings = await openArchive(archive, target, { childPath: broken, timeoutMs });
      expect(findings).toEqual([
        expect.objectContaining({ rule: 'zip.invalid', message: expect.stringContaining(message) as string }),
      ]);
    });
  });
});
