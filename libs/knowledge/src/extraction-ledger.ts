import type { ConversationMessage } from '@clew/contracts';
import { canonicalJson, sha256Hex } from '@clew/kernel';

const KEY_BYTES = 8;
const KEY_HEX_LENGTH = 2 * KEY_BYTES;

/** Fields of a message that decide whether it is the same as an earlier one. */
export type IdentifiedMessage = Pick<ConversationMessage, 'role' | 'content' | 'toolCalls' | 'textExpired'>;

/**
 * Computes the key of each message, in order, by which extraction remembers that the message was read: 16 hexadecimal
 * digits that depend on its text, its calls, and the number of equal messages before it. Later messages have no
 * influence, so that a continued conversation keeps its keys. A message with expired text has no key.
 */
export function messageKeysOf(messages: readonly IdentifiedMessage[]): (string | null)[] {
  const occurrences = new Map<string, number>();
  return messages.map(({ role, content, toolCalls, textExpired }) => {
    if (textExpired === true) return null;
    const calls = (toolCalls ?? []).map(({ name, arguments: given }) => ({ name, given: given ?? null }));
    const hash = sha256Hex(canonicalJson({ role, content: content.toWellFormed(), calls }));
    const before = occurrences.get(hash) ?? 0;
    occurrences.set(hash, before + 1);
    return sha256Hex(`${hash}:${before}`).slice(0, KEY_HEX_LENGTH);
  });
}

/** Encodes keys for the commands and results of extraction: sorted, each once, eight bytes each, in Base64. */
export function encodeKeys(keys: Iterable<string>): string {
  return Buffer.from([...new Set(keys)].toSorted().join(''), 'hex').toString('base64');
}

/** Decodes the keys of `encodeKeys`. Throws RangeError for an incomplete key. */
export function decodeKeys(encoded: string): Set<string> {
  const hex = Buffer.from(encoded, 'base64').toString('hex');
  if (hex.length % KEY_HEX_LENGTH !== 0) throw new RangeError('The keys of read messages are not whole');
  const keys = new Set<string>();
  for (let start = 0; start < hex.length; start += KEY_HEX_LENGTH) keys.add(hex.slice(start, start + KEY_HEX_LENGTH));
  return keys;
}

/** Joins encoded keys without a limit; the rows of knowledge-svc are limited, and forget the oldest keys. */
export function joinKeys(...encoded: readonly string[]): string {
  return encodeKeys(encoded.flatMap((each) => [...decodeKeys(each)]));
}
