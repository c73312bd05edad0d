import { readSnapshots, type ConversationSnapshot } from '@clew/contracts';
import type { ServiceClient } from '@clew/http';

/** Reads the snapshot of a command; `undefined` if it no longer exists. */
export async function readSnapshot(
  warehouse: ServiceClient,
  { projectId, requestId, data }: { projectId: string; requestId: string | null; data: { snapshotId: string } },
  signal: AbortSignal,
): Promise<ConversationSnapshot | undefined> {
  const call = {
    params: { projectId },
    body: { snapshotIds: [data.snapshotId] },
    ...(requestId === null ? {} : { requestId }),
  };
  for await (const snapshot of warehouse.lines(readSnapshots, call, { signal })) return snapshot;
  return undefined;
}
