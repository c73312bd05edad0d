import { Schema, type Connection, type Model } from 'mongoose';
import { modelOf } from '@clew/persistence';
import type { Occurrence, StoredFinding } from './finding.ts';

export type FindingDocument = Omit<StoredFinding, 'id'> & { _id: string };
export type OccurrenceDocument = Omit<Occurrence, 'id'> & { _id: string };

const text = { type: String, required: true } as const;
const number = { type: Number, required: true } as const;
const optionalNumber = { type: Number, default: null } as const;
const mixed = { type: Schema.Types.Mixed, required: true } as const;

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
    severity: text,
    diagnosticScore: number,
    diagnosticConfidence: number,
    title: { type: String, default: '' },
    summary: { type: String, default: '' },
    causeAssessment: { type: String, default: '' },
    remediationHint: { type: String, default: '' },
    listed: { type: Boolean, required: true },
    occurrenceCount: number,
    firstDetectedAt: number,
    lastDetectedAt: number,
    primaryOccurrenceId: { type: String, default: null },
    anchor: mixed,
    evidence: mixed,
    evidenceWindow: mixed,
    analysisRevision: text,
    evidenceSnapshotRevision: text,
    evidenceThroughMs: number,
    createdAt: number,
    updatedAt: number,
    reviewedAt: optionalNumber,
    resolvedAt: optionalNumber,
    regressedAt: optionalNumber,
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
    conversationStartedAt: number,
    throughMs: number,
    detectedAt: number,
    detection: mixed,
  },
  { collection: 'occurrences', versionKey: false },
);
occurrenceSchema.index({ projectId: 1, conversationId: 1, ruleId: 1 });
occurrenceSchema.index({ projectId: 1, findingId: 1, detectedAt: 1, _id: 1 });

export function findingModel(connection: Connection): Model<FindingDocument> {
  return modelOf(connection, 'Finding', findingSchema);
}

export function occurrenceModel(connection: Connection): Model<OccurrenceDocument> {
  return modelOf(connection, 'Occurrence', occurrenceSchema);
}
