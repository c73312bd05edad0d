import { Schema, type Connection, type Model as MongooseModel } from 'mongoose';
import type { HubStatus } from '@clew/contracts';
import { modelOf } from '@clew/persistence';
import type { Model } from '../shared/index.ts';
import type { HubFacts } from './hub-facts.ts';
import type { SortKeys } from './sort-keys.ts';

const text = { type: String, required: true } as const;
const number = { type: Number, required: true } as const;
const mixed = { type: Schema.Types.Mixed, required: true } as const;
const optionalText = { type: String, default: null } as const;
const optionalNumber = { type: Number, default: null } as const;
const texts = { type: [String], required: true } as const;

/** Model that a project imported or has seen on the hub; `_id` is `<project>:<model>`. */
export interface ModelDocument extends Omit<Model, 'id'>, SortKeys {
  _id: string;
  projectId: string;
  /** Searched text, in lower case. */
  searchText: string;
  seenAt: number;
}

const modelSchema = new Schema<ModelDocument>(
  {
    _id: text,
    projectId: text,
    modelId: text,
    origin: text,
    name: text,
    description: { type: String, default: '' },
    category: text,
    pipelineTag: optionalText,
    tags: texts,
    license: optionalText,
    repoId: optionalText,
    gated: { type: Boolean, required: true },
    contextLength: optionalNumber,
    downloads: optionalNumber,
    likes: optionalNumber,
    updatedAt: optionalNumber,
    formats: texts,
    profiles: mixed,
    searchText: text,
    nameKey: text,
    downloadsKey: number,
    likesKey: number,
    updatedAtKey: number,
    sizeKey: number,
    seenAt: number,
  },
  { collection: 'models', versionKey: false, minimize: false },
);
modelSchema.index({ projectId: 1, modelId: 1 }, { unique: true });
// One index for each order of the catalog; the other filters are checked on the project's models, whose number is
// limited.
modelSchema.index({ projectId: 1, nameKey: 1, modelId: 1 });
modelSchema.index({ projectId: 1, downloadsKey: 1, modelId: 1 });
modelSchema.index({ projectId: 1, likesKey: 1, modelId: 1 });
modelSchema.index({ projectId: 1, updatedAtKey: 1, modelId: 1 });
modelSchema.index({ projectId: 1, sizeKey: 1, modelId: 1 });
// Index for forgetting the models that were seen longest ago.
modelSchema.index({ projectId: 1, origin: 1, seenAt: -1 });

export function catalogModelModel(connection: Connection): MongooseModel<ModelDocument> {
  return modelOf(connection, 'CatalogModel', modelSchema);
}

/** Latest facts from the hub about a repository of the built-in catalog; `_id` is `<project>:<repository>`. */
export interface HubFactsDocument extends HubFacts {
  _id: string;
  projectId: string;
}

const hubFactsSchema = new Schema<HubFactsDocument>(
  {
    _id: text,
    projectId: text,
    repoId: text,
    revision: text,
    gated: { type: Boolean, required: true },
    downloads: number,
    likes: number,
    updatedAt: number,
    files: mixed,
  },
  { collection: 'hub_facts', versionKey: false, minimize: false },
);
hubFactsSchema.index({ projectId: 1, repoId: 1 }, { unique: true });

export function hubFactsModel(connection: Connection): MongooseModel<HubFactsDocument> {
  return modelOf(connection, 'HubFacts', hubFactsSchema);
}

/** Result of the project's last refresh from the hub; `_id` is the project. */
export type HubStatusDocument = HubStatus & { _id: string };

const hubStatusSchema = new Schema<HubStatusDocument>(
  { _id: text, state: text, refreshedAt: optionalNumber, attemptedAt: optionalNumber, reason: optionalText },
  { collection: 'hub_status', versionKey: false },
);

export function hubStatusModel(connection: Connection): MongooseModel<HubStatusDocument> {
  return modelOf(connection, 'HubStatus', hubStatusSchema);
}
