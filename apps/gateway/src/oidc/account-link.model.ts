import { Schema, type Connection, type Model } from 'mongoose';
import { modelOf } from '@clew/persistence';
import type { MappedRole } from './provider-config.ts';

/** Account of a provider that waits for the person whose address it has to confirm that it is theirs. */
export interface AccountLink {
  userId: string;
  providerId: string;
  issuer: string;
  subject: string;
  /** Verified address, which the account here has as well. */
  email: string;
  /** Roles that the provider maps. */
  roles: MappedRole[];
  /** Path to go to afterwards. */
  returnTo: string;
}

/** Link as stored, under the hash of its token; the database removes it when it has expired. */
export type AccountLinkDocument = AccountLink & { _id: string; expiresAt: Date };

const roleSchema = new Schema<MappedRole>(
  { project: { type: String, required: true }, role: { type: String, required: true } },
  { _id: false },
);
const accountLinkSchema = new Schema<AccountLinkDocument>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    providerId: { type: String, required: true },
    issuer: { type: String, required: true },
    subject: { type: String, required: true },
    email: { type: String, required: true },
    roles: { type: [roleSchema], required: true },
    returnTo: { type: String, required: true },
    expiresAt: { type: Date, required: true },
  },
  { collection: 'account_links', versionKey: false },
);
accountLinkSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export function accountLinkModel(connection: Connection): Model<AccountLinkDocument> {
  return modelOf(connection, 'AccountLink', accountLinkSchema);
}
