import { Schema, type Connection, type Model, type mongo } from 'mongoose';
import { modelOf, nativeDb, type Database } from '@clew/persistence';

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
}

const conversationSchema = new Schema<ConversationDocument>(
  {
    _id: { type: String, required: true },
    projectId: { type: String, required: true },
    conversationId: { type: String, required: true },
    version: { type: Number, required: true },
    findingCount: { type: Number, required: true },
    revisions: { type: Schema.Types.Mixed, required: true },
  },
  { collection: 'analysed_conversations', versionKey: false },
);

export function conversationModel(connection: Connection): Model<ConversationDocument> {
  return modelOf(connection, 'AnalysedConversation', conversationSchema);
}

export function conversationCollection({ connection }: Database): mongo.Collection<ConversationDocument> {
  return nativeDb(connection).collection(conversationModel(connection).collection.name);
}
