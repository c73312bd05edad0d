import type { Connection, Model, Schema } from 'mongoose';

/** Returns the model of a connection, created at its first use: mongoose refuses to create one twice. */
export function modelOf<Document>(connection: Connection, name: string, schema: Schema<Document>): Model<Document> {
  const existing = connection.models[name] as Model<Document> | undefined;
  return existing ?? (connection.model(name, schema) as unknown as Model<Document>);
}
