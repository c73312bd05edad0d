import type { Detection } from '@clew/contracts';
import { findingIdOf } from '../occurrence.ts';
import type { HeadOf } from './cluster.ts';

/** Conversation in which something was detected. */
interface DetectedIn {
  projectId: string;
  conversationId: string;
}

/**
 * Ids of Findings that a detection may belong to. Fingerprints of earlier versions come first, so that a Finding keeps
 * its id when the way to compute fingerprints changes.
 */
export function candidateIdsOf(projectId: string, detection: Detection): string[] {
  const { formerFingerprints = [], clusterFingerprint } = detection;
  return [...formerFingerprints, clusterFingerprint].map((fingerprint) => findingIdOf(projectId, fingerprint));
}

/**
 * Id of the Finding to which a detection belongs, its home: the Finding that exists under an earlier fingerprint,
 * otherwise the one of the present fingerprint; or the first split of that Finding whose condition matches. Merges do
 * not change it (docs/adr/0027).
 */
export function homeFindingIdOf(
  { projectId, conversationId }: DetectedIn,
  detection: Detection,
  headOf: HeadOf,
): string {
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
