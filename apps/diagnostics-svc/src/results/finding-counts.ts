import { conversationFindingsChanged, MAX_COUNTED_CONVERSATIONS } from '@clew/contracts';
import { inParts, sha256Hex } from '@clew/kernel';
import { outboxMessage, type AnyOutboxMessage } from '@clew/persistence';
import type { ResultState } from './result-state.ts';

export interface CountChange {
  before: ResultState;
  after: ResultState;
  nowMs: number;
  /** Request that caused the change, by `conversationKey`. */
  requestIds?: ReadonlyMap<string, string | null>;
}

/** Announces how many Findings conversations show now, for those whose count has changed. */
export function changedCounts({ before, after, nowMs, requestIds = new Map() }: CountChange): AnyOutboxMessage[] {
  const changed = [...after.conversations].filter(
    ([key, { findingCount }]) => findingCount !== (before.conversations.get(key)?.findingCount ?? 0),
  );
  const together = Map.groupBy(changed, ([key, { projectId }]) => `${projectId}:${requestIds.get(key) ?? ''}`);
  const parts = [...together.values()].flatMap((alike) => inParts(alike, () => 1, MAX_COUNTED_CONVERSATIONS));
  return parts.flatMap((part) => {
    const [first] = part;
    if (first === undefined) return [];
    const [firstKey, { projectId }] = first;
    return outboxMessage(conversationFindingsChanged, {
      key: sha256Hex(part.map(([key, { version }]) => `${key}:${version}`).join('\n')),
      projectId,
      requestId: requestIds.get(firstKey) ?? null,
      occurredAt: nowMs,
      data: {
        conversations: part.map(([, { conversationId, findingCount, version }]) => ({
          ...{ conversationId, findingCount, sequence: version },
        })),
      },
    });
  });
}
