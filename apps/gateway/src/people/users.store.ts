import type { Database, Transaction } from '@clew/persistence';
import { workspaceModel } from '../projects/project.model.ts';
import { fromUserDocument, toUserDocument, userModel } from './user.model.ts';
import { emailKeyOf, type StoredUser, type UserIdentity } from './user.ts';

export interface UserStore {
  /** Inserts a person; a second one of the same address fails on the unique index (`isDuplicateKey`). */
  insert(tx: Transaction, user: StoredUser): Promise<void>;
  get(userId: string, tx?: Transaction): Promise<StoredUser | undefined>;
  /** Names of some people by id, without those who are not there. */
  namesOf(userIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  findByEmail(email: string, tx?: Transaction): Promise<StoredUser | undefined>;
  /** Finds the person to whom an account at a provider belongs. */
  findByIdentity(identity: UserIdentity, tx?: Transaction): Promise<StoredUser | undefined>;
  /**
   * Applies a change to a person, and stores the result as the next version unless it is the same object; undefined if
   * there is no such person. A change of the same person at the same time conflicts, and the transaction runs again.
   */
  update(
    tx: Transaction,
    userId: string,
    change: (user: StoredUser) => StoredUser,
    nowMs: number,
  ): Promise<StoredUser | undefined>;
  remove(tx: Transaction, userId: string): Promise<void>;
  /** Notes a sign-in; it is no change of the person. */
  noteSignIn(userId: string, nowMs: number): Promise<void>;
  hasAny(tx?: Transaction): Promise<boolean>;
  /**
   * Counts the active owners of a workspace, and makes every other transaction that calls this at the same time wait for
   * this one: none of them counts an owner whom another one is about to remove.
   */
  guardOwners(tx: Transaction, workspaceId: string): Promise<number>;
}

export function createUserStore(database: Database): UserStore {
  const model = userModel(database.connection);
  const workspaces = workspaceModel(database.connection);

  async function get(userId: string, tx?: Transaction): Promise<StoredUser | undefined> {
    const document = await model
      .findById(userId)
      .session(tx ?? null)
      .lean();
    return document === null ? undefined : fromUserDocument(document);
  }

  return {
    get,
    async insert(tx, user) {
      await model.create([toUserDocument(user)], { session: tx });
    },
    async namesOf(userIds) {
      if (userIds.length === 0) return new Map();
      const documents = await model.find({ _id: { $in: [...userIds] } }, { name: 1 }).lean();
      return new Map(documents.map(({ _id, name }) => [_id, name]));
    },
    async findByEmail(email, tx) {
      const document = await model
        .findOne({ emailKey: emailKeyOf(email) })
        .session(tx ?? null)
        .lean();
      return document === null ? undefined : fromUserDocument(document);
    },
    async findByIdentity({ issuer, subject }, tx) {
      const document = await model
        // Both fields beside the element: by them the server sees that its partial index has the person.
        .findOne({
          ...{ 'identities.issuer': issuer, 'identities.subject': subject },
          identities: { $elemMatch: { issuer, subject } },
        })
        .session(tx ?? null)
        .lean();
      return document === null ? undefined : fromUserDocument(document);
    },
    async update(tx, userId, change, nowMs) {
      const user = await get(userId, tx);
      if (user === undefined) return undefined;
      const changed = change(user);
      if (changed === user) return user;
      const next = { ...changed, updatedAt: nowMs, version: user.version + 1 };
      const { _id, ...fields } = toUserDocument(next);
      await model.updateOne({ _id, version: user.version }, { $set: fields }).session(tx);
      return next;
    },
    async remove(tx, userId) {
      await model.deleteOne({ _id: userId }).session(tx);
    },
    async noteSignIn(userId, nowMs) {
      await model.updateOne({ _id: userId }, { $max: { lastSignedInAt: nowMs } });
    },
    async hasAny(tx) {
      const document = await model
        .findOne({}, { _id: 1 })
        .session(tx ?? null)
        .lean();
      return document !== null;
    },
    async guardOwners(tx, workspaceId) {
      await workspaces.updateOne({ _id: workspaceId }, { $inc: { ownerChanges: 1 } }).session(tx);
      return await model.countDocuments({ workspaceId, owner: true, state: 'active' }).session(tx);
    },
  };
}
