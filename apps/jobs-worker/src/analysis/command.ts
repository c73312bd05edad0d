import { analysisRequested, type EnvelopeOf } from '@clew/contracts';
import { sha256Hex } from '@clew/kernel';

/** Rules and the snapshots to evaluate them on. */
export type AnalysisCommand = Pick<EnvelopeOf<typeof analysisRequested>, 'id' | 'projectId' | 'requestId' | 'data'>;

/** A command for each snapshot of one; the same each time, so that what is split twice is still one thing. */
export function splitCommand({ id, projectId, requestId, data }: AnalysisCommand, nowMs: number) {
  return data.snapshots.map((snapshot): EnvelopeOf<typeof analysisRequested> => ({
    id: `${analysisRequested.type}:${sha256Hex([id, snapshot.snapshotId].join('\n'))}`,
    type: analysisRequested.type,
    version: analysisRequested.version,
    occurredAt: nowMs,
    projectId,
    requestId,
    data: { ...data, snapshots: [snapshot] },
  }));
}
