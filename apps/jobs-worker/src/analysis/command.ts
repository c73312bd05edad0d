import { analysisRequested, type EnvelopeOf } from '@clew/contracts';
import { sha256Hex } from '@clew/kernel';

/** Rules and the snapshots to evaluate them on. */
export type AnalysisCommand = Pick<EnvelopeOf<typeof analysisRequested>, 'id' | 'projectId' | 'requestId' | 'data'>;

/** Splits a command into one per snapshot. The ids are the same each time, so a repeated split takes effect once. */
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
