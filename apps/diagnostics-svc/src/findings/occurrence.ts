import type { Detection } from '@clew/contracts';
import { derivedId } from '@clew/kernel';

/** The snapshot that a run evaluated. */
export interface EvaluatedSnapshot {
  snapshotId: string;
  /** Of the conversation when the snapshot was made; a part of it has the revision of the whole at that moment. */
  revision: number;
  scope: 'conversation' | 'prefix' | 'traces';
  startedAt: number;
  throughMs: number;
}

/** That a conversation shows a Finding, without what the Rule said of it: one for each Finding and conversation. */
export interface OccurrenceHead {
  id: string;
  findingId: string;
  projectId: string;
  conversationId: string;
  ruleId: string;
  snapshotId: string;
  snapshotRevision: number;
  snapshotScope: EvaluatedSnapshot['scope'];
  conversationStartedAt: number;
  throughMs: number;
  /** When the system found it; a later snapshot that shows it again moves only the last. */
  firstDetectedAt: number;
  lastDetectedAt: number;
}

export interface Occurrence extends OccurrenceHead {
  detection: Detection;
}

export function findingIdOf(projectId: string, clusterFingerprint: string): string {
  return derivedId('fnd', projectId, clusterFingerprint);
}

export function occurrenceOf(
  conversation: { projectId: string; conversationId: string },
  ruleId: string,
  snapshot: EvaluatedSnapshot,
  detection: Detection,
  nowMs: number,
): Occurrence {
  const { projectId, conversationId } = conversation;
  const findingId = findingIdOf(projectId, detection.clusterFingerprint);
  return {
    id: derivedId('occ', findingId, conversationId),
    findingId,
    projectId,
    conversationId,
    ruleId,
    snapshotId: snapshot.snapshotId,
    snapshotRevision: snapshot.revision,
    snapshotScope: snapshot.scope,
    conversationStartedAt: snapshot.startedAt,
    throughMs: snapshot.throughMs,
    firstDetectedAt: nowMs,
    lastDetectedAt: nowMs,
    detection,
  };
}

/**
 * Whether an occurrence comes from a better snapshot than the known one: a later revision, the whole rather than a part,
 * a part that goes further. A total order, so that it does not matter which result comes first.
 */
export function outranks(next: OccurrenceHead, known: OccurrenceHead): boolean {
  if (next.snapshotRevision !== known.snapshotRevision) return next.snapshotRevision > known.snapshotRevision;
  if (isOfWhole(next) !== isOfWhole(known)) return isOfWhole(next);
  if (next.throughMs !== known.throughMs) return next.throughMs > known.throughMs;
  return next.snapshotId > known.snapshotId;
}

function isOfWhole({ snapshotScope }: OccurrenceHead): boolean {
  return snapshotScope === 'conversation';
}
