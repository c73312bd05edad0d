import { placeOf, reviewOf, type Reviewer, type StoredItem } from './item.ts';

/**
 * Item as an earlier revision has it, by a person's hand. Quotes that it still has keep their place, which may have
 * moved since.
 */
export function restoredItem(item: StoredItem, earlier: Omit<StoredItem, 'projectId'>, reviewer: Reviewer): StoredItem {
  const places = new Map(item.evidence.map((one) => [placeOf(one), one]));
  const { goalId, createdAt } = item;
  return {
    ...earlier,
    ...{ id: item.id, projectId: item.projectId, goalId, createdAt },
    evidence: earlier.evidence.map((one) => places.get(placeOf(one)) ?? one),
    ...reviewOf(item, reviewer),
  };
}
