const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const UTF16_LE_MARK = Buffer.from([0xff, 0xfe]);
const UTF16_BE_MARK = Buffer.from([0xfe, 0xff]);
/** Invalid byte in UTF-8. It replaces invalid UTF-16, so that the line is refused. */
const NOT_UTF8 = Buffer.from([0xff]);
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Converts the bytes of a file to UTF-8 without a byte order mark; UTF-16 is recognized by its mark. */
export async function* asUtf8(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer | undefined = Buffer.alloc(0);
  let transcoder: Utf16Transcoder | undefined;
  for await (const chunk of chunks) {
    if (held === undefined) {
      yield transcoder?.write(chunk) ?? chunk;
      continue;
    }
    held = Buffer.concat([held, chunk]);
    if (held.length < UTF8_MARK.length) continue;
    const beginning: Buffer = held;
    held = undefined;
    transcoder = transcoderFor(beginning);
    yield transcoder?.write(beginning.subarray(2)) ?? withoutMark(beginning);
  }
  // A file of two bytes may consist of a byte order mark only.
  if (held !== undefined) yield transcoderFor(held) === undefined ? held : Buffer.alloc(0);
  if (transcoder !== undefined) yield transcoder.end();
}

function transcoderFor(beginning: Buffer): Utf16Transcoder | undefined {
  const mark = beginning.subarray(0, 2);
  if (mark.equals(UTF16_LE_MARK)) return new Utf16Transcoder(false);
  return mark.equals(UTF16_BE_MARK) ? new Utf16Transcoder(true) : undefined;
}

function withoutMark(beginning: Buffer): Buffer {
  return beginning.subarray(0, 3).equals(UTF8_MARK) ? beginning.subarray(3) : beginning;
}

class Utf16Transcoder {
  readonly #isBigEndian: boolean;
  /** Incomplete end of the last chunk: half a code unit, or half a surrogate pair. */
  #rest = Buffer.alloc(0);

  constructor(isBigEndian: boolean) {
    this.#isBigEndian = isBigEndian;
  }

  write(chunk: Buffer): Buffer {
    const bytes = Buffer.concat([this.#rest, chunk]);
    const end = this.#endOfCharacters(bytes);
    this.#rest = bytes.subarray(end);
    return this.#toUtf8(bytes.subarray(0, end));
  }

  end(): Buffer {
    return this.#rest.length === 0 ? this.#rest : NOT_UTF8;
  }

  #endOfCharacters(bytes: Buffer): number {
    const end = bytes.length - (bytes.length % 2);
    if (end === 0) return 0;
    const highByte = bytes[this.#isBigEndian ? end - 2 : end - 1] ?? 0;
    const isFirstOfPair = highByte >= 0xd8 && highByte <= 0xdb;
    return isFirstOfPair ? end - 2 : end;
  }

  #toUtf8(bytes: Buffer): Buffer {
    const littleEndian = this.#isBigEndian ? Buffer.from(bytes).swap16() : bytes;
    const text = littleEndian.toString('utf16le');
    if (text.isWellFormed()) return Buffer.from(text);
    const parts = text.split(LONE_SURROGATE).map((part) => Buffer.from(part));
    return Buffer.concat(parts.flatMap((part, index) => (index === 0 ? [part] : [NOT_UTF8, part])));
  }
}
