/**
 * A GGUF file of the llama architecture with random weights and a tokenizer of its own, made on the spot: a real model for
 * tests of model servers, without a download. It writes no sense, but it writes it as any other model would.
 */

export interface TinyModelOptions {
  readonly name?: string;
  /** Size of an embedding; has to be a multiple of `heads`. */
  readonly dimension?: number;
  readonly layers?: number;
  readonly heads?: number;
  readonly keyHeads?: number;
  readonly feedForward?: number;
  /** Tokens that it says it was made for. */
  readonly context?: number;
  /** How likely an answer ends at each token. */
  readonly end?: number;
  /** null: none. */
  readonly template?: string | null;
  readonly seed?: number;
}

const CHAT_ML =
  "{% for m in messages %}{{'<|im_start|>' + m['role'] + '\\n' + m['content'] + '<|im_end|>' + '\\n'}}{% endfor %}{% if add_generation_prompt %}{{'<|im_start|>assistant\\n'}}{% endif %}";

/** What letters and pairs of letters are common in. */
const SAMPLE =
  'You are the landlord of a small house and a tenant wants to talk about the rent. Stay in character and answer in one or two sentences. ' +
  'The tenant has not paid for two months, says that the heating does not work and asks for more time. You would rather keep the tenant than look for another one.';
const MERGES = 120;
const ALIGNMENT = 32;
const F32 = 0;

/** A small generator of numbers in [0, 1) that a seed repeats (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A prime, so that no row of a matrix begins where another did. */
const POOL = 65_521;

/** Numbers that are normally distributed, near enough: sums of four. Matrices take them from different places. */
function normalPool(random: () => number): Float32Array {
  const scale = Math.sqrt(3);
  return Float32Array.from({ length: POOL }, () => (random() + random() + random() + random() - 2) * scale);
}

/** How GPT-2's tokenizer writes each byte as a character that can be seen. */
function byteCharacters(): string[] {
  const plain = (byte: number): boolean =>
    (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || (byte >= 174 && byte <= 255);
  let next = 256;
  return Array.from({ length: 256 }, (_unused, byte) => String.fromCharCode(plain(byte) ? byte : next++));
}

interface Vocabulary {
  readonly tokens: string[];
  readonly merges: string[];
  /** How often each token stands in the sample. */
  readonly counts: Map<string, number>;
}

/** Byte-pair encoding learned from the sample: single bytes, and the pairs that are most common. */
function vocabulary(): Vocabulary {
  const characters = byteCharacters();
  let words = (SAMPLE.match(/ ?[A-Za-z]+| ?[^\sA-Za-z]+/g) ?? []).map((word) =>
    [...Buffer.from(word)].map((byte) => characters[byte] ?? ''),
  );
  const tokens = [...characters];
  const merges: string[] = [];
  while (merges.length < MERGES) {
    const pairs = new Map<string, number>();
    for (const word of words)
      for (let at = 0; at + 1 < word.length; at += 1) {
        const pair = `${word[at]} ${word[at + 1]}`;
        pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
      }
    const [best] = [...pairs].sort((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1));
    if (best === undefined) break;
    const [left = '', right = ''] = best[0].split(' ');
    merges.push(best[0]);
    tokens.push(left + right);
    words = words.map((word) => merged(word, left, right));
  }
  const counts = new Map<string, number>();
  for (const token of words.flat()) counts.set(token, (counts.get(token) ?? 0) + 1);
  return { tokens, merges, counts };
}

function merged(word: readonly string[], left: string, right: string): string[] {
  const whole: string[] = [];
  for (let at = 0; at < word.length; at += 1) {
    const isPair = word[at] === left && word[at + 1] === right;
    whole.push(isPair ? left + right : (word[at] ?? ''));
    if (isPair) at += 1;
  }
  return whole;
}

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const uint64 = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
};
const float32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return bytes;
};
const text = (value: string): Buffer => Buffer.concat([uint64(Buffer.byteLength(value)), Buffer.from(value)]);
const pair = {
  uint32: (key: string, value: number) => Buffer.concat([text(key), uint32(4), uint32(value)]),
  float: (key: string, value: number) => Buffer.concat([text(key), uint32(6), float32(value)]),
  boolean: (key: string, value: boolean) => Buffer.concat([text(key), uint32(7), Buffer.from([value ? 1 : 0])]),
  text: (key: string, value: string) => Buffer.concat([text(key), uint32(8), text(value)]),
  texts: (key: string, values: readonly string[]) =>
    Buffer.concat([text(key), uint32(9), uint32(8), uint64(values.length), ...values.map(text)]),
  integers: (key: string, values: readonly number[]) =>
    Buffer.concat([text(key), uint32(9), uint32(5), uint64(values.length), ...values.map(uint32)]),
};

interface Tensor {
  readonly name: string;
  /** Rows first. */
  readonly shape: readonly number[];
  readonly values: Float32Array;
}

const SPECIAL = ['<|endoftext|>', '<|im_start|>', '<|im_end|>'] as const;

/** The bytes of the file. The same options make the same file. */
export function tinyModel(options: TinyModelOptions = {}): Buffer {
  const {
    name = 'tiny-random',
    dimension = 64,
    layers = 2,
    heads = 4,
    keyHeads = 2,
    feedForward = 160,
    context = 8192,
    end = 0.004,
    template = CHAT_ML,
    seed = 7,
  } = options;
  const { tokens: plain, merges, counts } = vocabulary();
  const tokens = [...plain, ...SPECIAL];
  const random = seeded(seed);
  const pool = normalPool(random);
  const headSize = dimension / heads;

  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const likely = tokens.map((token) => ((counts.get(token) ?? 0) + 0.02) / total);
  likely[tokens.indexOf('"')] = 0.05;
  for (const one of SPECIAL) likely[tokens.indexOf(one)] = one === '<|im_end|>' ? end : 0;
  const logits = likely.map((share) => (share > 0 ? Math.log(share) : -30));

  // One channel is the same for all tokens: after the norm it weighs the tokens by how likely they are.
  const constant = 0.5 * Math.sqrt(dimension);
  const normed = constant / Math.sqrt((constant * constant + (dimension - 1) * 0.09) / dimension);
  const matrix = (rows: number, columns: number, deviation: number, first?: (row: number) => number): Float32Array => {
    const values = new Float32Array(rows * columns);
    let from = Math.floor(random() * POOL);
    for (let at = 0; at < values.length; at += 1) {
      values[at] = (pool[from] ?? 0) * deviation;
      from = from + 1 === POOL ? 0 : from + 1;
    }
    if (first !== undefined) for (let row = 0; row < rows; row += 1) values[row * columns] = first(row);
    return values;
  };
  const weights = (named: string, rows: number, columns: number): Tensor => ({
    name: named,
    shape: [rows, columns],
    values: matrix(rows, columns, 0.02),
  });
  const ones = (named: string): Tensor => ({
    name: named,
    shape: [dimension],
    values: new Float32Array(dimension).fill(1),
  });
  const tensors: Tensor[] = [
    {
      name: 'token_embd.weight',
      shape: [tokens.length, dimension],
      values: matrix(tokens.length, dimension, 0.3, () => constant),
    },
    ones('output_norm.weight'),
    {
      name: 'output.weight',
      shape: [tokens.length, dimension],
      values: matrix(tokens.length, dimension, 1 / Math.sqrt(dimension), (row) => (logits[row] ?? 0) / normed),
    },
  ];
  for (let layer = 0; layer < layers; layer += 1) {
    const block = `blk.${layer}.`;
    tensors.push(
      ones(`${block}attn_norm.weight`),
      weights(`${block}attn_q.weight`, dimension, dimension),
      weights(`${block}attn_k.weight`, keyHeads * headSize, dimension),
      weights(`${block}attn_v.weight`, keyHeads * headSize, dimension),
      weights(`${block}attn_output.weight`, dimension, dimension),
      ones(`${block}ffn_norm.weight`),
      weights(`${block}ffn_gate.weight`, feedForward, dimension),
      weights(`${block}ffn_up.weight`, feedForward, dimension),
      weights(`${block}ffn_down.weight`, dimension, feedForward),
    );
  }
  const facts = [
    pair.text('general.architecture', 'llama'),
    pair.text('general.name', name),
    pair.uint32('general.file_type', 0),
    pair.uint32('general.alignment', ALIGNMENT),
    pair.uint32('llama.context_length', context),
    pair.uint32('llama.embedding_length', dimension),
    pair.uint32('llama.block_count', layers),
    pair.uint32('llama.feed_forward_length', feedForward),
    pair.uint32('llama.attention.head_count', heads),
    pair.uint32('llama.attention.head_count_kv', keyHeads),
    pair.uint32('llama.rope.dimension_count', headSize),
    pair.uint32('llama.vocab_size', tokens.length),
    pair.float('llama.attention.layer_norm_rms_epsilon', 1e-5),
    pair.float('llama.rope.freq_base', 10_000),
    pair.text('tokenizer.ggml.model', 'gpt2'),
    pair.text('tokenizer.ggml.pre', 'gpt-2'),
    pair.texts('tokenizer.ggml.tokens', tokens),
    // 1 is an ordinary token, 3 one of control.
    pair.integers(
      'tokenizer.ggml.token_type',
      tokens.map((_token, at) => (at < plain.length ? 1 : 3)),
    ),
    pair.texts('tokenizer.ggml.merges', merges),
    pair.uint32('tokenizer.ggml.bos_token_id', tokens.indexOf('<|endoftext|>')),
    pair.uint32('tokenizer.ggml.eos_token_id', tokens.indexOf('<|im_end|>')),
    pair.boolean('tokenizer.ggml.add_bos_token', false),
    ...(template === null ? [] : [pair.text('tokenizer.chat_template', template)]),
  ];
  return file(facts, tensors);
}

const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc(-bytes.length & (ALIGNMENT - 1))]);

function file(facts: readonly Buffer[], tensors: readonly Tensor[]): Buffer {
  let offset = 0;
  const table: Buffer[] = [];
  const blobs: Buffer[] = [];
  for (const { name, shape, values } of tensors) {
    table.push(
      Buffer.concat([
        text(name),
        uint32(shape.length),
        ...[...shape].reverse().map(uint64),
        uint32(F32),
        uint64(offset),
      ]),
    );
    const blob = padded(Buffer.from(values.buffer, values.byteOffset, values.byteLength));
    blobs.push(blob);
    offset += blob.length;
  }
  const head = [Buffer.from('GGUF'), uint32(3), uint64(tensors.length), uint64(facts.length), ...facts, ...table];
  return Buffer.concat([padded(Buffer.concat(head)), ...blobs]);
}
