import { Schema, type Connection, type Model, type mongo } from 'mongoose';
import { modelOf, nativeDb, type Database } from '@clew/persistence';
import type { StoredGoal } from './goal.ts';

export type GoalDocument = Omit<StoredGoal, 'id'> & { _id: string };

const text = { type: String, required: true } as const;
const number = { type: Number, required: true } as const;

const goalSchema = new Schema<GoalDocument>(
  {
    ...{ _id: text, projectId: text, name: text, instruction: text, model: text, status: text, revision: number },
    ...{ sources: { type: Schema.Types.Mixed, required: true } as never, readPrompts: String },
    ...{ activeItems: number, archivedItems: number, createdAt: number, updatedAt: number },
  },
  { collection: 'goals', versionKey: false },
);
goalSchema.index({ projectId: 1, createdAt: -1, _id: -1 });
goalSchema.index({ projectId: 1, status: 1, createdAt: -1, _id: -1 });
goalSchema.index({ projectId: 1, updatedAt: 1, _id: 1 });
goalSchema.index({ projectId: 1, status: 1, updatedAt: 1, _id: 1 });

export function goalModel(connection: Connection): Model<GoalDocument> {
  return modelOf(connection, 'Goal', goalSchema);
}

export function goalCollection({ connection }: Pick<Database, 'connection'>): mongo.Collection<GoalDocument> {
  return nativeDb(connection).collection(goalModel(connection).collection.name);
}
