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

export interface ApiKeyStore {
  insert(tx: Transaction, key: StoredApiKey): Promise<void>;
  findByHash(hash: string): Promise<StoredApiKey | undefined>;
  /** A key that opens the project and is not revoked. */
  findForProject(tx: Transaction, project: ProjectScope, keyId: string): Promise<StoredApiKey | undefined>;
  /** Newest first, those that are not revoked. */
  list(project: ProjectScope, slice: SliceRequest): Promise<Slice<StoredApiKey>>;
  /** Notes the successor of a key, and when the key itself ends. */
  setSuccessor(tx: Transaction, key: StoredApiKey, successor: { id: string; expiresAt: number }): Promise<void>;
  revoke(tx: Transaction, key: StoredApiKey, nowMs: number): Promise<void>;
  /** Takes a project from keys that name it, and revokes those that name no other; resolves with those that it changed. */
  closeProject(tx: Transaction, projectId: string, batch: { limit: number; nowMs: number }): Promise<StoredApiKey[]>;
  touch(key: StoredApiKey, nowMs: number): Promise<void>;
}

export function createApiKeyStore(database: Database): ApiKeyStore {
  const model = apiKeyModel(database.connection);
  return {
    async insert(tx, key) {
      await model.create([toDocument(key)], { session: tx });
    },
    async findByHash(hash) {
      const document = await model.findOne({ hash }).lean();
      return document === null ? undefined : fromDocument(document);
    },
    async findForProject(tx, { projectId, workspaceId }, keyId) {
      const document = await model
        .findOne({ _id: keyId, workspaceId, revokedAt: null, $or: [{ allProjects: true }, { projectIds: projectId }] })
        .session(tx)
        .lean();
      return document === null ? undefined : fromDocument(document);
    },
    async list({ projectId, workspaceId }, slice) {
      const newest = (filter: object) =>
        findInOrder(model, API_KEYS.order, { filter: { workspaceId, ...filter, revokedAt: null }, ...slice });
      // Two walks over two indexes, merged: keys of this project, and keys of all projects of its workspace.
      const walk = mergeOrdered(newest({ projectIds: projectId }), newest({ allProjects: true }), newestFirst);
      const { items, next } = await takeSlice(walk, { limit: slice.limit, keyOf });
      return { items: items.map(fromDocument), next };
    },
    async setSuccessor(tx, key, { id, expiresAt }) {
      await model.updateOne({ hash: key.hash, _id: key.id }, { $set: { rotatedTo: id, expiresAt } }).session(tx);
    },
    async revoke(tx, key, nowMs) {
      await model.updateOne({ hash: key.hash, _id: key.id }, { $set: { revokedAt: nowMs } }).session(tx);
    },
    async closeProject(tx, projectId, { limit, nowMs }) {
      const documents = await model.find({ projectIds: projectId, revokedAt: null }).limit(limit).session(tx).lean();
      const [alone, among] = [documents.filter(opensNoOther), documents.filter((document) => !opensNoOther(document))];
      const ids = (some: readonly ApiKeyDocument[]) => ({ _id: { $in: some.map(({ _id }) => _id) } });
      await model.updateMany(ids(alone), { $set: { revokedAt: nowMs } }).session(tx);
      await model.updateMany(ids(among), { $pull: { projectIds: projectId } }).session(tx);
      return documents.map(fromDocument);
    },
    async touch(key, nowMs) {
      await model.updateOne({ hash: key.hash, _id: key.id }, { $max: { lastUsedAt: nowMs } });
    },
  };
}

function opensNoOther({ projectIds }: ApiKeyDocument): boolean {
  return projectIds.length === 1;
}
