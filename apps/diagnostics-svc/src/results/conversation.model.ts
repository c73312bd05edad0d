import { Schema, type Connection, type Model, type mongo } from 'mongoose';
import { modelOf, nativeDb, type Database } from '@clew/persistence';
import type { StoredDiagnosis } from './diagnosis.ts';

/** How far the analysis of a conversation has come. Every change of its occurrences writes it, so that two conflict. */
export interface ConversationDocument {
  /** `conversationKey` */
  _id: string;
  projectId: string;
  conversationId: string;
  version: number;
  findingCount: number;
  /** By Rule: the revision of the latest whole snapshot that was taken. */
  revisions: Record<string, number>;
  /** Here, and in no collection of its own, so that it costs a result nothing but its size. */
  diagnosis?: StoredDiagnosis;
  /** By Rule, where it is not the first: the revision of the configuration that it was evaluated with. */
  ruleRevisions?: Record<string, number>;
}

const conversationSchema = new Schema<ConversationDocument>(
  {
    _id: { type: String, required: true },
    projectId: { type: String, required: true },
    conversationId: { type: String, required: true },
    version: { type: Number, required: true },
    findingCount: { type: Number, required: true },
    revisions: { type: Schema.Types.Mixed, required: true },
    diagnosis: Schema.Types.Mixed,
    ruleRevisions: { type: Schema.Types.Mixed },
  },
  { collection: 'analysed_conversations', versionKey: false },
);

export function conversationModel(connection: Connection): Model<ConversationDocument> {
  return modelOf(connection, 'AnalysedConversation', conversationSchema);
}

export function conversationCollection({ connection }: Database): mongo.Collection<ConversationDocument> {
  return nativeDb(connection).collection(conversationModel(connection).collection.name);
}
