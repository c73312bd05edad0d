import type { Connection } from 'mongoose';
import { nativeDb } from '@clew/persistence';
import { occurrenceModel, type OccurrenceDocument } from '../finding.model.ts';
import { rowChanges, type Counted } from './series-change.ts';
import { changeSeries } from './series.store.ts';

const OCCURRENCES_AT_A_TIME = 500;

/**
 * Counts the occurrences that no series has counted, each once: a page of them is marked and counted in one
 * transaction, so that a migrator that is killed goes on where it was.
 */
export async function countExistingOccurrences(connection: Connection): Promise<number> {
  const occurrences = nativeDb(connection).collection<OccurrenceDocument>(occurrenceModel(connection).collection.name);
  let counted = 0;
  let after = '';
  for (;;) {
    const page = await occurrences
      .find({ _id: { $gt: after } }, { sort: { _id: 1 }, limit: OCCURRENCES_AT_A_TIME, projection: { _id: 1 } })
      .toArray();
    const last = page.at(-1);
    if (last === undefined) return counted;
    after = last._id;
    const ids = page.map(({ _id }) => _id);
    counted += await connection.transaction(
      async (session) => {
        const uncounted = await occurrences
          .find({ _id: { $in: ids }, counted: { $exists: false } }, { session, projection: OF_SERIES })
          .toArray();
        await changeSeries({ connection }, session, rowChanges(uncounted.map(countedOf), []));
        const marked = { _id: { $in: uncounted.map(({ _id }) => _id) } };
        await occurrences.updateMany(marked, { $set: { counted: true } }, { session });
        return uncounted.length;
      },
      { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority', journal: true } },
    );
  }
}

/** Fields of an occurrence that a series counts. */
export const OF_SERIES = {
  ...{ projectId: 1, conversationStartedAt: 1, severityRank: 1, ruleId: 1, counted: 1, 'detection.categoryKey': 1 },
} as const;

export function countedOf({ projectId, conversationStartedAt, severityRank, ruleId, detection }: OccurrenceDocument) {
  const { categoryKey } = detection;
  return { projectId, conversationStartedAt, severityRank, ruleId, categoryKey } satisfies Counted;
}
