import { Schema, type Connection, type Model } from 'mongoose';
import { modelOf } from '@clew/persistence';
import type { StoredApiKey } from './api-key.ts';

export type ApiKeyDocument = Omit<StoredApiKey, 'id' | 'projectIds'> & {
  _id: string;
  /** Every project of the workspace, including those created later. */
  allProjects: boolean;
  projectIds: string[];
};

const apiKeySchema = new Schema<ApiKeyDocument>(
  {
    _id: { type: String, required: true },
    workspaceId: { type: String, required: true },
    hash: { type: String, required: true },
    start: { type: String, required: true },
    name: { type: String, required: true },
    scopes: { type: [String], required: true },
    allProjects: { type: Boolean, required: true },
    projectIds: { type: [String], required: true },
    expiresAt: { type: Number, default: null },
    lastUsedAt: { type: Number, default: null },
    rotatedFrom: { type: String, default: null },
    rotatedTo: { type: String, default: null },
    createdBy: { type: String, required: true },
    userId: { type: String, default: null },
    createdAt: { type: Number, required: true },
    revokedAt: { type: Number, default: null },
    keysMade: { type: Number, default: 0 },
  },
  { collection: 'api_keys', versionKey: false },
);
// Unique shard key: every request looks its key up by hash.
apiKeySchema.index({ hash: 1 }, { unique: true });
apiKeySchema.index({ projectIds: 1, createdAt: -1, _id: -1 });
apiKeySchema.index({ workspaceId: 1, allProjects: 1, createdAt: -1, _id: -1 });
// Walk from a key to its descendants: the keys it made and the key that succeeded it.
apiKeySchema.index({ createdBy: 1, _id: 1 });
apiKeySchema.index({ rotatedFrom: 1, _id: 1 });
// Keys of a person; most keys are of nobody.
apiKeySchema.index({ userId: 1, revokedAt: 1 }, { partialFilterExpression: { userId: { $gt: '' } } });

export function apiKeyModel(connection: Connection): Model<ApiKeyDocument> {
  return modelOf(connection, 'ApiKey', apiKeySchema);
}

export function toDocument({ id, projectIds, ...rest }: StoredApiKey): ApiKeyDocument {
  return { _id: id, ...rest, allProjects: projectIds === 'all', projectIds: projectIds === 'all' ? [] : projectIds };
}

export function fromDocument({ _id, allProjects, projectIds, ...rest }: ApiKeyDocument): StoredApiKey {
  // Keys that are older than people have no such field.
  return { id: _id, ...rest, userId: rest.userId ?? null, projectIds: allProjects ? 'all' : projectIds };
}
