import type { ErasedBatch } from '@clew/contracts';
import { AppError } from '@clew/kernel';
import { eraseLettersOf, queuesSweptBy, sweepDeadLetters, type Broker } from '@clew/messaging';
import { eraseReplies, type Database } from '@clew/persistence';
import type { Collection } from '../collection/index.ts';
import {
  exampleCollection,
  revisionCollection,
  type DatasetKey,
  type ExampleChanges,
  type ExampleStore,
} from '../examples/index.ts';

export interface EraseExamplesDependencies {
  database: Database;
  examples: Pick<ExampleStore, 'get' | 'erase'>;
  collection: Pick<Collection, 'erase'>;
  broker: Broker;
  changes: ExampleChanges;
}

export interface EraseExamplesRequest {
  projectId: string;
  conversationId: string;
  requestId: string;
}

/** Removes a batch of a conversation's Examples from all versions of all Datasets. Safe to repeat. */
export type EraseExamples = (request: EraseExamplesRequest) => Promise<ErasedBatch>;

interface OfConversation {
  projectId: string;
  conversationId: string;
}

const EXAMPLES_AT_A_TIME = 200;
/** Index that holds the conversation id, so that other Examples are skipped without being read. */
const NEWEST_FIRST = 'newest_first';

export function createEraseExamples({
  database,
  examples,
  collection,
  broker,
  changes,
}: EraseExamplesDependencies): EraseExamples {
  const current = exampleCollection(database);
  const revisions = revisionCollection(database);

  /**
   * Removes current Examples by a change of their Dataset, which gets a version, a count and a content id without them.
   */
  async function remove(key: DatasetKey, request: EraseExamplesRequest, ids: readonly string[]): Promise<number> {
    const { requestId, conversationId } = request;
    try {
      return await changes.change(key, { requestId, weight: ids.length }, async (work) => {
        await work.written();
        const found = [];
        for (const id of ids) found.push(await examples.get(key, id, work.tx));
        const own = found.flatMap((example) => (example?.conversationId === conversationId ? [example] : []));
        for (const example of own) work.remove(example);
        await work.written();
        for (const { id } of own) await examples.erase(work.tx, key, id);
        return own.length;
      });
    } catch (error) {
      // The Dataset is being removed, with all of its Examples.
      if (error instanceof AppError && error.code === 'NOT_FOUND') return 0;
      throw error;
    }
  }

  /** Erases former revisions that came from the conversation, whatever became of their Examples. */
  async function eraseRevisions(of: OfConversation): Promise<string[]> {
    const found = await revisions
      .find(of, { projection: { exampleId: 1 }, limit: EXAMPLES_AT_A_TIME, hint: NEWEST_FIRST })
      .toArray();
    await revisions.updateMany(
      { _id: { $in: found.map(({ _id }) => _id) } },
      { $unset: { body: '', derivationKey: '', conversationId: '', split: '', signature: '' } },
    );
    return found.map(({ exampleId }) => exampleId);
  }

  return async (request) => {
    const { projectId, conversationId } = request;
    const of = { projectId, conversationId };
    // Decisions go first: an answer of a worker that comes later finds nothing to write to.
    const decided = await collection.erase(projectId, conversationId);
    const letters = await sweepDeadLetters(broker, queuesSweptBy('datasets-svc'), eraseLettersOf(of));
    const found = await current
      .find(of, { projection: { datasetId: 1 }, limit: EXAMPLES_AT_A_TIME, hint: NEWEST_FIRST })
      .toArray();
    // Replies go first: once the Examples are gone, nothing says which replies were about them.
    const replies = await eraseReplies(database, projectId, [conversationId, ...found.map(({ _id }) => _id)]);
    let examples = 0;
    for (const [datasetId, own = []] of Object.entries(Object.groupBy(found, (each) => each.datasetId))) {
      const ids = own.map(({ _id }) => _id);
      examples += await remove({ projectId, datasetId }, request, ids);
    }
    const former = await eraseRevisions(of);
    const repliesOnFormer = await eraseReplies(database, projectId, former);
    const removed = {
      ...{ examples, revisions: former.length, replies: replies + repliesOnFormer },
      ...{ decisions: decided, deadLetters: letters },
    };
    return { removed, done: Math.max(found.length, former.length) < EXAMPLES_AT_A_TIME };
  };
}
