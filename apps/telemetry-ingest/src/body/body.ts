/** Decompressed bytes of a request's body, in memory or in a file. */
export interface Body {
  readonly sizeBytes: number;
  /** Whether the whole body is in memory. */
  readonly isInMemory: boolean;
  /** Part of the body that is in memory; `offset` is its position in the body. Both change with `bring`. */
  readonly bytes: Buffer;
  readonly offset: number;
  /** Loads a range into memory; returns a promise if it has to be read first. */
  bring(start: number, end: number): Promise<void> | undefined;
  /** Yields the whole body from its beginning. */
  chunks(): AsyncIterable<Buffer>;
  close(): Promise<void>;
}

/** Small, since parsing JSON turns a chunk into a hundred times as many objects. */
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
