import { Schema, type Connection, type Model, type mongo } from 'mongoose';
import { dueFields, modelOf, nativeDb, type Database, type DueFields } from '@clew/persistence';

/** A distinct system prompt of a project, without its words. It is due while it is to be compiled. */
export interface PromptDocument extends DueFields {
  /** Derived from project, hash and agent. */
  _id: string;
  projectId: string;
  promptHash: string;
  agent?: string;
  /** Every tool that was seen with it: what a sentence is about is told by their names. */
  tools: string[];
  /** The latest snapshot that showed a tool with it that was not known. */
  snapshotId: string;
  createdAt: number;
}

const text = { type: String, required: true } as const;

const promptSchema = new Schema<PromptDocument>(
  {
    _id: text,
    projectId: text,
    promptHash: text,
    agent: { type: String },
    tools: [String],
    snapshotId: text,
    createdAt: { type: Number, required: true },
    ...dueFields,
  },
  { collection: 'prompts', versionKey: false },
);

export function promptModel(connection: Connection): Model<PromptDocument> {
  return modelOf(connection, 'Prompt', promptSchema);
}

export function promptCollection({ connection }: Database): mongo.Collection<PromptDocument> {
  return nativeDb(connection).collection(promptModel(connection).collection.name);
}
