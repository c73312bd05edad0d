import type { SnapshotScore } from '@clew/contracts';
import { canonicalJson, sha256Hex } from '@clew/kernel';

type Judgement = Pick<SnapshotScore, 'source' | 'name' | 'value' | 'comment' | 'traceId' | 'hash'>;

/** Hash of a judgement and its comment; it is kept with the score when the comment has expired. */
export function scoreHashOf({ source, name, value, comment, traceId, hash }: Judgement): string {
  return hash ?? sha256Hex(canonicalJson([source, name, value, comment ?? null, traceId ?? null]));
}

/**
 * Hash of a conversation's words and scores. Without scores it is the hash of its messages, the same in every dialect.
 * A score is new evidence, so it changes the hash and makes the conversation ready again.
 */
export function scoredHashOf(said: string, scores: readonly SnapshotScore[]): string {
  if (scores.length === 0) return said;
  return sha256Hex(canonicalJson([said, scores.map(scoreHashOf).sort()]));
}
