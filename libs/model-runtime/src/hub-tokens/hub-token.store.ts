import { Schema, type Connection, type Model } from 'mongoose';
import type { HubTokenStatus } from '@clew/contracts';
import { modelOf, type Database } from '@clew/persistence';
import type { SecretBox, SecretEnvelope, SecretPlace } from '@clew/secrets';

export const HUB_TOKENS_COLLECTION = 'hub_tokens';

/** Project's token for the model hub; `_id` is the project. */
export interface HubTokenDocument {
  _id: string;
  token: SecretEnvelope;
  updatedAt: number;
}

const hubTokenSchema = new Schema<HubTokenDocument>(
  {
    _id: { type: String, required: true },
    token: { type: Schema.Types.Mixed, required: true },
    updatedAt: { type: Number, required: true },
  },
  { collection: HUB_TOKENS_COLLECTION, versionKey: false },
);
// Index for rewrapping keys after a rotation of the secret.
hubTokenSchema.index({ 'token.kid': 1 });

export function hubTokenModel(connection: Connection): Model<HubTokenDocument> {
  return modelOf(connection, 'HubToken', hubTokenSchema);
}

/** Stores each project's own token for the model hub, encrypted. */
export interface HubTokenStore {
  tokenOf(projectId: string): Promise<string | undefined>;
  status(projectId: string): Promise<HubTokenStatus>;
  set(projectId: string, token: string, nowMs: number): Promise<HubTokenStatus>;
  remove(projectId: string): Promise<void>;
}

export function createHubTokenStore(database: Database, secrets: SecretBox): HubTokenStore {
  const model = hubTokenModel(database.connection);
  return {
    async tokenOf(projectId) {
      const document = await model.findOne({ _id: projectId }).lean<HubTokenDocument>();
      return document === null ? undefined : secrets.open(document.token, hubTokenPlace(projectId));
    },
    async status(projectId) {
      const document = await model.findOne({ _id: projectId }).select({ updatedAt: 1 }).lean();
      return { hasToken: document !== null, updatedAt: document?.updatedAt ?? null };
    },
    async set(projectId, token, updatedAt) {
      const envelope = secrets.seal(token, hubTokenPlace(projectId));
      await model.replaceOne({ _id: projectId }, { token: envelope, updatedAt }, { upsert: true });
      return { hasToken: true, updatedAt };
    },
    async remove(projectId) {
      await model.deleteOne({ _id: projectId });
    },
  };
}

/** Storage location of a token, to which its encryption is bound. */
export function hubTokenPlace(projectId: string): SecretPlace {
  return { tenant: projectId, collection: HUB_TOKENS_COLLECTION, id: projectId, field: 'token' };
}
