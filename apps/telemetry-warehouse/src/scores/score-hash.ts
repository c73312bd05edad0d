import type { SnapshotScore } from '@clew/contracts';
import { canonicalJson, sha256Hex } from '@clew/kernel';

type Judgement = Pick<SnapshotScore, 'source' | 'name' | 'value' | 'comment' | 'traceId' | 'hash'>;

/** The hash of a judgement and its comment; kept with the score once the comment has expired. */
export function scoreHashOf({ source, name, value, comment, traceId, hash }: Judgement): string {
  return hash ?? sha256Hex(canonicalJson([source, name, value, comment ?? null, traceId ?? null]));
}
