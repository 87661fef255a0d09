import type { FileHandle } from 'node:fs/promises';
import { EndOfHead, GgufError, HeadReader, refuseOtherFormats } from './gguf-header';
import { openRegularFile } from './open-regular-file';

/** What the table of tensors says of a model; null where the file does not. */
export interface GgufTensors {
  /** Of all tensors together, as they lie in memory. */
  readonly tensor_bytes: number;
  readonly layers: number | null;
  /** Heads of keys and values, per layer. */
  readonly key_heads: number | null;
  /** Numbers of one key, and of one value. */
  readonly key_length: number | null;
  readonly value_length: number | null;
}

/** Numbers of a block and its bytes, by the type's number in the format. */
const BLOCKS: Readonly<Record<number, readonly [numbers: number, bytes: number]>> = {
  0: [1, 4], 1: [1, 2], 2: [32, 18], 3: [32, 20], 6: [32, 22], 7: [32, 24], 8: [32, 34], 9: [32, 36], 10: [256, 84],
  11: [256, 110], 12: [256, 144], 13: [256, 176], 14: [256, 210], 15: [256, 292], 16: [256, 66], 17: [256, 74],
  18: [256, 98], 19: [256, 50], 20: [32, 18], 21: [256, 110], 22: [256, 82], 23: [256, 136], 24: [1, 1], 25: [1, 2],
  26: [1, 4], 27: [1, 8], 28: [1, 8], 29: [256, 56], 30: [1, 2], 34: [256, 54], 35: [256, 66], 39: [32, 17],
}; // prettier-ignore

const FIRST_READ = 1024 * 1024;
const READ_FACTOR = 8;
/** Longest head, with vocabulary and merges: the largest known have a tenth of it. */
const LONGEST_HEAD = 256 * 1024 * 1024;
const MOST_TENSORS = 1_000_000;
const DEFAULT_ALIGNMENT = 32;

const cutOff = (): GgufError =>
  new GgufError('The file is cut off: it ends before the model does. Fetch or copy it again.');

/** Bytes of a tensor; null for a type that is not known here. */
function bytesOf(type: number, numbers: number): number | null {
  const block = BLOCKS[type];
  return block === undefined ? null : Math.ceil(numbers / block[0]) * block[1];
}

/** @param head The beginning of the file. @param size Of the whole file. @throws EndOfHead when the head is longer. */
function parseTable(head: Buffer, size: number): GgufTensors {
  const reader = new HeadReader(head, 8);
  const count = reader.count();
  const pairs = reader.count();
  if (count > MOST_TENSORS) throw new GgufError('The file is damaged: it counts beyond all measure.');
  const facts = new Map<string, number | string>();
  for (let index = 0; index < pairs; index += 1) {
    const key = reader.text();
    const value = reader.value(reader.uint32());
    if (value !== null) facts.set(key, value);
  }
  let bytes = 0;
  let end = 0;
  for (let index = 0; index < count; index += 1) {
    reader.text();
    let numbers = 1;
    for (let left = reader.uint32(); left > 0; left -= 1) numbers *= reader.count();
    const own = bytesOf(reader.uint32(), numbers);
    const offset = reader.count();
    bytes += own ?? 0;
    end = Math.max(end, offset + (own ?? 0));
  }
  const alignment = Number(facts.get('general.alignment') ?? DEFAULT_ALIGNMENT) || DEFAULT_ALIGNMENT;
  const begin = Math.ceil(reader.position / alignment) * alignment;
  if (count > 0 && begin + end > size) throw cutOff();
  return { tensor_bytes: bytes, ...shapeOf(facts) };
}

function shapeOf(facts: ReadonlyMap<string, number | string>): Omit<GgufTensors, 'tensor_bytes'> {
  const architecture = facts.get('general.architecture') ?? '';
  const number = (name: string): number | null => {
    const value = facts.get(`${architecture}.${name}`);
    return typeof value === 'number' && value > 0 ? value : null;
  };
  const heads = number('attention.head_count');
  const embedding = number('embedding_length');
  const ofAHead = heads === null || embedding === null ? null : Math.floor(embedding / heads);
  return {
    layers: number('block_count'),
    // Where each layer has its own number, that of all heads is the most.
    key_heads: number('attention.head_count_kv') ?? heads,
    key_length: number('attention.key_length') ?? ofAHead,
    value_length: number('attention.value_length') ?? ofAHead,
  };
}

async function readHead(handle: FileHandle, length: number): Promise<Buffer> {
  const head = Buffer.alloc(length);
  const { bytesRead } = await handle.read(head, 0, length, 0);
  return head.subarray(0, bytesRead);
}

/**
 * Reads the table of tensors of a GGUF file, which stands behind the vocabulary.
 * @throws GgufError when the file is none, is damaged, or ends before its last tensor; NotAFileError; the system's error when
 * it cannot be opened.
 */
export async function readGgufTensors(file: string): Promise<GgufTensors> {
  const handle = await openRegularFile(file);
  try {
    const { size } = await handle.stat();
    const longest = Math.min(size, LONGEST_HEAD);
    for (let length = Math.min(FIRST_READ, longest); ; length = Math.min(length * READ_FACTOR, longest)) {
      const head = await readHead(handle, length);
      refuseOtherFormats(head);
      try {
        return parseTable(head, size);
      } catch (error) {
        if (!(error instanceof EndOfHead)) throw error;
        if (length === longest) throw cutOff();
      }
    }
  } finally {
    await handle.close();
  }
}
