import { Schema, type Connection, type Model, type mongo } from 'mongoose';
import { modelOf, nativeDb, type Database } from '@clew/persistence';
import type { FindingDescription, StoredFinding } from './finding.ts';
import type { Occurrence } from './occurrence.ts';

export type FindingDocument = Omit<StoredFinding, 'id'> & { _id: string };
export type OccurrenceDocument = Omit<Occurrence, 'id'> & { _id: string };

const text = { type: String, required: true } as const;
/** A text that may be empty, which counts as missing where it is required. */
const prose = { type: String, default: '' } as const;
const number = { type: Number, required: true } as const;
const optionalNumber = { type: Number, default: null } as const;
const mixed = { type: Schema.Types.Mixed, required: true } as const;

const description: Record<keyof FindingDescription, object> = {
  severity: text,
  diagnosticScore: number,
  diagnosticConfidence: number,
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
    listed: { type: Boolean, required: true },
    occurrenceCount: number,
    firstDetectedAt: number,
    lastDetectedAt: number,
    primaryOccurrenceId: { type: String, default: null },
    window: mixed,
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
findingSchema.index({
  projectId: 1,
  listed: 1,
  reviewStatus: 1,
  resolutionStatus: 1,
  severity: 1,
  lastDetectedAt: -1,
  _id: -1,
  diagnosticScore: 1,
});

const occurrenceSchema = new Schema<OccurrenceDocument>(
  {
    _id: text,
    findingId: text,
    projectId: text,
    conversationId: text,
    ruleId: text,
    snapshotId: text,
    snapshotRevision: number,
    snapshotScope: text,
    conversationStartedAt: number,
    throughMs: number,
    firstDetectedAt: number,
    lastDetectedAt: number,
    detection: mixed,
  },
  { collection: 'occurrences', versionKey: false },
);
occurrenceSchema.index({ projectId: 1, conversationId: 1 });
occurrenceSchema.index({ projectId: 1, findingId: 1, firstDetectedAt: 1, _id: 1 });

/** Leaves out what describes a Finding, which is most of its size. */
export const WITHOUT_DESCRIPTION = Object.fromEntries(Object.keys(description).map((field) => [field, 0]));

export function findingModel(connection: Connection): Model<FindingDocument> {
  return modelOf(connection, 'Finding', findingSchema);
}

export function occurrenceModel(connection: Connection): Model<OccurrenceDocument> {
  return modelOf(connection, 'Occurrence', occurrenceSchema);
}

/** For writes in bulk, which need no casting. */
export function findingCollection({ connection }: Database): mongo.Collection<FindingDocument> {
  return nativeDb(connection).collection(findingModel(connection).collection.name);
}

export function occurrenceCollection({ connection }: Database): mongo.Collection<OccurrenceDocument> {
  return nativeDb(connection).collection(occurrenceModel(connection).collection.name);
}
