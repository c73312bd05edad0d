import { Schema, type Connection, type Model, type mongo } from 'mongoose';
import { scheduleFields, modelOf, nativeDb, type Database, type ScheduleFields } from '@clew/persistence';

/** Distinct system prompt of a project, without its text. It is due while it waits for compilation. */
export interface PromptDocument extends ScheduleFields {
  /** Id derived from project, hash and agent. */
  _id: string;
  projectId: string;
  promptHash: string;
  agent?: string;
  /** All tools that were seen with the prompt; a sentence's subject is recognized by their names. */
  tools: string[];
  /** Latest snapshot that showed the prompt with a new tool. */
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
    ...scheduleFields,
  },
  { collection: 'prompts', versionKey: false },
);

export function promptModel(connection: Connection): Model<PromptDocument> {
  return modelOf(connection, 'Prompt', promptSchema);
}

export function promptCollection({ connection }: Database): mongo.Collection<PromptDocument> {
  return nativeDb(connection).collection(promptModel(connection).collection.name);
}
