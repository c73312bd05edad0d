import { Schema, type Connection, type Model, type mongo } from 'mongoose';
import { REVIEW_RULE_ID } from '@clew/contracts';
import { modelOf, nativeDb, type Database } from '@clew/persistence';
import type { Detected } from './clusters/cluster.ts';
import type { FindingDescription, StoredFinding } from './finding.ts';
import { LIST_INDEXES } from './listing/finding-order.ts';
import type { ListingRow } from './listing/listing-row.ts';
import type { Occurrence } from './occurrence.ts';

export type FindingDocument = Omit<StoredFinding, 'id' | 'clusterCount'> & {
  _id: string;
  /** Values of its own conversations, on a root only; the document itself has those of all members. */
  own?: Detected;
  listing: ListingRow;
  /** Words of the title, for the search. */
  titleWords: string[];
};
export type OccurrenceDocument = Omit<Occurrence, 'id'> & { _id: string };

const text = { type: String, required: true } as const;
/** Text that may be empty; with `required`, mongoose would refuse an empty one. */
const prose = { type: String, default: '' } as const;
const number = { type: Number, required: true } as const;
const optionalNumber = { type: Number, default: null } as const;
const mixed = { type: Schema.Types.Mixed, required: true } as const;
/** Absent in most documents. */
const absentText = { type: String } as const;
const absentMixed = { type: Schema.Types.Mixed } as const;
const optionalMixed = { type: Schema.Types.Mixed, default: null } as const;

const description: Record<keyof FindingDescription, object> = {
  diagnosticConfidence: number,
  confidenceSource: mixed,
  title: prose,
  summary: prose,
  causeAssessment: prose,
  remediationHint: prose,
  anchor: mixed,
  evidence: mixed,
  analysisRevision: text,
  evidenceSnapshotRevision: text,
  evidenceThroughMs: number,
};

export const AWAITING = { resolutionStatus: 'awaiting_verification' } as const;

const findingSchema = new Schema<FindingDocument>(
  {
    _id: text,
    projectId: text,
    clusterFingerprint: text,
    fingerprintVersion: text,
    ruleId: text,
    ruleKey: text,
    categoryKey: text,
    reviewStatus: text,
    resolutionStatus: text,
    assignee: { type: String, default: null },
    snooze: optionalMixed,
    verification: optionalMixed,
    sequence: number,
    revision: number,
    listed: { type: Boolean, required: true },
    severity: text,
    diagnosticScore: number,
    occurrenceCount: number,
    firstDetectedAt: number,
    lastDetectedAt: number,
    primary: optionalMixed,
    window: mixed,
    ...{ own: absentMixed, mergedInto: absentText, rootId: absentText, splitFrom: absentText },
    ...{ memberIds: absentMixed, splits: absentMixed, situation: absentMixed, workItem: absentMixed },
    ...{ listing: absentMixed, titleWords: absentMixed },
    createdAt: number,
    updatedAt: number,
    reviewedAt: optionalNumber,
    resolvedAt: optionalNumber,
    regressedAt: optionalNumber,
    ...description,
  },
  { collection: 'findings', versionKey: false },
);
for (const { name, key } of LIST_INDEXES) findingSchema.index({ ...key }, { name });
// Finds the few Findings whose repair is being verified.
findingSchema.index({ projectId: 1 }, { name: 'awaiting_verification', partialFilterExpression: AWAITING });

const OF_FINDING = { projectId: 1, findingId: 1 } as const;
const WORST_FIRST = { ...OF_FINDING, severityRank: 1, diagnosticScore: -1, firstDetectedAt: 1, _id: 1 } as const;
const CLEAREST_FIRST = { ...OF_FINDING, diagnosticScore: -1 } as const;

/** Index from which conversations are counted. */
export const COUNTED = { ...OF_FINDING, conversationStartedAt: 1, conversationId: 1 } as const;

const occurrenceSchema = new Schema<OccurrenceDocument>(
  {
    _id: text,
    findingId: text,
    projectId: text,
    conversationId: text,
    ruleId: text,
    severityRank: number,
    diagnosticScore: number,
    snapshotId: text,
    snapshotRevision: number,
    snapshotScope: text,
    ruleRevision: { type: Number },
    conversationStartedAt: number,
    throughMs: number,
    firstDetectedAt: number,
    lastDetectedAt: number,
    counted: { type: Boolean },
    detection: mixed,
  },
  { collection: 'occurrences', versionKey: false },
);
occurrenceSchema.index({ projectId: 1, conversationId: 1 });
// Lists a Finding's occurrences, the last detected first.
occurrenceSchema.index({ projectId: 1, findingId: 1, firstDetectedAt: 1, _id: 1 });
// Finds the occurrence that describes a Finding, and the highest score: each is the first entry of its index.
occurrenceSchema.index(WORST_FIRST);
occurrenceSchema.index(CLEAREST_FIRST);
// Serves counts, over time and in total, from the index alone.
occurrenceSchema.index(COUNTED);
// Finds what reviewers called the same, whose common title one of the conversations gave.
occurrenceSchema.index(
  { projectId: 1, 'detection.clusterFingerprint': 1, findingId: 1 },
  { partialFilterExpression: { ruleId: REVIEW_RULE_ID } },
);

/** Fields of an occurrence without its detection, of which only the step indices are read. */
export const OCCURRENCE_HEAD = {
  ...Object.fromEntries(Object.keys(occurrenceSchema.paths).map((path) => [path, 1])),
  detection: { anchor: { stepIndex: 1 }, evidence: { location: { stepIndex: 1 } } },
};

/** Leaves out the description, which is most of a Finding's size, and what is derived for lists. */
export const WITHOUT_DESCRIPTION = {
  ...Object.fromEntries(Object.keys(description).map((field) => [field, 0])),
  ...{ listing: 0, titleWords: 0 },
};

export function findingModel(connection: Connection): Model<FindingDocument> {
  return modelOf(connection, 'Finding', findingSchema);
}

export function occurrenceModel(connection: Connection): Model<OccurrenceDocument> {
  return modelOf(connection, 'Occurrence', occurrenceSchema);
}

/** Reads the description only. */
export const DESCRIPTION_ALONE = Object.fromEntries(Object.keys(description).map((field) => [field, 1]));

/** Native collection for bulk writes, which need no casting. */
export function findingCollection({ connection }: Database): mongo.Collection<FindingDocument> {
  return nativeDb(connection).collection(findingModel(connection).collection.name);
}

export function occurrenceCollection({ connection }: Database): mongo.Collection<OccurrenceDocument> {
  return nativeDb(connection).collection(occurrenceModel(connection).collection.name);
}
