import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { mongo } from 'mongoose';

const ZSTD_MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);
/** Base64 with letters of both cases: the many ids and hashes have only one case. */
const BASE64 = /^(?=.*[a-z])(?=.*[A-Z])[A-Za-z0-9+/_-]{24,}={0,2}$/;

/**
 * Returns the content of a database, as one text per collection, with compressed and Base64 content decoded: for
 * searching words that must be gone. Content in numbered parts (`<id>:0000`) is joined before it is decompressed.
 */
export async function storedText(db: mongo.Db): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const collection of await db.collections()) {
    const found: string[] = [];
    const parts = new Map<string, Buffer[]>();
    for await (const document of collection.find({}, { sort: { _id: 1 } })) {
      const bytes: Buffer[] = [];
      found.push(JSON.stringify(document, (_key, value: unknown) => plain(value, bytes, found)));
      const id = String(document._id).replace(/:\d+$/, '');
      parts.set(id, [...(parts.get(id) ?? []), ...bytes]);
    }
    for (const all of parts.values()) found.push(readable(all));
    texts.set(collection.collectionName, found.join('\n'));
  }
  return texts;
}

/** Decodes bytes to text; compressed ones are recognized by their first bytes. Throws if they only look compressed. */
export function textInTheClear(bytes: Buffer): string {
  if (startsWith(bytes, ZSTD_MAGIC)) return zstdDecompressSync(bytes).toString();
  if (startsWith(bytes, GZIP_MAGIC)) return gunzipSync(bytes).toString();
  return bytes.toString();
}

/**
 * Collects bytes, which JSON would show as numbers or base64; the driver's `toJSON` would already have converted them.
 */
function plain(value: unknown, bytes: Buffer[], texts: string[]): unknown {
  if (typeof value === 'string' && BASE64.test(value)) texts.push(decoded(value));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      if (member instanceof mongo.Binary) bytes.push(Buffer.from(member.value()));
      return [key, member instanceof mongo.Binary ? '(bytes)' : (member as unknown)];
    }),
  );
}

function decoded(text: string): string {
  const bytes = Buffer.from(text, 'base64');
  try {
    return textInTheClear(bytes);
  } catch {
    // The bytes only look compressed.
    return bytes.toString();
  }
}

function readable(bytes: readonly Buffer[]): string {
  const [first] = bytes;
  if (first === undefined) return '';
  const magic = [ZSTD_MAGIC, GZIP_MAGIC].find((each) => startsWith(first, each));
  if (magic === undefined) return bytes.map(textInTheClear).join('\n');
  const beginsAnew = bytes.every((part) => startsWith(part, magic));
  return (beginsAnew ? bytes : [Buffer.concat(bytes)]).map(textInTheClear).join('\n');
}

function startsWith(bytes: Buffer, magic: Buffer): boolean {
  return bytes.subarray(0, magic.length).equals(magic);
}
