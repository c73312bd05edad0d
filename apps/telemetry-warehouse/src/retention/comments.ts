import type { Database } from '@clew/persistence';
import { scoreCollection, scoreHashOf } from '../scores/index.ts';
import type { ExpireWords } from './expire-words.ts';
import { BY_ID, cutOf, type Batch, type SweepContext } from './mechanism.ts';
import type { SweepPosition } from './sweep.model.ts';

const SCORES_AT_A_TIME = 200;

/** Removes the comments of scores, which are people's words too, and keeps the judgement and its hash. */
export function createCommentSweep({ database, expireWords }: { database: Database; expireWords: ExpireWords }) {
  const scores = scoreCollection(database);

  return async ({ projectId, nowMs, settings }: SweepContext, { chosen }: SweepPosition): Promise<Batch> => {
    const scoresBefore = cutOf(nowMs, settings.rawPayloadRetentionDays).getTime();
    let comments = 0;
    if (chosen !== undefined) {
      const found = await scores.find({ _id: { $in: chosen }, projectId }, BY_ID).toArray();
      const writes = found
        .filter(({ comment }) => comment !== undefined)
        .map((score) => ({
          updateOne: {
            filter: { _id: score._id },
            update: {
              $set: { hash: scoreHashOf(score), textExpired: true as const },
              $unset: { comment: '' as const },
            },
          },
        }));
      if (writes.length > 0) await scores.bulkWrite(writes);
      comments = writes.length;
      const conversationIds = [...new Set(found.map(({ conversationId }) => conversationId))];
      await expireWords.ofConversations(projectId, conversationIds, { isExpired: () => false, scoresBefore });
    }
    const next = await scores
      .find(
        { projectId, comment: { $exists: true }, createdAt: { $lt: scoresBefore } },
        { projection: { _id: 1 }, sort: { createdAt: 1 }, limit: SCORES_AT_A_TIME },
      )
      .toArray();
    const isOver = next.length === 0;
    return {
      removed: { comments },
      next: isOver ? { step: 'payloads' } : { step: 'comments', chosen: next.map(({ _id }) => _id) },
    };
  };
}
