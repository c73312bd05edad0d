import type { Connection, mongo } from 'mongoose';
import { SEVERITIES } from '@clew/contracts';
import { nativeDb } from '@clew/persistence';
import { findingModel, occurrenceModel } from './finding.model.ts';

/**
 * Findings and occurrences as the version before left them: what orders occurrences comes to stand beside the
 * detection, and what people can set gets its first value. Which occurrence describes a Finding is found out by the next
 * result that touches it; until then it is the one that was found first. Safe to repeat.
 */
export async function describeByWorst(connection: Connection): Promise<void> {
  const db = nativeDb(connection);
  const rank = { $indexOfArray: [[...SEVERITIES], '$detection.severity'] };
  await db
    .collection(occurrenceModel(connection).collection.name)
    .updateMany({ severityRank: { $exists: false } }, [
      { $set: { severityRank: rank, diagnosticScore: '$detection.diagnosticScore' } },
    ]);
  const first: mongo.Document = { assignee: null, snooze: null, verification: null, sequence: 0, revision: 1 };
  await db
    .collection(findingModel(connection).collection.name)
    .updateMany({ revision: { $exists: false } }, [
      { $set: { ...first, primary: null } },
      { $unset: ['primaryOccurrenceId'] },
    ]);
}
