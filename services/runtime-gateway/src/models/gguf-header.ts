import { openRegularFile } from './open-regular-file';

/** What the head of a GGUF file says; null where it does not. */
export interface GgufHeader {
  readonly name: string | null;
  readonly architecture: string | null;
  /** Tokens that the model was made for. */
  readonly context_length: number | null;
  /** For example Q4_K_M. */
  readonly quantisation: string | null;
  readonly size_bytes: number;
}

/** The file is no GGUF file, or one that cannot be read. The message is for a person. */
export class GgufError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'GgufError';
  }
}

/** What is read of a file, at most: the facts stand before the vocabulary, which can be many megabytes. */
const HEAD_BYTES = 1024 * 1024;
const MAX_TEXT = 65_536;
const SMALLEST_FILE = 24;

/** Value types of the format, with their sizes; 8 is text, 9 a list. */
const SIZES: Readonly<Record<number, number>> = { 0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8 };
const TEXT = 8;
const LIST = 9;

/** Quantisations by their number in `general.file_type`. */
const QUANTISATIONS: Readonly<Record<number, string>> = {
  0: 'F32', 1: 'F16', 2: 'Q4_0', 3: 'Q4_1', 7: 'Q8_0', 8: 'Q5_0', 9: 'Q5_1', 10: 'Q2_K', 11: 'Q3_K_S', 12: 'Q3_K_M',
  13: 'Q3_K_L', 14: 'Q4_K_S', 15: 'Q4_K_M', 16: 'Q5_K_S', 17: 'Q5_K_M', 18: 'Q6_K', 19: 'IQ2_XXS', 20: 'IQ2_XS',
  21: 'Q2_K_S', 22: 'IQ3_XS', 23: 'IQ3_XXS', 24: 'IQ1_S', 25: 'IQ4_NL', 26: 'IQ3_S', 27: 'IQ3_M', 28: 'IQ2_S',
  29: 'IQ2_M', 30: 'IQ4_XS', 31: 'IQ1_M', 32: 'BF16', 38: 'MXFP4',
}; // prettier-ignore

/** The head ended before what is asked for: not an error, the rest is simply unknown. */
export class EndOfHead extends Error {}

export class HeadReader {
  constructor(
    private readonly bytes: Buffer,
    private at = 0,
  ) {}

  /** Bytes that have been read or passed over. */
  get position(): number {
    return this.at;
  }

  private take(length: number): Buffer {
    if (length < 0 || this.at + length > this.bytes.length) throw new EndOfHead();
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  uint32(): number {
    return this.take(4).readUInt32LE();
  }

  count(): number {
    const value = this.take(8).readBigUInt64LE();
    if (value > BigInt(Number.MAX_SAFE_INTEGER))
      throw new GgufError('The file is damaged: it counts beyond all measure.');
    return Number(value);
  }

  text(): string {
    const length = this.count();
    return length > MAX_TEXT ? (this.take(length), '') : this.take(length).toString('utf8');
  }

  /** A number or text; null for a list, which is passed over. */
  value(type: number): number | string | null {
    if (type === TEXT) return this.text();
    if (type === LIST) {
      this.skipList();
      return null;
    }
    const size = SIZES[type];
    if (size === undefined) throw new GgufError('The file is damaged: it holds a value of an unknown kind.');
    const bytes = this.take(size);
    return type === 6 || type === 12 ? null : Number(size === 8 ? bytes.readBigInt64LE() : bytes.readUIntLE(0, size));
  }

  private skipList(): void {
    const type = this.uint32();
    const count = this.count();
    const size = SIZES[type];
    if (size !== undefined) this.take(size * count);
    else if (type === TEXT) for (let index = 0; index < count; index += 1) this.text();
    else throw new GgufError('The file is damaged: it holds a list of an unknown kind.');
  }
}

function readFacts(reader: HeadReader): Map<string, number | string> {
  const facts = new Map<string, number | string>();
  try {
    reader.count(); // Tensors.
    const pairs = reader.count();
    for (let index = 0; index < pairs; index += 1) {
      const key = reader.text();
      const value = reader.value(reader.uint32());
      if (value !== null) facts.set(key, value);
    }
  } catch (error) {
    if (!(error instanceof EndOfHead)) throw error;
  }
  return facts;
}

const textOr = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
const countOr = (value: unknown): number | null => (typeof value === 'number' && value > 0 ? value : null);

/**
 * Reads name, context length, quantisation and size out of the head of a GGUF file: the first megabyte, never more.
 * @throws GgufError when it is none; NotAFileError; the system's error when it cannot be opened.
 */
export async function readGgufHeader(file: string): Promise<GgufHeader> {
  const handle = await openRegularFile(file);
  try {
    const { size } = await handle.stat();
    const head = Buffer.alloc(Math.min(size, HEAD_BYTES));
    await handle.read(head, 0, head.length, 0);
    return parseGgufHead(head, size);
  } finally {
    await handle.close();
  }
}

/** Bytes that every GGUF file begins with. */
export const MAGIC_LENGTH = 4;

/** @param beginning At least MAGIC_LENGTH bytes of a file, or all of a shorter one. @throws GgufError */
export function refuseOtherFormats(beginning: Buffer): void {
  if (beginning.toString('latin1', 0, MAGIC_LENGTH) !== 'GGUF')
    throw new GgufError('This is no GGUF file. Choose a model file whose name ends in .gguf.');
}

/** @param head The beginning of the file. @param size Of the whole file, in bytes. @throws GgufError */
export function parseGgufHead(head: Buffer, size: number): GgufHeader {
  refuseOtherFormats(head);
  if (size < SMALLEST_FILE) throw new GgufError('The file is cut off after its first bytes; fetch it again.');
  const version = head.readUInt32LE(4);
  if (version < 2 || version > 3)
    throw new GgufError(
      `This GGUF file has version ${version}; versions 2 and 3 can be read. Look for a newer file of the model.`,
    );
  const facts = readFacts(new HeadReader(head.subarray(8)));
  const architecture = textOr(facts.get('general.architecture'));
  const fileType = facts.get('general.file_type');
  return {
    name: textOr(facts.get('general.name')),
    architecture,
    context_length: countOr(facts.get(`${architecture ?? ''}.context_length`)),
    quantisation: typeof fileType === 'number' ? (QUANTISATIONS[fileType] ?? null) : null,
    size_bytes: size,
  };
}
