import { Schema, type Connection, type Model, type mongo } from 'mongoose';
import type {
  CollectionObjective,
  CollectionReason,
  DecisionOutcome,
  RefusalReason,
  WatchedProblem,
} from '@clew/contracts';
import { modelOf, nativeDb, scheduleFields, type Database, type ScheduleFields } from '@clew/persistence';

/** Example that was collected, as it was written; a person may have changed it since. */
export interface OwnedExample {
  id: string;
  derivationKey: string;
  /** Digest of the content that was written last. */
  digest: string;
}

/** Decision of a Dataset on a conversation or an item for one objective: task, record and ledger in one. */
export interface DecisionDocument extends ScheduleFields {
  _id: string;
  projectId: string;
  datasetId: string;
  objective: CollectionObjective;
  /** Null for an item. */
  conversationId: string | null;
  /** Snapshot that is to be looked at, or was; null for an item. */
  snapshotId: string | null;
  /** Knowledge item; null for a conversation. */
  itemId: string | null;
  /** `due` for a worker, `asked` for while one has it, `decided`. */
  state: 'due' | 'asked' | 'decided';
  rounds: number;
  failures: number;
  createdAt: number;
  /** Time of the latest decision; null before the first. */
  decidedAt: number | null;
  outcome: DecisionOutcome | null;
  because: CollectionReason | null;
  reason: RefusalReason | null;
  redacted: number;
  /** Model that wrote the response last, or refused to. */
  model: string | null;
  /** Digest of what that response was made from, with the policy's revision where it was refused. */
  basis: string | null;
  examples: OwnedExample[];
  /** derivationKeys of Examples that people deleted, which are never collected again. */
  removedKeys: string[];
  /** Problems as they were at the latest look: a later review of one leads to another look. */
  problems: WatchedProblem[];
}

const text = { type: String, required: true } as const;
const number = { type: Number, required: true } as const;
const optional = { type: Schema.Types.Mixed, default: null } as never;

const decisionSchema = new Schema<DecisionDocument>(
  {
    ...{ _id: text, projectId: text, datasetId: text, objective: text },
    ...{ conversationId: optional, snapshotId: optional, itemId: optional, model: optional, basis: optional },
    ...{ state: text, rounds: number, failures: number, createdAt: number, redacted: number },
    ...{ decidedAt: optional, outcome: optional, because: optional, reason: optional },
    ...{ examples: [Schema.Types.Mixed] as never, removedKeys: [String], problems: [Schema.Types.Mixed] as never },
    ...scheduleFields,
  },
  { collection: 'collection_decisions', versionKey: false },
);
const LATEST_FIRST = { decidedAt: -1, _id: -1 } as const;
const OF_DATASET = { projectId: 1, datasetId: 1 } as const;
decisionSchema.index({ ...OF_DATASET, ...LATEST_FIRST });
// Partial, so that a decision that is still to be made has no entry here that would be moved once it is; by comparisons,
// because the planner knows that equality with a text implies them.
for (const field of ['outcome', 'reason'] as const) {
  decisionSchema.index(
    { ...OF_DATASET, [field]: 1, ...LATEST_FIRST },
    { partialFilterExpression: { [field]: { $gt: '' } } },
  );
}
for (const subject of ['conversationId', 'itemId'] as const) {
  decisionSchema.index(
    { projectId: 1, [subject]: 1, datasetId: 1, ...LATEST_FIRST },
    { partialFilterExpression: { [subject]: { $gt: '' } } },
  );
}
// Most decisions refuse a conversation that shows nothing: they have no entry in these.
const withSome = (field: string) => ({ partialFilterExpression: { [field]: { $exists: true } } });
decisionSchema.index({ projectId: 1, 'problems.findingId': 1 }, withSome('problems.findingId'));
decisionSchema.index({ ...OF_DATASET, 'examples.id': 1 }, withSome('examples.id'));

export function decisionModel(connection: Connection): Model<DecisionDocument> {
  return modelOf(connection, 'CollectionDecision', decisionSchema);
}

export function decisionCollection({ connection }: Pick<Database, 'connection'>): mongo.Collection<DecisionDocument> {
  return nativeDb(connection).collection(decisionModel(connection).collection.name);
}
