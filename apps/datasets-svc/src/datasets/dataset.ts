import {
  AUTO_MODEL,
  DEFAULT_CATCH_UP,
  type CollectedRedaction,
  type CollectionCatchUp,
  type CollectionFilters,
  type CollectionObjective,
  type CollectionPolicy,
  type Dataset,
  type DatasetChange,
  type NewDataset,
} from '@clew/contracts';
import { AppError } from '@clew/kernel';
import type { ModelAvailability } from '../models/index.ts';

/** Policy of automatic collection; it has a model only if one was named. */
export type StoredPolicy = Omit<CollectionPolicy, 'revision'>;

export interface StoredDataset {
  id: string;
  projectId: string;
  name: string;
  description: string | null;
  policy: StoredPolicy | null;
  /** Grows with every change of the policy and also with its removal, so that no revision is used twice. */
  policyRevision: number;
  collectionEnabled: boolean;
  collectedRedaction: CollectedRedaction;
  collectionCatchUp: CollectionCatchUp | null;
  dailySyntheses: number;
  exampleCount: number;
  version: number;
  contentId: string;
  createdAt: number;
  updatedAt: number;
}

/** Fields that a caller may set. */
export type DatasetSettings = Pick<
  StoredDataset,
  | 'name'
  | 'description'
  | 'policy'
  | 'policyRevision'
  | 'collectionEnabled'
  | 'collectedRedaction'
  | 'collectionCatchUp'
  | 'dailySyntheses'
>;

/** Whether a Dataset collects at the moment; this depends on its model. */
export type CollectionState = Pick<Dataset, 'collectionStatus' | 'blockedReason'>;

/** Dataset as callers see it, without the fields that depend on models. */
export type DatasetFields = Omit<Dataset, keyof CollectionState>;

/** Fields that decide whether a Dataset collects. */
type Collecting = Pick<StoredDataset, 'policy' | 'collectionEnabled'>;

interface PolicyFields {
  collectionObjective?: CollectionObjective | null | undefined;
  collectionModel?: string | null | undefined;
  collectionFilters?: CollectionFilters | null | undefined;
}

/** Tells whether a model writes the expected output: one objective copies verified ones. */
export function needsModel(objective: CollectionObjective): boolean {
  return objective !== 'preserve_successful_behavior';
}

export function newSettings(input: NewDataset): DatasetSettings {
  const policy = changedPolicy(null, input);
  return {
    name: input.name,
    description: input.description ?? null,
    policy,
    policyRevision: policy === null ? 0 : 1,
    collectionEnabled: input.collectionEnabled,
    collectedRedaction: input.collectedRedaction,
    collectionCatchUp: input.collectionCatchUp === undefined ? DEFAULT_CATCH_UP : input.collectionCatchUp,
    dailySyntheses: input.dailySyntheses,
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
    collectedRedaction: change.collectedRedaction ?? settings.collectedRedaction,
    collectionCatchUp: change.collectionCatchUp === undefined ? settings.collectionCatchUp : change.collectionCatchUp,
    dailySyntheses: change.dailySyntheses ?? settings.dailySyntheses,
  };
}

/** Applies policy fields: an absent one stays, null removes it. Without an objective there is no policy. */
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

/** Model that a policy uses: the named one, or else the default if its objective needs one. */
function modelOf({ objective, model }: StoredPolicy): string | undefined {
  return model ?? (needsModel(objective) ? AUTO_MODEL : undefined);
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

/** Model whose availability decides whether the Dataset can collect; `undefined` if none is needed. */
export function neededModel({ policy, collectionEnabled }: Collecting): string | undefined {
  if (!collectionEnabled || policy === null || !needsModel(policy.objective)) return undefined;
  return modelOf(policy);
}

/** Tells whether a change lets a Dataset begin to collect, or to collect for another objective. */
export function beginsToCollect(before: Collecting | undefined, after: Collecting): boolean {
  const objectiveOf = (dataset: Collecting | undefined) =>
    dataset?.collectionEnabled === true ? dataset.policy?.objective : undefined;
  return objectiveOf(after) !== undefined && objectiveOf(before) !== objectiveOf(after);
}

/** Collection state. Only a model that is known to be unavailable makes setup required. */
export function collectionState(dataset: Collecting, models: ReadonlyMap<string, ModelAvailability>): CollectionState {
  if (!dataset.collectionEnabled || dataset.policy === null) return { collectionStatus: 'off', blockedReason: null };
  const model = neededModel(dataset);
  const availability = model === undefined ? undefined : models.get(model);
  if (availability === undefined || availability.available) return { collectionStatus: 'ready', blockedReason: null };
  return { collectionStatus: 'setup_required', blockedReason: availability.reason };
}

export function datasetFields(dataset: StoredDataset): DatasetFields {
  const { policy, policyRevision, collectionEnabled, collectedRedaction, collectionCatchUp, dailySyntheses } = dataset;
  return {
    id: dataset.id,
    projectId: dataset.projectId,
    name: dataset.name,
    description: dataset.description,
    schema: { type: 'chat', version: 1 },
    collectionPolicy: policy === null ? null : policyView(policy, policyRevision),
    collectionEnabled,
    collectedRedaction,
    collectionCatchUp,
    dailySyntheses,
    exampleCount: dataset.exampleCount,
    version: dataset.version,
    contentId: dataset.contentId,
    createdAt: dataset.createdAt,
    updatedAt: dataset.updatedAt,
  };
}

/** Dataset as callers see it; `models` has the availability of known models. */
export function datasetView(dataset: StoredDataset, models: ReadonlyMap<string, ModelAvailability>): Dataset {
  return { ...datasetFields(dataset), ...collectionState(dataset, models) };
}
