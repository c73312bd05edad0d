import type { Connection } from 'mongoose';
import { reviewDayCollection, reviewUsageModel } from './reviews.model.ts';

/** Moves the cost of reviews from the documents of their days into documents of its own. Safe to repeat. */
export async function moveUsage(connection: Connection): Promise<void> {
  const days = reviewDayCollection(connection);
  const into = reviewUsageModel(connection).collection.name;
  await days
    .aggregate([
      { $match: { reviewed: { $exists: true } } },
      { $project: { projectId: 1, reviewed: 1, calls: 1, tokens: 1 } },
      { $merge: { into, whenMatched: 'keepExisting' } },
    ])
    .toArray();
  await days.updateMany({ reviewed: { $exists: true } }, [{ $unset: ['reviewed', 'calls', 'tokens'] }]);
}
