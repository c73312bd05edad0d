import { Schema, type Connection, type Model } from 'mongoose';
import { modelOf } from '@clew/persistence';

/** Maker of links that the command on the server makes, in place of an id. */
export const MADE_ON_SERVER = 'reset-link';

/** Reset link of a person; they have one at most. */
export interface StoredReset {
  userId: string;
  workspaceId: string;
  /** Hash of the token of the link; the link itself is not kept. */
  tokenHash: string;
  /** Maker of the link, who must still have all that the person has when it is used. */
  createdBy: string;
  createdAt: number;
  expiresAt: number;
}

export type ResetDocument = Omit<StoredReset, 'userId'> & { _id: string; purgeAt: Date };

const resetSchema = new Schema<ResetDocument>(
  {
    _id: { type: String, required: true },
    workspaceId: { type: String, required: true },
    tokenHash: { type: String, required: true },
    createdBy: { type: String, required: true },
    createdAt: { type: Number, required: true },
    expiresAt: { type: Number, required: true },
    purgeAt: { type: Date, required: true },
  },
  { collection: 'password_resets', versionKey: false },
);
resetSchema.index({ tokenHash: 1 }, { unique: true });
resetSchema.index({ purgeAt: 1 }, { expireAfterSeconds: 0 });

export function resetModel(connection: Connection): Model<ResetDocument> {
  return modelOf(connection, 'PasswordReset', resetSchema);
}
