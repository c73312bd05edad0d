const UINT32 = 4;
const STRING = 8;

/** Builds the head of a GGUF file with these metadata and no tensors, followed by bytes in place of weights. */
export function ggufFile(facts: Readonly<Record<string, string | number>>, weights: Buffer): Buffer {
  const entries = Object.entries(facts).map(([key, value]) =>
    Buffer.concat(
      typeof value === 'number' ? [text(key), uint32(UINT32), uint32(value)] : [text(key), uint32(STRING), text(value)],
    ),
  );
  return Buffer.concat([Buffer.from('GGUF'), uint32(3), uint64(0), uint64(entries.length), ...entries, weights]);
}

function text(value: string): Buffer {
  return Buffer.concat([uint64(Buffer.byteLength(value)), Buffer.from(value)]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}
