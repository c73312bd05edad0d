import { Schema, type Connection, type Model, type mongo } from 'mongoose';
import type { CandidateVerdict } from '@clew/contracts';
import { scheduleFields, modelOf, nativeDb, type ScheduleFields } from '@clew/persistence';

/**
 * Pending adjudication: `due` until the judge is asked, which may wait for budget, then `asked` until it answers. The
 * row is deleted once the adjudication has ended. An `asked` row that becomes due counts as lost, and ends.
 */
export interface AdjudicationDocument extends ScheduleFields {
  _id: string;
  projectId: string;
  conversationId: string;
  snapshotId: string;
  ruleId: string;
  revision: string | null;
  requestId: string | null;
  state: 'due' | 'asked';
  /** Number of times that the judge was asked. */
  rounds: number;
  /** Number of times that asking failed. */
  failures: number;
  createdAt: number;
}

/** Verdict of a model on the findings of a Rule in a snapshot. The model is never asked for it again. */
export interface VerdictDocument {
  _id: string;
  projectId: string;
  conversationId: string;
  snapshotId: string;
  ruleId: string;
  revision: string | null;
  model: string;
  accuracy: number;
  verdicts: CandidateVerdict[];
  calls: number;
  tokens: number;
  createdAt: number;
}

/** Calls of a project on the last day on which it made any. */
export interface BudgetDocument {
  _id: string;
  day: number;
  calls: number;
}

const text = { type: String, required: true } as const;
const number = { type: Number, required: true } as const;
const ofSnapshot = {
  ...{ _id: text, projectId: text, conversationId: text, snapshotId: text, ruleId: text },
  revision: { type: String, default: null },
} as const;

const adjudicationSchema = new Schema<AdjudicationDocument>(
  {
    ...ofSnapshot,
    requestId: { type: String, default: null },
    ...{ state: text, rounds: number, failures: number, createdAt: number },
    ...scheduleFields,
  },
  { collection: 'adjudications', versionKey: false },
);
adjudicationSchema.index({ projectId: 1, state: 1 });
adjudicationSchema.index({ projectId: 1, conversationId: 1, ruleId: 1 });

const verdictSchema = new Schema<VerdictDocument>(
  {
    ...ofSnapshot,
    ...{ model: text, accuracy: number, calls: number, tokens: number, createdAt: number },
    verdicts: { type: Schema.Types.Mixed, required: true } as never,
  },
  { collection: 'verdicts', versionKey: false },
);
verdictSchema.index({ projectId: 1, conversationId: 1 });

const budgetSchema = new Schema<BudgetDocument>(
  { _id: text, day: number, calls: number },
  { collection: 'adjudication_budgets', versionKey: false },
);

export function adjudicationModel(connection: Connection): Model<AdjudicationDocument> {
  return modelOf(connection, 'Adjudication', adjudicationSchema);
}

export function verdictModel(connection: Connection): Model<VerdictDocument> {
  return modelOf(connection, 'Verdict', verdictSchema);
}

export function budgetModel(connection: Connection): Model<BudgetDocument> {
  return modelOf(connection, 'AdjudicationBudget', budgetSchema);
}

export function adjudicationCollection(connection: Connection): mongo.Collection<AdjudicationDocument> {
  return nativeDb(connection).collection(adjudicationModel(connection).collection.name);
}

export function verdictCollection(connection: Connection): mongo.Collection<VerdictDocument> {
  return nativeDb(connection).collection(verdictModel(connection).collection.name);
}

export function budgetCollection(connection: Connection): mongo.Collection<BudgetDocument> {
  return nativeDb(connection).collection(budgetModel(connection).collection.name);
}
