import { knowledgeItemChanged, MAX_CHANGED_ITEMS } from '@clew/contracts';
import { inParts, sha256Hex } from '@clew/kernel';
import { outboxMessage, type AnyOutboxMessage } from '@clew/persistence';
import type { StoredItem } from './item.ts';

interface Telling {
  projectId: string;
  requestId: string | null;
  nowMs: number;
}

/**
 * Builds events about changed items; the same revisions give the same events, which take effect once. An item that is
 * made again after its erasure has its former id and begins at revision 1 again, so its time counts too.
 */
export function itemEvents(
  items: readonly (Omit<StoredItem, 'status'> & { status: StoredItem['status'] | 'erased' })[],
  { projectId, requestId, nowMs }: Telling,
): AnyOutboxMessage[] {
  return [...inParts([...items], () => 1, MAX_CHANGED_ITEMS)].map((part) => {
    const told = part.map(({ id, goalId, status, kind, authority, revision, createdAt }) => ({
      ...{ itemId: id, goalId, status, kind, authority, revision, createdAt },
    }));
    const key = sha256Hex(
      JSON.stringify(told.map(({ itemId, createdAt, revision, status }) => [itemId, createdAt, revision, status])),
    );
    return outboxMessage(knowledgeItemChanged, { key, projectId, requestId, occurredAt: nowMs, data: { items: told } });
  });
}
