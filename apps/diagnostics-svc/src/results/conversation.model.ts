import { Schema, type Connection, type Model, type mongo } from 'mongoose';
import { modelOf, nativeDb, type Database } from '@clew/persistence';
import type { StoredDiagnosis } from './diagnosis.ts';

/** Progress of a conversation's analysis. Every change of its occurrences writes it, so that two changes conflict. */
export interface ConversationDocument {
  /** Id as given by `conversationKey`. */
  _id: string;
  projectId: string;
  conversationId: string;
  version: number;
  findingCount: number;
  /** Revision of the latest whole snapshot that was applied, by Rule. */
  revisions: Record<string, number>;
  /** Stored here rather than in its own collection, so that a result costs no further write. */
  diagnosis?: StoredDiagnosis;
  /** Revision of the Rule's configuration in that evaluation, by Rule; absent for the first revision. */
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

conversationSchema.index(
  { projectId: 1, 'diagnosis.judged.startedAt': -1 },
  { partialFilterExpression: { 'diagnosis.judged.startedAt': { $gt: 0 } } },
);

export function conversationModel(connection: Connection): Model<ConversationDocument> {
  return modelOf(connection, 'AnalysedConversation', conversationSchema);
}

export function conversationCollection({ connection }: Database): mongo.Collection<ConversationDocument> {
  return nativeDb(connection).collection(conversationModel(connection).collection.name);
}
