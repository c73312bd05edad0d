import type { Database } from '@clew/persistence';
import type { SnapshotMessage } from '@clew/contracts';
import { readJson } from '@clew/kernel';
import {
  contentCollection,
  fragmentCollection,
  spanPlace,
  type FragmentFacts,
  type TraceFragment,
} from '../fragments/index.ts';
import type { ExpireWords } from './expire-words.ts';
import { BY_ID } from './mechanism.ts';
import type { Removed } from './sweep.model.ts';

export interface ExpireFragments {
  /** Removes the contents of fragments, and all copies of the words of their spans. Safe to repeat. */
  contentsOf(projectId: string, fragmentIds: readonly string[], cut: Date): Promise<Removed>;
}

/** Number of conversations whose snapshots are searched together. */
const CONVERSATIONS_AT_A_TIME = 500;

/** Removes words at their source first, so that nobody can read them there any more, then from their copies. */
export function createExpireFragments(database: Database, expireWords: ExpireWords): ExpireFragments {
  const [heads, contents] = [fragmentCollection(database), contentCollection(database)];

  return {
    async contentsOf(projectId, fragmentIds, cut) {
      const ids = [...fragmentIds];
      const { deletedCount } = await contents.deleteMany({ _id: { $in: ids }, projectId }, BY_ID);
      const [traceIds, places] = [new Set<string>(), new Set<string>()];
      const found = heads.find<Pick<TraceFragment, 'traceId' | 'facts'>>(
        { _id: { $in: ids }, projectId },
        { ...BY_ID, projection: { _id: 0, traceId: 1, facts: 1 } },
      );
      for await (const { traceId, facts } of found) {
        traceIds.add(traceId);
        const { spans, logs } = readJson(facts) as FragmentFacts;
        for (const { spanId } of [...spans, ...logs]) places.add(spanPlace({ traceId, spanId }));
      }
      const expired = {
        isExpired: (message: SnapshotMessage) => places.has(spanPlace(message)),
        scoresBefore: cut.getTime(),
      };
      let rewritten = 0;
      for await (const conversationIds of conversationsOf(projectId, traceIds)) {
        rewritten += await expireWords.ofConversations(projectId, conversationIds, expired);
      }
      return { payloads: deletedCount, snapshots: rewritten };
    },
  };

  /** Yields, in batches, the conversations that the traces name, and those that are the traces themselves. */
  async function* conversationsOf(projectId: string, traceIds: ReadonlySet<string>): AsyncGenerator<string[]> {
    let names = new Set(traceIds);
    const naming = heads.find<Pick<TraceFragment, 'names'>>(
      { projectId, traceId: { $in: [...traceIds] }, names: { $ne: [] } },
      { projection: { _id: 0, names: 1 } },
    );
    for await (const { names: named } of naming) {
      for (const name of named) names.add(name);
      if (names.size < traceIds.size + CONVERSATIONS_AT_A_TIME) continue;
      yield [...names];
      names = new Set();
    }
    yield [...names];
  }
}
