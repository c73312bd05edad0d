import {
  AUTO_MODEL,
  type CollectionFilters,
  type CollectionObjective,
  type CollectionPolicy,
  type Dataset,
  type DatasetChange,
  type NewDataset,
} from '@clew/contracts';
import { AppError } from '@clew/kernel';
import type { ModelAvailability } from '../models/index.ts';

/** What is collected automatically, and how; the model only where one is named. */
export type StoredPolicy = Omit<CollectionPolicy, 'revision'>;

export interface StoredDataset {
  id: string;
  projectId: string;
  name: string;
  description: string | null;
  policy: StoredPolicy | null;
  /** Grows with every change of the policy, also when it is removed, so that no revision comes twice. */
  policyRevision: number;
  collectionEnabled: boolean;
  exampleCount: number;
  version: number;
  contentId: string;
  createdAt: number;
  updatedAt: number;
}

/** What a caller may set. */
export type DatasetSettings = Pick<
  StoredDataset,
  'name' | 'description' | 'policy' | 'policyRevision' | 'collectionEnabled'
>;

/** Whether a Dataset collects; of the moment, since it follows its model. */
export type CollectionState = Pick<Dataset, 'collectionStatus' | 'blockedReason'>;

/** A Dataset as callers see it, without what depends on models. */
export type DatasetFields = Omit<Dataset, keyof CollectionState>;

/** What decides whether a Dataset collects. */
type Collecting = Pick<StoredDataset, 'policy' | 'collectionEnabled'>;

interface PolicyFields {
  collectionObjective?: CollectionObjective | null | undefined;
  collectionModel?: string | null | undefined;
  collectionFilters?: CollectionFilters | null | undefined;
}

/** Copies verified outputs; every other objective writes the expected output with a model. */
const OBJECTIVE_WITHOUT_MODEL: CollectionObjective = 'preserve_successful_behavior';

export function newSettings(input: NewDataset): DatasetSettings {
  const policy = changedPolicy(null, input);
  return {
    name: input.name,
    description: input.description ?? null,
    policy,
    policyRevision: policy === null ? 0 : 1,
    collectionEnabled: input.collectionEnabled,
  };
}

export function changedSettings(settings: DatasetSettings, change: DatasetChange): DatasetSettings {
  const policy = changedPolicy(settings.policy, change);
  const samePolicy = JSON.stringify(policy) === JSON.stringify(settings.policy);
  return {
    name: change.name ?? settings.name,
    description: change.description === undefined ? settings.description : change.description,
    policy,
    policyRevision: settings.policyRevision + (samePolicy ? 0 : 1),
    collectionEnabled: change.collectionEnabled ?? settings.collectionEnabled,
  };
}

/** An absent field stays as it is, null takes it away; without an objective there is no policy. */
function changedPolicy(policy: StoredPolicy | null, fields: PolicyFields): StoredPolicy | null {
  const objective = fields.collectionObjective === undefined ? policy?.objective : fields.collectionObjective;
  if (objective === undefined || objective === null) {
    refuseWithoutObjective(fields);
    return null;
  }
  const model = fields.collectionModel === undefined ? policy?.model : fields.collectionModel;
  const filters = fields.collectionFilters === undefined ? policy?.filters : fields.collectionFilters;
  return { objective, ...(model == null ? {} : { model }), ...(filters == null ? {} : { filters }) };
}

/** The model that a policy uses: the one that it names, else the default where its objective needs one. */
function modelOf({ objective, model }: StoredPolicy): string | undefined {
  return model ?? (objective === OBJECTIVE_WITHOUT_MODEL ? undefined : AUTO_MODEL);
}

function policyView(policy: StoredPolicy, policyRevision: number): CollectionPolicy {
  const model = modelOf(policy);
  return { ...policy, revision: String(policyRevision), ...(model === undefined ? {} : { model }) };
}

function refuseWithoutObjective(fields: PolicyFields): void {
  const details = (['collectionModel', 'collectionFilters'] as const)
    .filter((field) => fields[field] !== undefined && fields[field] !== null)
    .map((field) => ({ path: `body.${field}`, message: 'needs a collectionObjective' }));
  const [first] = details;
  if (first === undefined) return;
  throw new AppError('VALIDATION_FAILED', `${first.path}: ${first.message}`, { details });
}

/** The model whose availability decides whether the Dataset can collect; undefined where none is needed. */
export function neededModel({ policy, collectionEnabled }: Collecting): string | undefined {
  if (!collectionEnabled || policy === null || policy.objective === OBJECTIVE_WITHOUT_MODEL) return undefined;
  return modelOf(policy);
}

/** Only what is known not to be available needs setup. */
export function collectionState(dataset: Collecting, models: ReadonlyMap<string, ModelAvailability>): CollectionState {
  if (!dataset.collectionEnabled || dataset.policy === null) return { collectionStatus: 'off', blockedReason: null };
  const model = neededModel(dataset);
  const availability = model === undefined ? undefined : models.get(model);
  if (availability === undefined || availability.available) return { collectionStatus: 'ready', blockedReason: null };
  return { collectionStatus: 'setup_required', blockedReason: availability.reason };
}

export function datasetFields(dataset: StoredDataset): DatasetFields {
  const { policy, policyRevision, collectionEnabled } = dataset;
  return {
    id: dataset.id,
    projectId: dataset.projectId,
    name: dataset.name,
    description: dataset.description,
    schema: { type: 'chat', version: 1 },
    collectionPolicy: policy === null ? null : policyView(policy, policyRevision),
    collectionEnabled,
    exampleCount: dataset.exampleCount,
    version: dataset.version,
    contentId: dataset.contentId,
    createdAt: dataset.createdAt,
    updatedAt: dataset.updatedAt,
  };
}

/** A Dataset as callers see it; `models` tells of those that something is known of. */
export function datasetView(dataset: StoredDataset, models: ReadonlyMap<string, ModelAvailability>): Dataset {
  return { ...datasetFields(dataset), ...collectionState(dataset, models) };
}
