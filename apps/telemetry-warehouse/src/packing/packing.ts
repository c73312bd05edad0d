import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import {
  constants,
  createZstdDecompress,
  zstdCompress,
  zstdCompressSync,
  zstdDecompress,
  zstdDecompressSync,
} from 'node:zlib';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Size up to which text is compressed in place: handing it to another thread would cost more. */
const MAX_INLINE_BYTES = 128 * 1024;
/** Maximum size of an unpacked text: one that claims to be larger is damaged, since no message or snapshot is. */
const MAX_UNPACKED_BYTES = 256 * 1024 * 1024;
const PARAMS = { [constants.ZSTD_c_compressionLevel]: 3 };
const CHUNK_BYTES = 4096;

/** Compresses a text for storage with zstd (RFC 8878). */
export async function packed(text: string): Promise<Buffer> {
  const bytes = Buffer.from(text);
  // Knowing the size, zstd allocates tables no larger than needed, which otherwise take half the time of a small text.
  const told = { params: PARAMS, pledgedSrcSize: bytes.length };
  return bytes.length <= MAX_INLINE_BYTES
    ? zstdCompressSync(bytes, { ...told, chunkSize: CHUNK_BYTES })
    : await compress(bytes, told);
}

export async function unpacked(bytes: Uint8Array): Promise<string> {
  const limit = { maxOutputLength: MAX_UNPACKED_BYTES };
  const text = bytes.length <= MAX_INLINE_BYTES / 8 ? zstdDecompressSync(bytes, limit) : await decompress(bytes, limit);
  return text.toString();
}

/** Yields the text of packed bytes piece by piece, as bytes of UTF-8; a reader that stops early unpacks no more. */
export async function* unpackedParts(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, undefined> {
  const unpacking = createZstdDecompress();
  // An error of the parts is thrown to the reader; that it stopped early is none.
  pipeline(Readable.from(parts, { objectMode: false }), unpacking, () => undefined);
  let length = 0;
  for await (const part of unpacking as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > MAX_UNPACKED_BYTES) throw new RangeError('A packed text is larger than any that is stored');
    yield part;
  }
}
