import { ruleBackfillEnded } from '@clew/contracts';
import type { Outbox, Transaction } from '@clew/persistence';
import type { StoredBackfill } from './backfill.ts';

/** Adds the message about a backfill to the transaction, if it has ended; each backfill has one. */
export async function reportEnd(
  tx: Transaction,
  outbox: Pick<Outbox, 'append'>,
  id: string,
  { projectId, requestId, endedAt, state, ...backfill }: StoredBackfill,
): Promise<void> {
  if (state === 'scheduled' || state === 'running') return;
  const { ruleId, failureReason, startMs, endMs, conversationsSeen, runsQueued } = backfill;
  await outbox.append(tx, ruleBackfillEnded, {
    ...{ key: id, projectId, requestId, occurredAt: endedAt ?? 0 },
    data: { backfillId: id, state, failureReason, startMs, endMs, conversationsSeen, ruleId, runsQueued },
  });
}
