import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { ParleySet } from '../set/parley-set';
import { LONG_TALK, sampleFile } from '../set/sample-pack';

/** The pack that comes and goes: whole, and at home under another id than the one that is played. */
const PASSING = 'passing_talk';
const NAMES = [
  'manifest.yaml',
  'scenarios/talk.yaml',
  'npcs/kim.yaml',
  'scenes/room.yaml',
  'rubrics/basics.yaml',
  'safety/policy.yaml',
  'LICENSE',
] as const;

type Entries = Readonly<Record<string, string | Buffer>>;

const passingPack = (changes: Entries = {}): Entries => ({
  ...Object.fromEntries(NAMES.map((name) => [name, sampleFile(name).replaceAll(LONG_TALK, PASSING)])),
  ...changes,
});

function zipOf(entries: Entries, mode?: number): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, data] of Object.entries(entries))
    zip.addBuffer(Buffer.from(data), name, mode === undefined ? {} : { mode });
  zip.end();
  return buffer(zip.outputStream);
}

/** The same length, so that all offsets stay as they are. */
const renamed = (zip: Buffer, from: string, to: string): Buffer =>
  Buffer.from(zip.toString('latin1').replaceAll(from, to), 'latin1');

async function bomb(): Promise<Buffer> {
  const zip = new ZipFile();
  const zeros = Buffer.alloc(1_000_000);
  zip.addReadStream(Readable.from(Array.from({ length: 520 }, () => zeros)), 'assets/zeros.png');
  zip.end();
  return buffer(zip.outputStream);
}

const ELF = Buffer.concat([Buffer.from('\x7fELF', 'latin1'), Buffer.alloc(200)]);
const SCRIPTED = '<svg xmlns="http://www.w3.org/2000/svg"><script>fetch("/api/sessions")</script></svg>';
const ALIASES = `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefgh'.replace(/./g, (name, at: number) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[at]}`).join()}]\n`)}`;
const DEEP = `a: ${'['.repeat(60_000)}${']'.repeat(60_000)}\n`;
const MANY_KEYS = Array.from({ length: 20_000 }, (_one, at) => `key${at}: ${at}\n`).join('');
const LONG_WORDS = `${sampleFile('scenarios/talk.yaml').replaceAll(LONG_TALK, PASSING)}\nextra: "${'a AND '.repeat(30_000)}"\n`;

const PACKS: readonly [what: string, archive: () => Promise<Buffer>][] = [
  ['bytes that are no archive', () => Promise.resolve(randomBytes(20_000))],
  ['half an archive', async () => (await zipOf(passingPack())).subarray(0, 900)],
  [
    'a path that leads outside',
    async () => renamed(await zipOf(passingPack({ 'aa/bb.txt': 'x' })), 'aa/bb.txt', '../b2.txt'),
  ],
  ['a link', () => zipOf(passingPack({ 'assets/a.txt': '/etc/passwd' }), 0o120777)],
  ['a program', () => zipOf(passingPack({ 'assets/a.png': ELF }))],
  ['a picture with a script', () => zipOf(passingPack({ 'assets/a.svg': SCRIPTED }))],
  ['YAML that grows', () => zipOf(passingPack({ 'manifest.yaml': ALIASES }))],
  ['YAML that is deep', () => zipOf(passingPack({ 'npcs/kim.yaml': DEEP }))],
  ['YAML with many keys', () => zipOf(passingPack({ 'scenarios/talk.yaml': MANY_KEYS }))],
  ['words without end', () => zipOf(passingPack({ 'scenarios/talk.yaml': LONG_WORDS }))],
  ['a bomb', bomb],
];

/** Valid in its form, and work for each language again. Whether there is a limit or not, it must hold nobody else up. */
const manyLanguages = (): Promise<Buffer> => {
  const letters = [...'abcdefghijklmnopqrst'];
  const languages = letters.flatMap((first) => letters.map((second) => `${first}${second}`));
  const manifest = sampleFile('manifest.yaml').replaceAll(LONG_TALK, PASSING);
  return zipOf(passingPack({ 'manifest.yaml': manifest.replace('[en]', `[en, ${languages.join(', ')}]`) }));
};

const twoThousandFiles = (): Promise<Buffer> =>
  zipOf(passingPack(Object.fromEntries(Array.from({ length: 2_000 }, (_one, at) => [`assets/${at}.txt`, `${at}`]))));

const BOUNDARY = 'a-boundary-of-the-soak';
const multipart = (archive: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.zip"\r\nContent-Type: application/zip\r\n\r\n`,
    ),
    archive,
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]);

/** Refused, or not possible at the moment; all else is a surprise. */
const REFUSED = [400, 413, 422, 503];
/** A pack that is fine is installed, unless it is there still. */
const INSTALLED = [201, 409, 503];

/** Imports packs that must be refused, and one that is fine and goes again, one after the other. */
export class HostileImports {
  readonly statuses = new Map<string, number>();
  readonly surprises: string[] = [];
  private stopping = false;

  constructor(
    private readonly set: ParleySet,
    private readonly random: () => number,
  ) {}

  stop(): void {
    this.stopping = true;
  }

  async run(): Promise<void> {
    while (!this.stopping) {
      const [what, archive] = PACKS[Math.floor(this.random() * PACKS.length)] ?? ['', bomb];
      await this.send(what, await archive(), REFUSED);
      const kind = this.random();
      if (kind < 0.1) await this.comeAndGo(await manyLanguages(), [...REFUSED, ...INSTALLED]);
      else await this.comeAndGo(kind < 0.3 ? await twoThousandFiles() : await zipOf(passingPack()), INSTALLED);
    }
  }

  private async send(what: string, archive: Buffer, expected: readonly number[]): Promise<number> {
    const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
    const reply = await this.set
      .call('POST', '/api/packs/import', multipart(archive), { headers })
      .catch((error: unknown) => ({ status: 0, text: String(error) }));
    this.statuses.set(String(reply.status), (this.statuses.get(String(reply.status)) ?? 0) + 1);
    // A connection that was closed while the archive was still on its way is a refusal as well.
    if (!expected.includes(reply.status) && reply.status !== 0)
      this.surprises.push(`${what} was answered with ${reply.status} ${reply.text}`);
    return reply.status;
  }

  private async comeAndGo(archive: Buffer, expected: readonly number[]): Promise<void> {
    await this.send('a pack that may come and go', archive, expected);
    const { status } = await this.set.call('DELETE', `/api/packs/${PASSING}`).catch(() => ({ status: 503 }));
    if (![204, 404, 503].includes(status)) this.surprises.push(`uninstalling was answered with ${status}`);
  }
}
