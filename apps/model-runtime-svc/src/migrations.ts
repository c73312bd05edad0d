import {
  ensureScheduleIndexes,
  ensureIdempotency,
  ensureInbox,
  ensureIndexes,
  ensureOutbox,
  ensureSettings,
  ensureTurnIndexes,
  type Migration,
} from '@clew/persistence';
import { hubTokenModel, generationModel, holdingModel, nodeModel, resourceModel } from '@clew/model-runtime';
import {
  capabilityCollection,
  capabilityModel,
  dayTokensModel,
  modelReferenceModel,
  MODEL_SETTINGS,
  pointModel,
  providerModel,
  QUOTAS_COLLECTION,
  usageModel,
  usageRowModel,
} from './endpoint/index.ts';
import { catalogModelModel, hubFactsModel, hubStatusModel } from './catalog/index.ts';

const ENDPOINT = [providerModel, modelReferenceModel, capabilityModel, pointModel, usageModel, dayTokensModel];
const CATALOG = [catalogModelModel, hubFactsModel, hubStatusModel, hubTokenModel];
const RUNTIME = [nodeModel, resourceModel, holdingModel, generationModel];

export const migrations: readonly Migration[] = [
  {
    id: '0001-baseline',
    async up(connection) {
      await ensureOutbox(connection);
      await ensureInbox(connection);
      await ensureIdempotency(connection);
      await ensureSettings(connection, MODEL_SETTINGS);
      await ensureIndexes(...[...ENDPOINT, ...CATALOG, ...RUNTIME].map((model) => model(connection)));
      await ensureScheduleIndexes(capabilityCollection(connection));
      await ensureTurnIndexes(capabilityCollection(connection));
    },
  },
  {
    id: '0002-quotas',
    async up(connection) {
      await ensureSettings(connection, QUOTAS_COLLECTION);
      await ensureIndexes(usageRowModel(connection));
    },
  },
];
