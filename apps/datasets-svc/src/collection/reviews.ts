import { Schema, type Connection, type Model, type mongo } from 'mongoose';
import type { EnvelopeOf, findingChanged, WatchedProblem } from '@clew/contracts';
import { modelOf, nativeDb, type Database } from '@clew/persistence';

type ChangedFinding = EnvelopeOf<typeof findingChanged>['data']['findings'][number];

/** Finding that a person has reviewed, whose id it has. */
interface ReviewDocument {
  _id: string;
  projectId: string;
  reviewStatus: WatchedProblem['reviewStatus'];
  at: Date;
}

/**
 * Memory of the Findings that were reviewed of late. What an analysis, or a look, knew of a problem may be read after a
 * review that came later, and this tells.
 */
export interface Reviews {
  note(
    projectId: string,
    reviewed: readonly Pick<WatchedProblem, 'findingId' | 'reviewStatus'>[],
    nowMs: number,
  ): Promise<void>;
  /**
   * Returns a test for problems that were reviewed otherwise than they say, at `sinceMs` or later; one may have been
   * reviewed again since.
   */
  among(
    problems: readonly Pick<WatchedProblem, 'findingId'>[],
    sinceMs?: number,
  ): Promise<(problem: Pick<WatchedProblem, 'findingId' | 'reviewStatus'>) => boolean>;
}

/** As long as the memory of an inbox: longer than any message can be in transit. */
const TTL_SECONDS = 14 * 24 * 3600;

const reviewSchema = new Schema<ReviewDocument>(
  {
    _id: { type: String, required: true },
    projectId: { type: String, required: true },
    reviewStatus: { type: String, required: true },
    at: { type: Date, required: true },
  },
  { collection: 'reviewed_findings', versionKey: false },
);
reviewSchema.index({ projectId: 1 });
reviewSchema.index({ at: 1 }, { expireAfterSeconds: TTL_SECONDS });

export function reviewModel(connection: Connection): Model<ReviewDocument> {
  return modelOf(connection, 'ReviewedFinding', reviewSchema);
}

export function reviewCollection({ connection }: Pick<Database, 'connection'>): mongo.Collection<ReviewDocument> {
  return nativeDb(connection).collection(reviewModel(connection).collection.name);
}

export function createReviews(database: Pick<Database, 'connection'>): Reviews {
  const rows = reviewCollection(database);
  return {
    async note(projectId, reviewed, nowMs) {
      const writes = reviewed.map(({ findingId, reviewStatus }) => {
        const update = { $set: { projectId, reviewStatus, at: new Date(nowMs) } };
        return { updateOne: { filter: { _id: findingId }, update, upsert: true } };
      });
      if (writes.length > 0) await rows.bulkWrite(writes);
    },
    async among(problems, sinceMs = 0) {
      if (problems.length === 0) return () => false;
      const ids = [...new Set(problems.map(({ findingId }) => findingId))];
      const found = await rows.find({ _id: { $in: ids }, at: { $gte: new Date(sinceMs) } }).toArray();
      const statusOf = new Map(found.map(({ _id, reviewStatus }) => [_id, reviewStatus]));
      return ({ findingId, reviewStatus }) => (statusOf.get(findingId) ?? reviewStatus) !== reviewStatus;
    },
  };
}

/** Tells whether a change may be one of the review: of most Findings something else has changed. */
export function isReviewed({ reviewStatus, previous }: ChangedFinding): boolean {
  return (previous?.reviewStatus ?? 'unreviewed') !== reviewStatus || previous === undefined;
}
