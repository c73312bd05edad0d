import { workItemChanged } from '@clew/contracts';
import { outboxMessage, type AnyOutboxMessage } from '@clew/persistence';
import type { Actor } from '../findings/activity/index.ts';
import type { StoredWorkItem } from './work-item.ts';

export type WorkItemChange = 'created' | 'updated' | 'retried' | 'replaced' | 'abandoned';

/** By whom, and in which request; both are absent for what a provider brought about. */
export interface ToldBy {
  requestId: string | null;
  actor?: Actor | undefined;
  nowMs: number;
}

export function workItemEvent(
  item: StoredWorkItem,
  change: WorkItemChange,
  { requestId, actor, nowMs }: ToldBy,
): AnyOutboxMessage {
  const { id: workItemId, projectId, findingId, provider, status, doneReason, syncState, syncError } = item;
  const { externalUrl, isPrimary, replacedBy, sequence } = item;
  return outboxMessage(workItemChanged, {
    key: `${workItemId}:${sequence}`,
    ...{ projectId, requestId, occurredAt: nowMs },
    data: {
      ...(actor === undefined ? {} : { actor }),
      ...{ change, workItemId, findingId, provider, status, doneReason, syncState, syncError },
      ...{ externalUrl, isPrimary, replacedBy, sequence },
    },
  });
}
