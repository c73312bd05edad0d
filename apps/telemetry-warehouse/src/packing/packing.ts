import { promisify } from 'node:util';
import { constants, zstdCompress, zstdCompressSync, zstdDecompress, zstdDecompressSync } from 'node:zlib';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Below it, handing the work to another thread costs more than the work. */
const MAX_INLINE_BYTES = 128 * 1024;
/** A packed text that claims to be larger is damaged: no message, and no snapshot, is. */
const MAX_UNPACKED_BYTES = 256 * 1024 * 1024;
const PARAMS = { [constants.ZSTD_c_compressionLevel]: 3 };
const CHUNK_BYTES = 4096;

/** A text as it is stored: compressed with zstd (RFC 8878). */
export async function packed(text: string): Promise<Buffer> {
  const bytes = Buffer.from(text);
  // Told the size, zstd makes its tables no larger than that needs: half the time of so small a text goes into them.
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
