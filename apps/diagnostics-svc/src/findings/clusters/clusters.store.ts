import type { Database, Transaction } from '@clew/persistence';
import type { FindingHead } from '../finding.ts';
import { COUNTED, findingCollection, occurrenceCollection, WITHOUT_DESCRIPTION } from '../finding.model.ts';
import type { Detected } from './cluster.ts';

/** Stored Finding without its description. */
export type FindingHeadDocument = Omit<FindingHead, 'id'> & { _id: string; own?: Detected };

export interface WantedHeads {
  projectIds: readonly string[];
  findingIds: readonly string[];
}

export interface ClusterStore {
  /**
   * Reads Findings by id, with the values of their own conversations. Includes all Findings that those conversations
   * may affect: splits, the roots into which they are merged, and the other members of those roots.
   */
  heads(tx: Transaction, wanted: WantedHeads): Promise<Map<string, FindingHead>>;
  /** Counts the conversations that show one of the Findings, each once. */
  countConversations(tx: Transaction, projectId: string, findingIds: readonly string[]): Promise<number>;
}

export function createClusterStore(database: Database): ClusterStore {
  async function headsById(tx: Transaction, { projectIds, findingIds }: WantedHeads): Promise<FindingHead[]> {
    if (findingIds.length === 0) return [];
    const documents = await findingCollection(database)
      .find(
        { projectId: { $in: [...projectIds] }, _id: { $in: [...findingIds] } },
        { session: tx, projection: WITHOUT_DESCRIPTION },
      )
      .toArray();
    return documents.map(ownHead);
  }

  return {
    async heads(tx, { projectIds, findingIds }) {
      const known = new Map<string, FindingHead>();
      const asked = new Set<string>();
      async function read(ids: Iterable<string>): Promise<FindingHead[]> {
        const missing = [...new Set(ids)].filter((id) => !asked.has(id));
        for (const id of missing) asked.add(id);
        const heads = await headsById(tx, { projectIds, findingIds: missing });
        for (const head of heads) known.set(head.id, head);
        return heads;
      }
      const found = await read(findingIds);
      // Most Findings stand alone, and need no further read.
      await read(found.flatMap(({ splits = [] }) => splits.map((split) => split.findingId)));
      await read([...known.values()].flatMap(({ rootId }) => rootId ?? []));
      await read([...known.values()].flatMap(({ memberIds = [] }) => memberIds));
      return known;
    },

    async countConversations(tx, projectId, findingIds) {
      const [counted] = await occurrenceCollection(database)
        .aggregate<{ conversations: number }>(
          [
            { $match: { projectId, findingId: { $in: [...findingIds] } } },
            { $group: { _id: '$conversationId' } },
            { $count: 'conversations' },
          ],
          { session: tx, hint: COUNTED },
        )
        .toArray();
      return counted?.conversations ?? 0;
    },
  };
}

/** Finding with the values of its own conversations, without those of merged members. */
function ownHead({ _id, own, ...shown }: FindingHeadDocument): FindingHead {
  if (own === undefined) return { id: _id, ...shown };
  return { id: _id, ...shown, ...own, clusterCount: shown.occurrenceCount };
}
