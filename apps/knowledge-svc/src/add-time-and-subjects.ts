import type { Connection } from 'mongoose';
import { THE_PROJECT } from '@clew/knowledge';
import { goalCollection } from './goals/index.ts';
import { itemCollection } from './items/index.ts';

const SUBJECT = { ...THE_PROJECT, userId: null };
const IS_SUPERSEDED = { $and: [{ $eq: ['$status', 'archived'] }, { $gt: ['$supersededBy', ''] }] };

/**
 * Gives items that were stored without them a time, a subject and a standing, and goals their sources. Such an item is
 * held from when it was said, and one that was replaced until it was archived.
 */
export async function addTimeAndSubjects(connection: Connection): Promise<void> {
  await itemCollection({ connection }).updateMany({ standing: { $exists: false } } as object, [
    { $set: { saidAt: { $ifNull: ['$saidAt', '$createdAt'] } } },
    {
      $set: {
        ...{ subject: SUBJECT, subjects: [SUBJECT.name], validFrom: null, validUntil: null, possiblyOutdatedBy: null },
        heldFrom: '$saidAt',
        heldUntil: { $cond: [IS_SUPERSEDED, '$updatedAt', null] },
        standing: { $cond: [IS_SUPERSEDED, 'superseded', '$status'] },
      },
    },
  ]);
  for (const { name, key } of await itemCollection({ connection }).indexes()) {
    // Indexes by standing take their place.
    if ('status' in key && name !== undefined) await itemCollection({ connection }).dropIndex(name);
  }
  await goalCollection({ connection }).updateMany(
    { sources: { $exists: false } },
    {
      $set: { sources: { systemPrompt: false }, readPrompts: '' },
    },
  );
}
