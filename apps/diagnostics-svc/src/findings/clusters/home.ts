import type { Detection } from '@clew/contracts';
import { findingIdOf } from '../occurrence.ts';
import type { HeadOf } from './cluster.ts';

/** Conversation in which something was detected; it decides about the Finding. */
export interface FoundIn {
  projectId: string;
  conversationId: string;
}

/** Ids of Findings that a detection may belong to; fingerprints of earlier versions come first. */
export function candidateIdsOf(projectId: string, detection: Detection): string[] {
  const { formerFingerprints = [], clusterFingerprint } = detection;
  return [...formerFingerprints, clusterFingerprint].map((fingerprint) => findingIdOf(projectId, fingerprint));
}

/**
 * Finding that a detection belongs to. A Finding under an earlier fingerprint keeps it, and a split takes what its
 * condition matches. Merges do not matter here.
 */
export function homeOf({ projectId, conversationId }: FoundIn, detection: Detection, headOf: HeadOf): string {
  const candidates = candidateIdsOf(projectId, detection);
  const own = findingIdOf(projectId, detection.clusterFingerprint);
  const findingId = candidates.find((id) => headOf(id) !== undefined) ?? own;
  const splits = headOf(findingId)?.splits ?? [];
  const split = splits.find(({ conversationIds, signal }) =>
    conversationIds === undefined
      ? signal !== undefined && detection.signals.includes(signal)
      : conversationIds.includes(conversationId),
  );
  return split?.findingId ?? findingId;
}
