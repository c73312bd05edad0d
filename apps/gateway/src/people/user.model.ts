import { Schema, type Connection, type Model } from 'mongoose';
import type { Membership } from '@clew/contracts';
import { modelOf } from '@clew/persistence';
import type { PasswordCredential, StoredUser, UserIdentity } from './user.ts';

export type UserDocument = Omit<StoredUser, 'id'> & { _id: string };

const membershipSchema = new Schema<Membership>(
  {
    projectId: { type: String, required: true },
    role: { type: String, required: true },
    managedBy: { type: String },
  },
  { _id: false },
);
const credentialSchema = new Schema<PasswordCredential>(
  {
    kind: { type: String, required: true },
    hash: { type: String, required: true },
    changedAt: { type: Number, required: true },
  },
  { _id: false },
);
const identitySchema = new Schema<UserIdentity>(
  { issuer: { type: String, required: true }, subject: { type: String, required: true } },
  { _id: false },
);

const userSchema = new Schema<UserDocument>(
  {
    _id: { type: String, required: true },
    workspaceId: { type: String, required: true },
    email: { type: String, required: true },
    emailKey: { type: String, required: true },
    name: { type: String, required: true },
    owner: { type: Boolean, required: true },
    state: { type: String, required: true },
    memberships: { type: [membershipSchema], required: true },
    credentials: { type: [credentialSchema], required: true },
    identities: { type: [identitySchema], required: true },
    createdAt: { type: Number, required: true },
    updatedAt: { type: Number, required: true },
    lastSignedInAt: { type: Number, default: null },
    version: { type: Number, required: true },
  },
  { collection: 'users', versionKey: false },
);
userSchema.index({ emailKey: 1 }, { unique: true });
userSchema.index({ workspaceId: 1, createdAt: -1, _id: -1 });
userSchema.index({ workspaceId: 1, owner: 1, state: 1 });
userSchema.index({ 'memberships.projectId': 1, createdAt: -1, _id: -1 });
// An account at a provider is of one person; most people have none.
userSchema.index(
  { 'identities.issuer': 1, 'identities.subject': 1 },
  { unique: true, partialFilterExpression: { 'identities.issuer': { $gt: '' } } },
);

export function userModel(connection: Connection): Model<UserDocument> {
  return modelOf(connection, 'User', userSchema);
}

export function toUserDocument({ id, ...rest }: StoredUser): UserDocument {
  return { _id: id, ...rest };
}

export function fromUserDocument({ _id, ...rest }: UserDocument): StoredUser {
  return { id: _id, ...rest };
}
