import { keysetFilter, type Database, type KeysetSort, type Transaction } from '@clew/persistence';
import type { CursorKey } from '@clew/kernel';
import type { StoredApiKey } from './api-key.ts';
import { apiKeyModel, fromDocument, toDocument, type ApiKeyDocument } from './api-key.model.ts';

const NEWEST_FIRST: KeysetSort = [
  ['createdAt', -1],
  ['_id', -1],
];

export interface ProjectScope {
  projectId: string;
  workspaceId: string;
}

export interface KeyPage {
  limit: number;
  after?: CursorKey | undefined;
}

export interface ApiKeyStore {
  insert(tx: Transaction, key: StoredApiKey): Promise<void>;
  findByHash(hash: string): Promise<StoredApiKey | undefined>;
  /** A key that opens the project and is not revoked. */
  findForProject(tx: Transaction, project: ProjectScope, keyId: string): Promise<StoredApiKey | undefined>;
  list(project: ProjectScope, page: KeyPage): Promise<StoredApiKey[]>;
  /** Notes the successor of a key, and when the key itself ends. */
  setSuccessor(tx: Transaction, key: StoredApiKey, successor: { id: string; expiresAt: number }): Promise<void>;
  revoke(tx: Transaction, key: StoredApiKey, nowMs: number): Promise<void>;
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
    async list({ projectId, workspaceId }, page) {
      // Two walks over two indexes, merged: keys of this project, and keys of all projects of its workspace.
      const [own, shared] = await Promise.all([
        newest({ workspaceId, projectIds: projectId }, page),
        newest({ workspaceId, allProjects: true }, page),
      ]);
      return [...own, ...shared]
        .sort((a, b) => b.createdAt - a.createdAt || (a._id < b._id ? 1 : -1))
        .slice(0, page.limit)
        .map(fromDocument);
    },
    async setSuccessor(tx, key, { id, expiresAt }) {
      await model.updateOne({ hash: key.hash, _id: key.id }, { $set: { rotatedTo: id, expiresAt } }).session(tx);
    },
    async revoke(tx, key, nowMs) {
      await model.updateOne({ hash: key.hash, _id: key.id }, { $set: { revokedAt: nowMs } }).session(tx);
    },
    async touch(key, nowMs) {
      await model.updateOne({ hash: key.hash, _id: key.id }, { $max: { lastUsedAt: nowMs } });
    },
  };

  function newest(filter: Record<string, unknown>, { limit, after }: KeyPage) {
    return model
      .find({ ...filter, revokedAt: null, ...(after === undefined ? {} : keysetFilter(NEWEST_FIRST, after)) })
      .sort({ createdAt: -1, _id: -1 })
      .limit(limit)
      .lean<ApiKeyDocument[]>();
  }
}
