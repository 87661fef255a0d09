const text = (value: string): Buffer => {
  const bytes = Buffer.from(value);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(bytes.length));
  return Buffer.concat([length, bytes]);
};

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

/** The head of a GGUF file with name, context length and quantisation, padded to a size. */
export function smallGguf({ name = 'Tiny', version = 3, size = 4096 } = {}): Buffer {
  const pairs = [
    Buffer.concat([text('general.architecture'), uint32(8), text('llama')]),
    Buffer.concat([text('general.name'), uint32(8), text(name)]),
    Buffer.concat([text('general.tags'), uint32(9), uint32(8), uint64(2), text('a'), text('b')]),
    Buffer.concat([text('llama.rope.scale'), uint32(6), Buffer.alloc(4)]),
    Buffer.concat([text('llama.context_length'), uint32(4), uint32(8192)]),
    Buffer.concat([text('general.file_type'), uint32(4), uint32(15)]),
  ];
  const head = Buffer.concat([Buffer.from('GGUF'), uint32(version), uint64(0), uint64(pairs.length), ...pairs]);
  return Buffer.concat([head, Buffer.alloc(Math.max(0, size - head.length), 7)]);
}
