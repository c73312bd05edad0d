import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto';
import { canonicalJson, sha256Hex } from './canonical-json.ts';
import { readJson } from './read-json.ts';

/** Last sort key that was read in a keyset list: numbers and strings, in the order of the sort. */
export type CursorKey = readonly (string | number)[];

/** Scope of a cursor: the list, its project and its filters. A cursor used with another scope is rejected. */
export interface CursorScope {
  list: string;
  projectId: string;
  filters: Readonly<Record<string, unknown>>;
}

export interface CursorCodec {
  encode(scope: CursorScope, key: CursorKey): string;
  /** Returns the key, or undefined for a cursor that is malformed, was changed, or belongs to another scope. */
  decode(scope: CursorScope, cursor: string): CursorKey | undefined;
}

const TAG_BYTES = 16;
const MAX_CURSOR_LENGTH = 2048;

/**
 * Creates opaque, authenticated cursors: base64url of a truncated HMAC-SHA256 tag followed by the JSON of the key. The
 * tag covers the scope, so that the cursor need not contain it.
 */
export function createCursorCodec(secret: Uint8Array): CursorCodec {
  const hmacKey = createSecretKey(secret);
  return {
    encode(scope, key) {
      const payload = Buffer.from(JSON.stringify(key));
      return Buffer.concat([tagOf(hmacKey, scope, payload), payload]).toString('base64url');
    },
    decode(scope, cursor) {
      if (cursor.length > MAX_CURSOR_LENGTH) return undefined;
      const bytes = Buffer.from(cursor, 'base64url');
      // Node skips characters outside the alphabet, so only the exact spelling that was issued counts.
      if (bytes.length <= TAG_BYTES || bytes.toString('base64url') !== cursor) return undefined;
      const payload = bytes.subarray(TAG_BYTES);
      if (!timingSafeEqual(bytes.subarray(0, TAG_BYTES), tagOf(hmacKey, scope, payload))) return undefined;
      return readJson(payload.toString()) as CursorKey;
    },
  };
}

function tagOf(hmacKey: KeyObject, scope: CursorScope, payload: Buffer): Buffer {
  const bound = sha256Hex(canonicalJson([scope.list, scope.projectId, withoutUndefined(scope.filters)]));
  return createHmac('sha256', hmacKey).update(bound).update(payload).digest().subarray(0, TAG_BYTES);
}

function withoutUndefined(filters: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
}
