import { Schema, type Connection, type Model, type mongo } from 'mongoose';
import { modelOf, nativeDb, type Database } from '@clew/persistence';
import type { Detected } from './clusters/cluster.ts';
import type { FindingDescription, StoredFinding } from './finding.ts';
import type { Occurrence } from './occurrence.ts';

export type FindingDocument = Omit<StoredFinding, 'id' | 'clusterCount'> & {
  _id: string;
  /** Of one that others were merged into: what its own conversations say; the document says what all of them do. */
  own?: Detected;
};
export type OccurrenceDocument = Omit<Occurrence, 'id'> & { _id: string };

const text = { type: String, required: true } as const;
/** A text that may be empty, which counts as missing where it is required. */
const prose = { type: String, default: '' } as const;
const number = { type: Number, required: true } as const;
const optionalNumber = { type: Number, default: null } as const;
const mixed = { type: Schema.Types.Mixed, required: true } as const;
/** Not there at all in most documents. */
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

const FILTERED = { projectId: 1, listed: 1, reviewStatus: 1, resolutionStatus: 1, severity: 1 } as const;
export const IN_ORDER = { ...FILTERED, lastDetectedAt: -1, _id: -1, diagnosticScore: 1 } as const;
export const BY_SCORE = { ...FILTERED, diagnosticScore: -1, lastDetectedAt: -1, _id: -1 } as const;

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
    ...{ memberIds: absentMixed, splits: absentMixed },
    createdAt: number,
    updatedAt: number,
    reviewedAt: optionalNumber,
    resolvedAt: optionalNumber,
    regressedAt: optionalNumber,
    ...description,
  },
  { collection: 'findings', versionKey: false },
);
// Serves every combination of the list's filters: a filter that is not given is every value of its field, and the
// server merges those ranges in the order of the last two sort fields.
findingSchema.index(IN_ORDER);
// Finds those that have a score, where they are few: see `fewByScore`.
findingSchema.index(BY_SCORE);

const OF_FINDING = { projectId: 1, findingId: 1 } as const;
const WORST_FIRST = { ...OF_FINDING, severityRank: 1, diagnosticScore: -1, firstDetectedAt: 1, _id: 1 } as const;
const CLEAREST_FIRST = { ...OF_FINDING, diagnosticScore: -1 } as const;

/** The index that conversations are counted from. */
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
    detection: mixed,
  },
  { collection: 'occurrences', versionKey: false },
);
occurrenceSchema.index({ projectId: 1, conversationId: 1 });
// The list of a Finding's occurrences, the last detected first.
occurrenceSchema.index({ projectId: 1, findingId: 1, firstDetectedAt: 1, _id: 1 });
// The one that describes a Finding, and the highest score of all: each the first of its order.
occurrenceSchema.index(WORST_FIRST);
occurrenceSchema.index(CLEAREST_FIRST);
// Counts, over time and in all, are read from the index alone.
occurrenceSchema.index(COUNTED);

/** All but what the Rule said, of which only the places are read. */
export const OCCURRENCE_HEAD = {
  ...Object.fromEntries(Object.keys(occurrenceSchema.paths).map((path) => [path, 1])),
  detection: { anchor: { stepIndex: 1 }, evidence: { location: { stepIndex: 1 } } },
};

/** Leaves out what describes a Finding, which is most of its size. */
export const WITHOUT_DESCRIPTION = Object.fromEntries(Object.keys(description).map((field) => [field, 0]));

export function findingModel(connection: Connection): Model<FindingDocument> {
  return modelOf(connection, 'Finding', findingSchema);
}

export function occurrenceModel(connection: Connection): Model<OccurrenceDocument> {
  return modelOf(connection, 'Occurrence', occurrenceSchema);
}

/** What a Finding says, where it is to be read alone. */
export const DESCRIPTION_ALONE = Object.fromEntries(Object.keys(description).map((field) => [field, 1]));

/** For writes in bulk, which need no casting. */
export function findingCollection({ connection }: Database): mongo.Collection<FindingDocument> {
  return nativeDb(connection).collection(findingModel(connection).collection.name);
}

export function occurrenceCollection({ connection }: Database): mongo.Collection<OccurrenceDocument> {
  return nativeDb(connection).collection(occurrenceModel(connection).collection.name);
}
