import type { FindingOccurrence } from '@clew/contracts';
import type { Occurrence } from '../occurrence.ts';

/** Occurrence as callers see it, with the detection in its own conversation. */
export function occurrenceView(occurrence: Occurrence): FindingOccurrence {
  const { conversationId, findingId, diagnosticScore, snapshotId, throughMs, detection } = occurrence;
  const { conversationStartedAt, firstDetectedAt, lastDetectedAt } = occurrence;
  const { severity, diagnosticConfidence, title, summary, anchor } = detection;
  return {
    ...{ conversationId, findingId, severity, diagnosticScore, diagnosticConfidence, title, summary },
    diagnosticAnchor: anchor,
    evidenceSnapshotRevision: snapshotId,
    evidenceThroughMs: throughMs,
    ...{ conversationStartedAt, firstDetectedAt, lastDetectedAt },
  };
}
