import type { Connection } from 'mongoose';
import { conversationCollection, LIST_INDEXES } from './conversation.model.ts';
import { ANY } from './facets.ts';

const DAY_MS = 86_400_000;
const SIZES = Array.from({ length: 13 }, (_, exponent) => 2 ** (exponent + 1));

/** Facets of one kind, from a list of the document. */
const facetsFrom = (kind: string, list: unknown) => ({
  $map: { input: list, as: 'value', in: { $concat: [`${kind}:`, { $toString: '$$value' }] } },
});
const IS_TO_COME = {
  $and: ['$listed', { $gt: ['$assembledTouches', 0] }, { $eq: [{ $ifNull: ['$dueAt', null] }, null] }],
};

/**
 * Gives conversations that were stored without them their facets and flags. Tools, scores and hourly figures need
 * their words: such a conversation is assembled once more within a day, which changes nothing else.
 */
export async function addFacets(connection: Connection): Promise<void> {
  const nowMs = Date.now();
  const sizes = { $filter: { input: SIZES, as: 'size', cond: { $lte: ['$$size', '$messageCount'] } } };
  const users = { $cond: [{ $gt: ['$userId', ''] }, ['$userId'], []] };
  await conversationCollection(connection).updateMany({ facets: { $exists: false } } as object, [
    {
      $set: {
        hasError: { $gt: ['$errorCount', 0] },
        isReady: { $eq: ['$touches', '$assembledTouches'] },
        facets: {
          $concatArrays: [
            [ANY],
            ...[facetsFrom('agent', '$agents'), facetsFrom('model', '$models')],
            ...[facetsFrom('user', users), facetsFrom('messages', sizes)],
          ],
        },
        scored: [],
        latency: { $literal: {} },
        dueAt: { $cond: [IS_TO_COME, { $floor: { $add: [nowMs, { $multiply: [{ $rand: {} }, DAY_MS] }] } }, '$dueAt'] },
      },
    },
  ]);
}

/** Drops the indexes whose place the list indexes took. */
export async function dropFormerListIndexes(connection: Connection): Promise<void> {
  const conversations = conversationCollection(connection);
  const kept: readonly string[] = Object.values(LIST_INDEXES);
  for (const { name = '', key } of await conversations.indexes()) {
    if ('listed' in key && !kept.includes(name)) await conversations.dropIndex(name);
  }
}
