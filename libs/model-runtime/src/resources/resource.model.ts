import { Schema, type Connection, type Model } from 'mongoose';
import { modelOf } from '@clew/persistence';
import type { Holding } from './holding.ts';
import type { Resource } from './resource.ts';

export type ResourceDocument = Omit<Resource, 'id'> & { _id: string };
export type HoldingDocument = Omit<Holding, 'id'> & { _id: string; expiresAt: Date | null };
/** Last generation of a subject; or, if the id begins with a project, the last one that the project gave back. */
export interface GenerationDocument {
  _id: string;
  value: number;
  /** For a generation given back: the resource it belonged to. */
  resourceId?: string;
}

const text = { type: String, required: true } as const;
const optionalText = { type: String, default: null } as const;
const number = { type: Number, required: true } as const;
const optionalNumber = { type: Number, default: null } as const;
const flag = { type: Boolean, required: true } as const;
const mixed = { type: Schema.Types.Mixed, default: null } as const;

const resourceSchema = new Schema<ResourceDocument>(
  {
    _id: text,
    node: text,
    kind: text,
    generation: number,
    desired: text,
    state: text,
    settled: flag,
    holderCount: number,
    spec: mixed,
    outcome: mixed,
    stage: optionalText,
    progress: mixed,
    error: mixed,
    failureCount: number,
    nextAttemptAt: optionalNumber,
    stopReason: optionalText,
    claimEpoch: number,
    log: { type: [String], default: [] },
    lastUsedAt: number,
    probe: mixed,
    wantedBy: String,
    createdAt: number,
    updatedAt: number,
  },
  { collection: 'runtime_resources', versionKey: false },
);
// Index of the resources that need work by a node's agent; most resources are settled.
resourceSchema.index({ node: 1 }, { name: 'unsettled_node', partialFilterExpression: { settled: false } });

const holdingSchema = new Schema<HoldingDocument>(
  {
    /** `<project>/<resource>`, so that a project holds a resource only once. */
    _id: text,
    projectId: text,
    node: text,
    kind: text,
    resourceId: text,
    modelId: optionalText,
    profileId: optionalText,
    engine: optionalText,
    generation: number,
    held: flag,
    endedAs: optionalText,
    createdAt: number,
    updatedAt: number,
    expiresAt: { type: Date, default: null },
  },
  { collection: 'runtime_holdings', versionKey: false },
);
holdingSchema.index({ projectId: 1, node: 1, kind: 1, updatedAt: -1, _id: -1 });
holdingSchema.index({ projectId: 1, node: 1, modelId: 1, kind: 1, held: 1 });
holdingSchema.index({ projectId: 1, node: 1, engine: 1, kind: 1, held: 1 });
holdingSchema.index({ expiresAt: 1 }, { name: 'expiresAt_ttl', expireAfterSeconds: 0 });

const generationSchema = new Schema<GenerationDocument>(
  { _id: text, value: number, resourceId: String },
  { collection: 'runtime_generations', versionKey: false },
);

export function resourceModel(connection: Connection): Model<ResourceDocument> {
  return modelOf(connection, 'RuntimeResource', resourceSchema);
}

export function holdingModel(connection: Connection): Model<HoldingDocument> {
  return modelOf(connection, 'RuntimeHolding', holdingSchema);
}

export function generationModel(connection: Connection): Model<GenerationDocument> {
  return modelOf(connection, 'RuntimeGeneration', generationSchema);
}
