import { readSnapshots, type ConversationSnapshot } from '@clew/contracts';
import type { ServiceClient } from '@clew/http';
import { requestIdOf } from './envelopes.ts';

/** Reads the snapshot of a command; `undefined` if it no longer exists. */
export async function readSnapshot(
  warehouse: ServiceClient,
  command: { projectId: string; requestId: string | null; data: { snapshotId: string } },
  signal: AbortSignal,
): Promise<ConversationSnapshot | undefined> {
  const body = { snapshotIds: [command.data.snapshotId] };
  const call = { params: { projectId: command.projectId }, body, ...requestIdOf(command) };
  for await (const snapshot of warehouse.lines(readSnapshots, call, { signal })) return snapshot;
  return undefined;
}
