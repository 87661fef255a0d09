/** Media types of assets, by the first bytes: an extension is a claim, not a fact. */
const SIGNATURES: readonly (readonly [mediaType: string, matches: (head: Buffer) => boolean])[] = [
  ['image/png', (head) => head.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))],
  ['image/jpeg', (head) => head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff],
  ['image/gif', (head) => /^GIF8[79]a/.test(head.toString('latin1', 0, 6))],
  ['image/webp', (head) => head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP'],
  ['audio/wav', (head) => head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WAVE'],
  ['audio/ogg', (head) => head.toString('latin1', 0, 4) === 'OggS'],
  [
    'audio/mpeg',
    (head) => head.toString('latin1', 0, 3) === 'ID3' || (head[0] === 0xff && ((head[1] ?? 0) & 0xe6) === 0xe2),
  ],
];

/** Which type a file with this extension has when it is what it says. */
export const ASSET_TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  svg: 'image/svg+xml',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  wav: 'audio/wav',
  txt: 'text/plain',
  md: 'text/plain',
};

/** How many of the first bytes `sniffType`, `documentKind` and `executableKind` need. */
export const HEAD_BYTES = 1024;

/** The type that the bytes show, or null. Texts and SVG have no signature: their own inspection decides. */
export function sniffType(head: Buffer): string | null {
  return SIGNATURES.find(([, matches]) => matches(head))?.[0] ?? null;
}

const BYTE_ORDER_MARKS = /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/;

/**
 * Name of the kind of document that the bytes begin with and that a program could run or render, or null. A picture or
 * sound that is one is no mistake in an extension: somebody hides it. Readers look past blanks, and for PDF past a
 * kilobyte of anything.
 */
export function documentKind(head: Buffer): string | null {
  const all = head.toString('latin1');
  if (all.includes('%PDF-')) return 'PDF';
  const text = all.replace(BYTE_ORDER_MARKS, '').replace(/\0/g, '').trimStart();
  if (/<svg[\s>]/i.test(text)) return 'SVG';
  if (/<(?:!doctype\s+html|html|head|body|script|iframe)[\s>]/i.test(text)) return 'HTML';
  if (/^<\?xml\s/i.test(text)) return 'XML';
  return /^<(?:[a-z]|!--)/i.test(text) ? 'HTML' : null;
}

const MACH_O = ['feedface', 'feedfacf', 'cefaedfe', 'cffaedfe', 'cafebabe', 'bebafeca', 'cafebabf'];

/** Name of the executable format whose signature the bytes begin with (docs/interface.md, Import rules, 1), or null. */
export function executableKind(head: Buffer): string | null {
  const start = head.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf])) ? head.subarray(3) : head;
  const four = head.toString('hex', 0, 4);
  if (four === '7f454c46') return 'ELF';
  if (four === '0061736d') return 'WebAssembly';
  if (MACH_O.includes(four)) return 'Mach-O';
  if (head.toString('latin1', 0, 2) === 'MZ') return 'PE';
  if (start.toString('latin1', 0, 2) === '#!') return 'a script (shebang)';
  return null;
}
