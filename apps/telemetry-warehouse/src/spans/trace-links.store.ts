import { insertNew, type Database } from '@clew/persistence';
import { conversationTraceModel, type ConversationTrace } from './span.model.ts';

/** Which traces name which conversations. */
export interface TraceLinkStore {
  write(links: readonly ConversationTrace[]): Promise<void>;
  /** The conversations that each trace names, the first named first; of each trace at most `limit`. */
  conversationsOf(projectId: string, traceIds: readonly string[], limit: number): Promise<Map<string, string[]>>;
  /** The traces that name a conversation, the earliest first. */
  tracesOf(projectId: string, conversationId: string, limit: number): Promise<string[]>;
}

/** Nearly all traces name one conversation, so that one query answers for all of them. */
const MAX_LINKS_OF_ONE_QUERY = 2_000;

type Link = Pick<ConversationTrace, 'traceId' | 'conversationId'>;

export function createTraceLinkStore(database: Database): TraceLinkStore {
  const model = conversationTraceModel(database.connection);

  async function linksOf(projectId: string, traceIds: readonly string[], limit: number): Promise<Link[]> {
    return await model
      .find({ projectId, traceId: { $in: traceIds } }, { _id: 0, traceId: 1, conversationId: 1 })
      .sort({ traceId: 1, firstNamed: 1 })
      .limit(limit)
      .lean<Link[]>();
  }

  return {
    async write(links) {
      const known = await insertNew(model.collection, links);
      if (known.length === 0) return;
      // Spans come in any order: one that began earlier may come later.
      await model.collection.bulkWrite(
        known.map(({ _id, firstNamed }) => ({
          updateOne: { filter: { _id: _id as never }, update: { $min: { firstNamed } } },
        })),
        { ordered: false },
      );
    },
    async conversationsOf(projectId, traceIds, limit) {
      const found = await linksOf(projectId, traceIds, MAX_LINKS_OF_ONE_QUERY);
      const links =
        found.length < MAX_LINKS_OF_ONE_QUERY
          ? found
          : (await Promise.all(traceIds.map((traceId) => linksOf(projectId, [traceId], limit)))).flat();
      const byTrace = Map.groupBy(links, ({ traceId }) => traceId);
      return new Map(
        [...byTrace].map(([traceId, ofTrace]) => [
          traceId,
          ofTrace.slice(0, limit).map(({ conversationId }) => conversationId),
        ]),
      );
    },
    async tracesOf(projectId, conversationId, limit) {
      const found = await model
        .find({ projectId, conversationId }, { _id: 0, traceId: 1 })
        .sort({ firstNamed: 1 })
        .limit(limit)
        .lean<Pick<Link, 'traceId'>[]>();
      return found.map(({ traceId }) => traceId);
    },
  };
}
