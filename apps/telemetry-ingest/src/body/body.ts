/** The bytes of a request's body, decompressed, in memory or in a file. */
export interface Body {
  readonly sizeBytes: number;
  /** Whether all of it is at hand. */
  readonly isInMemory: boolean;
  /** What is at hand; `offset` is where it begins in the body. Both change with `bring`. */
  readonly bytes: Buffer;
  readonly offset: number;
  /** Makes a range be at hand; a promise where it has to be read first. */
  bring(start: number, end: number): Promise<void> | undefined;
  /** The whole of it, from its beginning. */
  chunks(): AsyncIterable<Buffer>;
  close(): Promise<void>;
}

/** Small, since JSON turns a chunk into a hundred times as many objects. */
export const CHUNK_BYTES = 16 * 1024;

export function memoryBody(bytes: Buffer): Body {
  return {
    sizeBytes: bytes.length,
    isInMemory: true,
    bytes,
    offset: 0,
    bring: () => undefined,
    async *chunks() {
      for (let start = 0; start < bytes.length; start += CHUNK_BYTES) yield bytes.subarray(start, start + CHUNK_BYTES);
    },
    close: async () => undefined,
  };
}
