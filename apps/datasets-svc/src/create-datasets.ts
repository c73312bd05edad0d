import { deedRecorded, getModelAvailabilitiesInternally, modelAvailabilityChanged } from '@clew/contracts';
import type { App, DatabaseHost } from '@clew/host';
import { createApi, type ServiceClient } from '@clew/http';
import type { InferenceClient } from '@clew/inference';
import { subscribeBroadcast } from '@clew/messaging';
import { createAuditTrail, createIdempotencyStore, createOutbox } from '@clew/persistence';
import type { DatasetsConfig } from './config.ts';
import { createCollection } from './collection/index.ts';
import {
  createDatasetRemover,
  createDatasetsService,
  createDatasetStore,
  createDatasetViews,
  createGroupCommit,
  datasetRoutes,
  type DatasetRemover,
  type DatasetRemoverOptions,
} from './datasets/index.ts';
import { createEraseExamples, erasureRoutes } from './erasure/index.ts';
import {
  createBatchService,
  createCountExamples,
  createExampleHistory,
  createExampleReader,
  createExamplesService,
  createExampleStore,
  createExampleTraitsStore,
  createExampleUpserts,
  createUpdateExamples,
  exampleRoutes,
} from './examples/index.ts';
import { createTransferRoutes } from './create-transfer-routes.ts';
import { createModelAvailabilities, createNamedModels, type ModelAvailabilities } from './models/index.ts';
import { createStorageGate } from './storage/index.ts';
import { createSplitSlices, createSplitsService } from './splits/index.ts';
import {
  createIncludeExamples,
  createVersionDiffStore,
  createVersionsService,
  createVersionStore,
  versionRoutes,
} from './versions/index.ts';

export interface DatasetsDependencies extends Pick<
  DatabaseHost<DatasetsConfig>,
  'config' | 'database' | 'broker' | 'clock' | 'logger' | 'api' | 'cursors'
> {
  modelRuntime: ServiceClient;
  warehouse: ServiceClient;
  diagnostics: ServiceClient;
  knowledge: ServiceClient;
  inference: InferenceClient;
  /** Pause between looks for due collection in milliseconds, which tests shorten. */
  collectionPollMs?: number | undefined;
  /** Pace of the removal of Datasets, which tests shorten. */
  removal?: Pick<DatasetRemoverOptions, 'pageSize' | 'pollMs' | 'leaseMs'>;
}

export interface Datasets extends App {
  /** Continues the removal of deleted Datasets once it is started. */
  remover: DatasetRemover;
  /** Cache of model availability, which is notified of changes. */
  models: Pick<ModelAvailabilities, 'changed' | 'forgetAll'>;
}

/** Collections with documents of a Dataset, besides its own row. */
const COLLECTIONS_OF_A_DATASET = [
  ...['examples', 'example_revisions', 'dataset_versions', 'collection_decisions', 'collection_syntheses'],
  ...['collection_catch_ups', 'synthesis_budgets'],
] as const;

export function createDatasets(deps: DatasetsDependencies): Datasets {
  const { config, database, broker, clock, logger, cursors } = deps;
  const datasets = createDatasetStore(database);
  const versions = createVersionStore(database);
  const [examples, history] = [createExampleStore(database), createExampleHistory(database)];
  const outbox = createOutbox(database);
  const groupCommit = createGroupCommit({
    ...{ database, datasets, examples, versions, outbox, clock },
    maxWaiting: config.MAX_WAITING_CHANGES,
  });
  const remover = createDatasetRemover({
    ...{ database, clock, logger },
    collections: COLLECTIONS_OF_A_DATASET,
    ...deps.removal,
  });
  const reader = createExampleReader({ datasets, versions, examples, history });
  const upserts = createExampleUpserts(groupCommit, examples);
  const models = modelAvailabilitiesOf(deps);
  const collection = createCollection({
    ...{ ...deps, datasets, examples, groupCommit, outbox },
    pollMs: deps.collectionPollMs,
  });
  const datasetsService = createDatasetsService({
    ...{ database, datasets, versions, groupCommit, remover, outbox, cursors, clock },
    audit: createAuditTrail(outbox, deedRecorded, clock),
    views: createDatasetViews(models),
    namedModels: createNamedModels(outbox, clock),
    beginCatchUp: (tx, catchingUp) => collection.catchUps.begin(tx, catchingUp),
  });
  const traits = createExampleTraitsStore(database);
  const splits = createSplitsService(traits);
  const { noteRemoval } = collection;
  const examplesService = createExamplesService({
    ...{ datasets, examples, history, reader, cursors, noteRemoval },
    changes: groupCommit,
    splitSlices: createSplitSlices(history, splits),
  });
  const versionsService = createVersionsService({
    ...{ datasets, versions, reader, cursors },
    ...{ diffs: createVersionDiffStore(database), includeExamples: createIncludeExamples(history) },
  });
  const requireRoom = createStorageGate(deps);
  return {
    ...{ remover, models },
    listener: createApi({
      ...deps.api,
      maxBodyBytes: { json: config.MAX_JSON_BODY_BYTES, batch: config.MAX_BATCH_BODY_BYTES },
      idempotency: createIdempotencyStore(database, config.AUTH_SECRET),
      routes: [
        ...datasetRoutes(datasetsService),
        ...exampleRoutes({
          ...{ examples: examplesService, batches: createBatchService(upserts) },
          update: createUpdateExamples({ examples, changes: groupCommit, noteRemoval }),
          count: createCountExamples(database, datasets),
          requireRoom,
        }),
        ...versionRoutes(versionsService),
        ...createTransferRoutes({ config, database, datasets, upserts, reader, traits, splits, requireRoom }),
        ...collection.routes,
        ...erasureRoutes({
          ...{ database, broker },
          eraseExamples: createEraseExamples({ database, examples, collection, broker, changes: groupCommit }),
        }),
      ],
    }),
    start() {
      const modelChanges = subscribeBroadcast({
        ...{ broker, logger, spec: modelAvailabilityChanged },
        async handle({ projectId, data }) {
          models.changed(projectId, data.model);
          await collection.modelChanged(projectId);
        },
        onSubscribed: () => models.forgetAll(),
      });
      return [remover.start(), modelChanges, ...collection.start()];
    },
  };
}

/**
 * Availability of the models that policies name. Judgement is required for `service/auto`, because synthesized outputs
 * are only as good as the model's judgement; a model that the policy names is taken as it is.
 */
function modelAvailabilitiesOf({ modelRuntime, clock, logger }: DatasetsDependencies): ModelAvailabilities {
  return createModelAvailabilities({
    ...{ clock, logger },
    async ask(projectId, models, waitMs) {
      const { availabilities } = await modelRuntime.call(getModelAvailabilitiesInternally, {
        params: { projectId },
        body: { models: [...models], purpose: 'judgement', waitMs },
      });
      return availabilities;
    },
  });
}
