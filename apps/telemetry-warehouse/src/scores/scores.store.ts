import { Schema, type Connection, type Model, type mongo } from 'mongoose';
import type { Score, SnapshotScore } from '@clew/contracts';
import { type Database, modelOf, nativeDb, type Transaction } from '@clew/persistence';

export type ScoreDocument = Omit<SnapshotScore, 'id'> & { _id: string; projectId: string; conversationId: string };

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
    hash: String,
    textExpired: Boolean,
  },
  { collection: 'scores', versionKey: false },
);
scoreSchema.index({ projectId: 1, conversationId: 1, createdAt: 1, _id: 1 });
scoreSchema.index(
  { projectId: 1, createdAt: 1 },
  { partialFilterExpression: { comment: { $exists: true } }, name: 'commented' },
);

export function scoreModel(connection: Connection): Model<ScoreDocument> {
  return modelOf(connection, 'Score', scoreSchema);
}

export function scoreCollection({ connection }: Database): mongo.Collection<ScoreDocument> {
  return nativeDb(connection).collection(scoreModel(connection).collection.name);
}

export interface ScoreStore {
  insert(tx: Transaction, projectId: string, conversationId: string, score: Score): Promise<void>;
  /** Lists the latest 1,000 scores, oldest first. */
  list(projectId: string, conversationId: string): Promise<SnapshotScore[]>;
  /**
   * Lists the scores of several conversations of one project, by conversation key; those without scores are left out.
   */
  listMany(conversations: readonly ScoredConversation[]): Promise<Map<string, SnapshotScore[]>>;
}

/** Conversation with its `conversationKey`. */
export interface ScoredConversation {
  _id: string;
  projectId: string;
  conversationId: string;
}

const MAX_SCORES = 1_000;
/** Limit of the one query that serves many conversations; nearly all have a few scores at most. */
const MAX_SCORES_OF_ONE_QUERY = 2_000;

export function createScoreStore(database: Database): ScoreStore {
  const model = scoreModel(database.connection);

  async function list(projectId: string, conversationId: string): Promise<SnapshotScore[]> {
    const documents = await model
      .find({ projectId, conversationId })
      .sort({ createdAt: -1, _id: -1 })
      .limit(MAX_SCORES)
      .lean<ScoreDocument[]>();
    return documents.reverse().map(scoreOf);
  }

  return {
    async insert(tx, projectId, conversationId, { id, ...score }) {
      await model.insertMany([{ _id: id, projectId, conversationId, ...score }], { session: tx });
    },
    list,
    async listMany(conversations) {
      const [first] = conversations;
      if (first === undefined) return new Map();
      const documents = await model
        .find({ projectId: first.projectId, conversationId: { $in: conversations.map((one) => one.conversationId) } })
        .limit(MAX_SCORES_OF_ONE_QUERY)
        .lean<ScoreDocument[]>();
      const scored = new Set(documents.map(({ conversationId }) => conversationId));
      const isWhole = documents.length < MAX_SCORES_OF_ONE_QUERY;
      const byConversation = new Map<string, SnapshotScore[]>();
      for (const { _id, projectId, conversationId } of conversations) {
        if (!isWhole) byConversation.set(_id, await list(projectId, conversationId));
        else if (scored.has(conversationId)) {
          const own = documents.filter((document) => document.conversationId === conversationId);
          byConversation.set(_id, own.sort(byTime).slice(-MAX_SCORES).map(scoreOf));
        }
      }
      return byConversation;
    },
  };
}

function scoreOf({ _id, projectId: _project, conversationId: _conversation, ...score }: ScoreDocument): SnapshotScore {
  return { id: _id, ...score };
}

function byTime(left: ScoreDocument, right: ScoreDocument): number {
  return left.createdAt - right.createdAt || (left._id < right._id ? -1 : 1);
}
