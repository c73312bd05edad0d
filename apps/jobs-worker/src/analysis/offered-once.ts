import type { Offered } from '@clew/contracts';
import type { ConversationResult, SentResult } from './evaluate.ts';

/** Room in bytes for what the conversations of a message offer; the rest is left out, and counts as not offered. */
const MAX_OFFERED_BYTES = 32 * 1024;

/** Results as a message carries them, with what they offer, each once. */
export function offeredOnce(results: readonly ConversationResult[]): {
  conversations: SentResult[];
  offered?: Offered[];
} {
  const places = new Map<string, number>();
  const offered: Offered[] = [];
  let bytes = 0;
  function placeOf(own: Offered): { offered?: number } {
    const key = JSON.stringify(own);
    const known = places.get(key);
    if (known !== undefined) return { offered: known };
    if (bytes + key.length > MAX_OFFERED_BYTES) return {};
    bytes += Buffer.byteLength(key);
    places.set(key, offered.length);
    return { offered: offered.push(own) - 1 };
  }
  const conversations = results.map(({ snapshot, ...rest }): SentResult => {
    if (snapshot === null) return { ...rest, snapshot };
    const { offered: own, ...sent } = snapshot;
    return { ...rest, snapshot: own === undefined ? sent : { ...sent, ...placeOf(own) } };
  });
  return { conversations, ...(offered.length === 0 ? {} : { offered }) };
}
