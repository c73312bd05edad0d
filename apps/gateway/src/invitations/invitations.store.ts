import { takeSlice, type Slice, type SliceRequest } from '@clew/kernel';
import {
  findInOrder,
  keysetKey,
  NEWEST_FIRST,
  type Database,
  type KeysetList,
  type Transaction,
} from '@clew/persistence';
import { emailKeyOf } from '../people/user.ts';
import type { StoredInvitation } from './invitation.ts';
import {
  fromInvitationDocument,
  invitationModel,
  purgeAt,
  toInvitationDocument,
  type InvitationDocument,
} from './invitation.model.ts';

export const INVITATIONS: KeysetList = { name: 'invitations', order: NEWEST_FIRST };

/** New link of an invitation. */
export type RenewedLink = Pick<StoredInvitation, 'tokenHash' | 'expiresAt' | 'createdBy' | 'mail' | 'mailedAt'>;

export interface InvitationStore {
  insert(tx: Transaction, invitation: StoredInvitation): Promise<void>;
  get(tx: Transaction, workspaceId: string, invitationId: string): Promise<StoredInvitation | undefined>;
  findByToken(tokenHash: string, tx?: Transaction): Promise<StoredInvitation | undefined>;
  /** Lists the invitations of an address, newest first, up to a limit; some may have expired. */
  ofAddress(email: string, limit: number, tx?: Transaction): Promise<StoredInvitation[]>;
  /** Counts the invitations of a workspace, up to a limit. */
  count(tx: Transaction, workspaceId: string, limit: number): Promise<number>;
  /** Lists those that are accepted by the filter, newest first. */
  list(
    workspaceId: string,
    accepts: (invitation: StoredInvitation) => boolean,
    slice: SliceRequest,
  ): Promise<Slice<StoredInvitation>>;
  renew(tx: Transaction, invitationId: string, link: RenewedLink): Promise<void>;
  /** Removes an invitation; false if it, or its link, is there no more. */
  remove(tx: Transaction, invitation: Pick<StoredInvitation, 'id' | 'tokenHash'>): Promise<boolean>;
  /** Notes the delivery of the mail with a link, unless there is a newer link. */
  noteMail(invitation: Pick<StoredInvitation, 'id' | 'tokenHash'>, mail: 'sent' | 'failed'): Promise<void>;
  /** Takes a deleted project out of all invitations, and removes those that give nothing else. */
  closeProject(tx: Transaction, projectId: string): Promise<number>;
}

const MAX_LOOKED_AT = 2_000;

export function createInvitationStore(database: Database): InvitationStore {
  const model = invitationModel(database.connection);
  const one = (document: InvitationDocument | null) =>
    document === null ? undefined : fromInvitationDocument(document);
  return {
    async insert(tx, invitation) {
      await model.create([toInvitationDocument(invitation)], { session: tx });
    },
    async ofAddress(email, limit, tx) {
      const documents = await model
        .find({ emailKey: emailKeyOf(email) })
        .sort({ createdAt: -1, _id: -1 })
        .limit(limit)
        .session(tx ?? null)
        .lean();
      return documents.map(fromInvitationDocument);
    },
    async get(tx, workspaceId, invitationId) {
      return one(await model.findOne({ _id: invitationId, workspaceId }).session(tx).lean());
    },
    async findByToken(tokenHash, tx) {
      const found = await model
        .findOne({ tokenHash })
        .session(tx ?? null)
        .lean();
      return one(found);
    },
    count: (tx, workspaceId, limit) => model.countDocuments({ workspaceId }).limit(limit).session(tx),
    async list(workspaceId, accepts, { limit, after }) {
      const walk = findInOrder(model, INVITATIONS.order, { filter: { workspaceId }, limit, after, sparse: true });
      const { items, next } = await takeSlice(walk, {
        limit,
        keyOf: (document) => keysetKey(INVITATIONS.order, document),
        among: { accepts: (document) => accepts(fromInvitationDocument(document)), maxLookedAt: MAX_LOOKED_AT },
      });
      return { items: items.map(fromInvitationDocument), next };
    },
    async renew(tx, invitationId, link) {
      const renewed = { ...link, purgeAt: purgeAt(link.expiresAt) };
      await model.updateOne({ _id: invitationId }, { $set: renewed }).session(tx);
    },
    async remove(tx, { id, tokenHash }) {
      const { deletedCount } = await model.deleteOne({ _id: id, tokenHash }).session(tx);
      return deletedCount === 1;
    },
    async noteMail({ id, tokenHash }, mail) {
      await model.updateOne({ _id: id, tokenHash }, { $set: { mail } });
    },
    async closeProject(tx, projectId) {
      const alone = { owner: false, projectRoles: { $size: 1 }, 'projectRoles.projectId': projectId };
      const { deletedCount } = await model.deleteMany(alone).session(tx);
      const { modifiedCount } = await model
        .updateMany({ 'projectRoles.projectId': projectId }, { $pull: { projectRoles: { projectId } } })
        .session(tx);
      return deletedCount + modifiedCount;
    },
  };
}
