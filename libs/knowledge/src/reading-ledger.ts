import type { ConversationMessage } from '@clew/contracts';
import { canonicalJson, sha256Hex } from '@clew/kernel';

const KEY_BYTES = 8;
const KEY_HEX_LENGTH = 2 * KEY_BYTES;

/** What of a message decides whether it is the same as one before. */
export type ReadableMessage = Pick<ConversationMessage, 'role' | 'content' | 'toolCalls' | 'textExpired'>;

/**
 * The key of each message, in their order, of 16 hexadecimal digits: of what it says and calls, and of how many before
 * it say the same. It does not depend on what follows, so that a conversation that goes on keeps the keys that it has. A
 * message whose words have expired has none.
 */
export function messageKeysOf(messages: readonly ReadableMessage[]): (string | null)[] {
  const occurrences = new Map<string, number>();
  return messages.map(({ role, content, toolCalls, textExpired }) => {
    if (textExpired === true) return null;
    const calls = (toolCalls ?? []).map(({ name, arguments: given }) => ({ name, given: given ?? null }));
    const words = sha256Hex(canonicalJson({ role, content: content.toWellFormed(), calls }));
    const before = occurrences.get(words) ?? 0;
    occurrences.set(words, before + 1);
    return sha256Hex(`${words}:${before}`).slice(0, KEY_HEX_LENGTH);
  });
}

/** Keys as the messages of extraction carry them: eight bytes each, one after the other, in Base64; each once, in order. */
export function encodeKeys(keys: Iterable<string>): string {
  return Buffer.from([...new Set(keys)].toSorted().join(''), 'hex').toString('base64');
}

/** The keys of `encodeKeys`. Throws RangeError where it is not of whole keys. */
export function decodeKeys(encoded: string): Set<string> {
  const hex = Buffer.from(encoded, 'base64').toString('hex');
  if (hex.length % KEY_HEX_LENGTH !== 0) throw new RangeError('The keys of read messages are not whole');
  const keys = new Set<string>();
  for (let start = 0; start < hex.length; start += KEY_HEX_LENGTH) keys.add(hex.slice(start, start + KEY_HEX_LENGTH));
  return keys;
}

/** What was read before together with what was read since. */
export function joinKeys(...encoded: readonly string[]): string {
  return encodeKeys(encoded.flatMap((each) => [...decodeKeys(each)]));
}
