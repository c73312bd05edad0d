import type { Detection } from '@clew/contracts';
import { findingIdOf } from '../occurrence.ts';
import type { HeadOf } from './cluster.ts';

/** What decides as which Finding something is found. */
export interface FoundIn {
  projectId: string;
  conversationId: string;
}

/** The Findings that a detection may belong to by its names: those of earlier versions first. */
export function candidateIdsOf(projectId: string, detection: Detection): string[] {
  const { formerFingerprints = [], clusterFingerprint } = detection;
  return [...formerFingerprints, clusterFingerprint].map((fingerprint) => findingIdOf(projectId, fingerprint));
}

/**
 * The Finding that a detection belongs to: one that has an earlier name of it keeps it; what was split off takes what
 * its condition says. Whether that one is merged into another is no matter of where it is found.
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
