import { Schema, type Connection, type Model, type mongo } from 'mongoose';
import type { TrackerProvider } from '@clew/contracts';
import { modelOf, nativeDb, type Database } from '@clew/persistence';
import { CONNECTORS_COLLECTION } from './connector-secrets.ts';
import type { StoredConnector } from './stored-connector.ts';

export type ConnectorDocument = Omit<StoredConnector, 'id' | 'isDefault'> & { _id: string };

/**
 * State shared by all connectors of a project. Everything that adds, removes or prefers one writes it, so that two such
 * changes conflict, and a provider never has two defaults.
 */
export interface ConnectorSetDocument {
  /** Id of the project. */
  _id: string;
  count: number;
  /** Default connector of each provider that has one. */
  defaults: Partial<Record<TrackerProvider, string>>;
}

const text = { type: String, required: true } as const;
const number = { type: Number, required: true } as const;
const mixed = { type: Schema.Types.Mixed, default: null } as const;

const connectorSchema = new Schema<ConnectorDocument>(
  {
    _id: text,
    projectId: text,
    provider: text,
    name: { type: String, default: null },
    baseUrl: { type: String, default: null },
    credentials: { type: Schema.Types.Mixed, required: true },
    defaultDestination: mixed,
    webhookSecret: mixed,
    formerWebhookSecret: mixed,
    enabled: { type: Boolean, required: true },
    revision: number,
    createdAt: number,
    updatedAt: number,
  },
  { collection: CONNECTORS_COLLECTION, versionKey: false },
);
connectorSchema.index({ projectId: 1, createdAt: -1, _id: -1 });

const setSchema = new Schema<ConnectorSetDocument>(
  { _id: text, count: number, defaults: { type: Schema.Types.Mixed, required: true } },
  { collection: 'connector_sets', versionKey: false },
);

export function connectorModel(connection: Connection): Model<ConnectorDocument> {
  return modelOf(connection, 'Connector', connectorSchema);
}

export function connectorSetModel(connection: Connection): Model<ConnectorSetDocument> {
  return modelOf(connection, 'ConnectorSet', setSchema);
}

export function connectorCollection({ connection }: Pick<Database, 'connection'>): mongo.Collection<ConnectorDocument> {
  return nativeDb(connection).collection(connectorModel(connection).collection.name);
}

export function connectorSetCollection({
  connection,
}: Pick<Database, 'connection'>): mongo.Collection<ConnectorSetDocument> {
  return nativeDb(connection).collection(connectorSetModel(connection).collection.name);
}
