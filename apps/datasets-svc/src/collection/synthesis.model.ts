import { Schema, type Connection, type Model, type mongo } from 'mongoose';
import type { CollectionObjective, Synthesis } from '@clew/contracts';
import {
  modelOf,
  nativeDb,
  scheduleFields,
  type DailyBudgetRow,
  type Database,
  type ScheduleFields,
} from '@clew/persistence';

/** Response that a model has yet to write for a decision, whose id it has. It is deleted once it was answered. */
export interface SynthesisDocument extends ScheduleFields {
  _id: string;
  projectId: string;
  datasetId: string;
  objective: CollectionObjective;
  conversationId: string | null;
  snapshotId: string | null;
  itemId: string | null;
  /** Round of the look that found it. */
  round: number;
  synthesis: Synthesis;
  /** `due` until a worker is asked, which may wait for a model, a place or budget. */
  state: 'due' | 'asked';
  /** Number of times that a worker was asked. */
  rounds: number;
  /** Number of times that asking failed. */
  failures: number;
  createdAt: number;
}

/** Responses that were asked for on one day for one Dataset, whose id it has. */
export interface SynthesisBudgetRow extends DailyBudgetRow {
  projectId: string;
  datasetId: string;
}

/** Owner of the count of a Dataset. */
export function budgetOwner({ projectId, datasetId }: Pick<SynthesisBudgetRow, 'projectId' | 'datasetId'>) {
  return { _id: datasetId, projectId, datasetId };
}

const text = { type: String, required: true } as const;
const number = { type: Number, required: true } as const;
const optional = { type: Schema.Types.Mixed, default: null } as never;

const synthesisSchema = new Schema<SynthesisDocument>(
  {
    ...{ _id: text, projectId: text, datasetId: text, objective: text },
    ...{ conversationId: optional, snapshotId: optional, itemId: optional },
    ...{ round: number, synthesis: { type: Schema.Types.Mixed, required: true } as never },
    ...{ state: text, rounds: number, failures: number, createdAt: number },
    ...scheduleFields,
  },
  { collection: 'collection_syntheses', versionKey: false },
);
synthesisSchema.index({ projectId: 1, datasetId: 1 });
synthesisSchema.index({ projectId: 1, conversationId: 1 });

const budgetSchema = new Schema<SynthesisBudgetRow>(
  { _id: text, projectId: text, datasetId: text, day: number, calls: number },
  { collection: 'synthesis_budgets', versionKey: false },
);
budgetSchema.index({ projectId: 1, datasetId: 1 });

export function synthesisModel(connection: Connection): Model<SynthesisDocument> {
  return modelOf(connection, 'Synthesis', synthesisSchema);
}

export function synthesisBudgetModel(connection: Connection): Model<SynthesisBudgetRow> {
  return modelOf(connection, 'SynthesisBudget', budgetSchema);
}

export function synthesisCollection({ connection }: Pick<Database, 'connection'>): mongo.Collection<SynthesisDocument> {
  return nativeDb(connection).collection(synthesisModel(connection).collection.name);
}

export function synthesisBudgetCollection({
  connection,
}: Pick<Database, 'connection'>): mongo.Collection<SynthesisBudgetRow> {
  return nativeDb(connection).collection(synthesisBudgetModel(connection).collection.name);
}
