import type { SnapshotScore } from '@clew/contracts';
import { canonicalJson, sha256Hex } from '@clew/kernel';

type Judgement = Pick<SnapshotScore, 'source' | 'name' | 'value' | 'comment' | 'traceId' | 'hash'>;

/** The hash of a judgement and its comment; kept with the score once the comment has expired. */
export function scoreHashOf({ source, name, value, comment, traceId, hash }: Judgement): string {
  return hash ?? sha256Hex(canonicalJson([source, name, value, comment ?? null, traceId ?? null]));
}

/**
 * The hash of what a conversation says and how it was judged. Without scores it is the hash of its messages, the same in
 * every dialect; a score is new evidence, so that it makes the conversation ready again.
 */
export function scoredHashOf(said: string, scores: readonly SnapshotScore[]): string {
  if (scores.length === 0) return said;
  return sha256Hex(canonicalJson([said, scores.map(scoreHashOf).sort()]));
}
