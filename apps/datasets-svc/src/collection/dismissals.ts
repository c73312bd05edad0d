import { Schema, type Connection, type Model, type mongo } from 'mongoose';
import { modelOf, nativeDb, type Database } from '@clew/persistence';

/** Finding that a person has dismissed, whose id it has. */
interface DismissalDocument {
  _id: string;
  projectId: string;
  at: Date;
}

/**
 * Memory of the Findings that were dismissed of late. What an analysis knew of a problem may be read after a dismissal
 * that came later, and this tells.
 */
export interface Dismissals {
  note(projectId: string, findingIds: readonly string[]): Promise<void>;
  /** Those of some Findings that were dismissed; one may have been reviewed otherwise since. */
  among(findingIds: readonly string[]): Promise<ReadonlySet<string>>;
}

/** As long as the memory of an inbox: longer than any message can be in transit. */
const TTL_SECONDS = 14 * 24 * 3600;

const dismissalSchema = new Schema<DismissalDocument>(
  {
    _id: { type: String, required: true },
    projectId: { type: String, required: true },
    at: { type: Date, required: true },
  },
  { collection: 'dismissed_findings', versionKey: false },
);
dismissalSchema.index({ projectId: 1 });
dismissalSchema.index({ at: 1 }, { expireAfterSeconds: TTL_SECONDS });

export function dismissalModel(connection: Connection): Model<DismissalDocument> {
  return modelOf(connection, 'Dismissal', dismissalSchema);
}

export function dismissalCollection({ connection }: Pick<Database, 'connection'>): mongo.Collection<DismissalDocument> {
  return nativeDb(connection).collection(dismissalModel(connection).collection.name);
}

export function createDismissals(database: Pick<Database, 'connection'>): Dismissals {
  const rows = dismissalCollection(database);
  return {
    async note(projectId, findingIds) {
      if (findingIds.length === 0) return;
      const update = { $set: { projectId, at: new Date() } };
      const writes = findingIds.map((_id) => ({ updateOne: { filter: { _id }, update, upsert: true } }));
      await rows.bulkWrite(writes, { ordered: false });
    },
    async among(findingIds) {
      if (findingIds.length === 0) return new Set();
      const found = rows.find({ _id: { $in: [...new Set(findingIds)] } }, { projection: { _id: 1 } });
      return new Set((await found.toArray()).map(({ _id }) => _id));
    },
  };
}
