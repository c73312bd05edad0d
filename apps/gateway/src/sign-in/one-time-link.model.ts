import { Schema, type Connection, type Model } from 'mongoose';
import { modelOf } from '@clew/persistence';

/** Link that works once. Of its token only the hash is stored. */
export interface OneTimeLinkDocument {
  _id: string;
  purpose: 'set-up' | 'sign-in' | 'guard';
  /** Person whom the link signs in; null for the first set-up. */
  userId: string | null;
  createdAt: number;
  /** End of the link, after which the database removes it; null for the guard of the first set-up. */
  expiresAt: Date | null;
  /** Uses of the guard. */
  uses?: number;
}

const linkSchema = new Schema<OneTimeLinkDocument>(
  {
    _id: { type: String, required: true },
    purpose: { type: String, required: true },
    userId: { type: String, default: null },
    createdAt: { type: Number, required: true },
    expiresAt: { type: Date, default: null },
    uses: { type: Number },
  },
  { collection: 'one_time_links', versionKey: false },
);
linkSchema.index({ purpose: 1 });
linkSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export function oneTimeLinkModel(connection: Connection): Model<OneTimeLinkDocument> {
  return modelOf(connection, 'OneTimeLink', linkSchema);
}
