import type { Connection, Model, Schema } from 'mongoose';

/** The model of a connection, made at its first use: mongoose refuses to make one twice. */
export function modelOf<Document>(connection: Connection, name: string, schema: Schema<Document>): Model<Document> {
  const existing = connection.models[name] as Model<Document> | undefined;
  return existing ?? (connection.model(name, schema) as unknown as Model<Document>);
}
