import { mergeOrdered, takeSlice, type Slice, type SliceRequest } from '@clew/kernel';
import {
  compareBy,
  findInOrder,
  keysetKey,
  NEWEST_FIRST,
  type Database,
  type KeysetList,
  type Transaction,
} from '@clew/persistence';
import type { StoredApiKey } from './api-key.ts';
import { apiKeyModel, fromDocument, toDocument, type ApiKeyDocument } from './api-key.model.ts';

export const API_KEYS: KeysetList = { name: 'api-keys', order: NEWEST_FIRST };

const keyOf = (document: ApiKeyDocument) => keysetKey(API_KEYS.order, document);
const newestFirst = compareBy(API_KEYS.order, keyOf);

export interface ProjectScope {
  projectId: string;
  workspaceId: string;
}

export interface KeyParents {
  makers: readonly string[];
  predecessors: readonly string[];
}

export interface ApiKeyStore {
  insert(tx: Transaction, key: StoredApiKey): Promise<void>;
  findByHash(hash: string): Promise<StoredApiKey | undefined>;
  get(keyId: string, tx?: Transaction): Promise<StoredApiKey | undefined>;
  /** Finds a key that opens the project, whether revoked or not. */
  findForProject(tx: Transaction, project: ProjectScope, keyId: string): Promise<StoredApiKey | undefined>;
  /**
   * Increments the maker's count of made keys, so that a concurrent revocation of the maker conflicts with this write.
   * Undefined if the maker is gone.
   */
  countMade(tx: Transaction, makerId: string): Promise<StoredApiKey | undefined>;
  /** Lists keys made by, or succeeding, the given keys, ordered by id, starting after `afterId`. */
  descending(tx: Transaction, from: KeyParents, slice: { afterId: string; limit: number }): Promise<StoredApiKey[]>;
  /** Finds some keys of a person that are not revoked. */
  ofPerson(tx: Transaction, userId: string, limit: number): Promise<StoredApiKey[]>;
  /** Lists keys that are not revoked, newest first. */
  list(project: ProjectScope, slice: SliceRequest): Promise<Slice<StoredApiKey>>;
  /** Stores the successor of a key and the key's own new expiry. */
  setSuccessor(tx: Transaction, key: StoredApiKey, successor: { id: string; expiresAt: number }): Promise<void>;
  revoke(tx: Transaction, keys: readonly StoredApiKey[], nowMs: number): Promise<void>;
  /** Removes a project from keys that name it, and revokes keys that name no other. Resolves with the changed keys. */
  closeProject(tx: Transaction, projectId: string, batch: { limit: number; nowMs: number }): Promise<StoredApiKey[]>;
  /**
   * Deletes revoked keys that name only this project, and removes the project from the others. Resolves with the count.
   */
  removeRevoked(projectId: string): Promise<number>;
  touch(key: StoredApiKey, nowMs: number): Promise<void>;
}

export function createApiKeyStore(database: Database): ApiKeyStore {
  const model = apiKeyModel(database.connection);
  return {
    async insert(tx, key) {
      await model.create([toDocument(key)], { session: tx });
    },
    async findByHash(hash) {
      return orAbsent(await model.findOne({ hash }).lean());
    },
    async get(keyId, tx) {
      const found = model.findById(keyId).session(tx ?? null);
      return orAbsent(await found.lean());
    },
    async findForProject(tx, { projectId, workspaceId }, keyId) {
      const document = await model
        .findOne({ _id: keyId, workspaceId, $or: [{ allProjects: true }, { projectIds: projectId }] })
        .session(tx)
        .lean();
      return orAbsent(document);
    },
    async countMade(tx, makerId) {
      const document = await model
        .findOneAndUpdate({ _id: makerId, revokedAt: null }, { $inc: { keysMade: 1 } }, { returnDocument: 'after' })
        .session(tx)
        .lean();
      return orAbsent(document);
    },
    async descending(tx, { makers, predecessors }, { afterId, limit }) {
      const after = { _id: { $gt: afterId } };
      const made = { createdBy: { $in: [...makers] }, ...after };
      const succeeded = { rotatedFrom: { $in: [...predecessors] }, ...after };
      const documents = await model
        .find({ $or: [made, succeeded] })
        .sort({ _id: 1 })
        .limit(limit)
        .session(tx)
        .lean();
      return documents.map(fromDocument);
    },
    async ofPerson(tx, userId, limit) {
      const documents = await model.find({ userId, revokedAt: null }).limit(limit).session(tx).lean();
      return documents.map(fromDocument);
    },
    async list({ projectId, workspaceId }, slice) {
      const newest = (filter: object) =>
        findInOrder(model, API_KEYS.order, { filter: { workspaceId, ...filter, revokedAt: null }, ...slice });
      // Merge of two index walks: keys of this project, and keys of all projects of its workspace.
      const walk = mergeOrdered(newest({ projectIds: projectId }), newest({ allProjects: true }), newestFirst);
      const { items, next } = await takeSlice(walk, { limit: slice.limit, keyOf });
      return { items: items.map(fromDocument), next };
    },
    async setSuccessor(tx, key, { id, expiresAt }) {
      await model.updateOne({ hash: key.hash, _id: key.id }, { $set: { rotatedTo: id, expiresAt } }).session(tx);
    },
    async revoke(tx, keys, nowMs) {
      const each = { hash: { $in: keys.map(({ hash }) => hash) }, revokedAt: null };
      await model.updateMany(each, { $set: { revokedAt: nowMs } }).session(tx);
    },
    async closeProject(tx, projectId, { limit, nowMs }) {
      const documents = await model.find({ projectIds: projectId, revokedAt: null }).limit(limit).session(tx).lean();
      const [alone, among] = [documents.filter(opensNoOther), documents.filter((document) => !opensNoOther(document))];
      const ids = (some: readonly ApiKeyDocument[]) => ({ _id: { $in: some.map(({ _id }) => _id) } });
      await model.updateMany(ids(alone), { $set: { revokedAt: nowMs } }).session(tx);
      await model.updateMany(ids(among), { $pull: { projectIds: projectId } }).session(tx);
      return documents.map(fromDocument);
    },
    async removeRevoked(projectId) {
      const revoked = { revokedAt: { $ne: null } };
      const { deletedCount } = await model.deleteMany({ projectIds: [projectId], ...revoked });
      const { modifiedCount } = await model.updateMany(
        { projectIds: projectId, ...revoked },
        { $pull: { projectIds: projectId } },
      );
      return deletedCount + modifiedCount;
    },
    async touch(key, nowMs) {
      await model.updateOne({ hash: key.hash, _id: key.id }, { $max: { lastUsedAt: nowMs } });
    },
  };
}

function orAbsent(document: ApiKeyDocument | null): StoredApiKey | undefined {
  return document === null ? undefined : fromDocument(document);
}

function opensNoOther({ projectIds }: ApiKeyDocument): boolean {
  return projectIds.length === 1;
}
