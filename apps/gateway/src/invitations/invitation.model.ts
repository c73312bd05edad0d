import { Schema, type Connection, type Model } from 'mongoose';
import { modelOf } from '@clew/persistence';
import type { ProjectRole } from '@clew/contracts';
import { emailKeyOf } from '../people/user.ts';
import type { StoredInvitation } from './invitation.ts';

export type InvitationDocument = Omit<StoredInvitation, 'id'> & {
  _id: string;
  /** Address by which it is found, written as that of an account. */
  emailKey: string;
  /** Time at which an invitation that nobody renewed is removed. */
  purgeAt: Date;
};

/** Time for which an expired invitation is still shown, so that its link can be made anew. */
const KEPT_MS = 30 * 24 * 3_600_000;

const projectRoleSchema = new Schema<ProjectRole>(
  { projectId: { type: String, required: true }, role: { type: String, required: true } },
  { _id: false },
);

const invitationSchema = new Schema<InvitationDocument>(
  {
    _id: { type: String, required: true },
    workspaceId: { type: String, required: true },
    email: { type: String, required: true },
    emailKey: { type: String, required: true },
    owner: { type: Boolean, required: true },
    projectRoles: { type: [projectRoleSchema], required: true },
    tokenHash: { type: String, required: true },
    mail: { type: String, required: true },
    mailedAt: { type: Number, default: null },
    createdBy: { type: String, required: true },
    createdAt: { type: Number, required: true },
    expiresAt: { type: Number, required: true },
    purgeAt: { type: Date, required: true },
  },
  { collection: 'invitations', versionKey: false },
);
invitationSchema.index({ tokenHash: 1 }, { unique: true });
invitationSchema.index({ workspaceId: 1, createdAt: -1, _id: -1 });
invitationSchema.index({ 'projectRoles.projectId': 1 });
invitationSchema.index({ emailKey: 1, createdAt: -1, _id: -1 });
invitationSchema.index({ purgeAt: 1 }, { expireAfterSeconds: 0 });

export function invitationModel(connection: Connection): Model<InvitationDocument> {
  return modelOf(connection, 'Invitation', invitationSchema);
}

export function toInvitationDocument({ id, ...rest }: StoredInvitation): InvitationDocument {
  return { _id: id, ...rest, emailKey: emailKeyOf(rest.email), purgeAt: purgeAt(rest.expiresAt) };
}

export function fromInvitationDocument({
  _id,
  purgeAt: _purgeAt,
  emailKey: _key,
  ...rest
}: InvitationDocument): StoredInvitation {
  return { id: _id, ...rest };
}

export function purgeAt(expiresAt: number): Date {
  return new Date(expiresAt + KEPT_MS);
}
