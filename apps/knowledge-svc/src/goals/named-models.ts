import { goalModelsNamed } from '@clew/contracts';
import type { Outbox, Transaction } from '@clew/persistence';
import type { StoredGoal } from './goal.ts';

/**
 * Announces which model a goal names, so that its provider is not removed while the goal needs it. Call it in each
 * transaction that makes or changes a goal. An archived goal needs no model.
 */
export async function tellNamedModel(
  outbox: Outbox,
  tx: Transaction,
  { before, after, requestId }: { before: StoredGoal | undefined; after: StoredGoal; requestId: string },
): Promise<void> {
  const named = namedBy(after);
  if (named === (before === undefined ? undefined : namedBy(before))) return;
  const { id: goalId, projectId, updatedAt: revision } = after;
  await outbox.append(tx, goalModelsNamed, {
    key: `${goalId}:${revision}`,
    ...{ projectId, requestId, occurredAt: revision },
    data: { goalId, revision, models: named === undefined ? [] : [named] },
  });
}

function namedBy({ status, model }: StoredGoal): string | undefined {
  return status === 'archived' ? undefined : model;
}
