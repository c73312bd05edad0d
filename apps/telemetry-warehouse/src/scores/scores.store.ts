import { Schema, type Connection, type Model } from 'mongoose';
import type { Score } from '@clew/contracts';
import { type Database, modelOf, type Transaction } from '@clew/persistence';

type ScoreDocument = Omit<Score, 'id'> & { _id: string; projectId: string; conversationId: string };

const scoreSchema = new Schema<ScoreDocument>(
  {
    _id: { type: String, required: true },
    projectId: { type: String, required: true },
    conversationId: { type: String, required: true },
    name: { type: String, required: true },
    value: { type: Schema.Types.Mixed, required: true },
    traceId: String,
    comment: String,
    source: { type: String, required: true },
    createdAt: { type: Number, required: true },
  },
  { collection: 'scores', versionKey: false },
);
scoreSchema.index({ projectId: 1, conversationId: 1, createdAt: 1, _id: 1 });

export function scoreModel(connection: Connection): Model<ScoreDocument> {
  return modelOf(connection, 'Score', scoreSchema);
}

export interface ScoreStore {
  insert(tx: Transaction, projectId: string, conversationId: string, score: Score): Promise<void>;
  /** The latest 1,000, oldest first. */
  list(projectId: string, conversationId: string): Promise<Score[]>;
}

const MAX_SCORES = 1_000;

export function createScoreStore(database: Database): ScoreStore {
  const model = scoreModel(database.connection);
  return {
    async insert(tx, projectId, conversationId, { id, ...score }) {
      await model.insertMany([{ _id: id, projectId, conversationId, ...score }], { session: tx });
    },
    async list(projectId, conversationId) {
      const documents = await model
        .find({ projectId, conversationId })
        .sort({ createdAt: -1, _id: -1 })
        .limit(MAX_SCORES)
        .lean<ScoreDocument[]>();
      return documents.reverse().map(({ _id, projectId: _project, conversationId: _conversation, ...score }) => ({
        id: _id,
        ...score,
      }));
    },
  };
}
