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
import {
  capabilityCollection,
  capabilityModel,
  dayTokensModel,
  modelReferenceModel,
  MODEL_SETTINGS,
  pointModel,
  providerModel,
  usageModel,
} from './endpoint/index.ts';
import { catalogModelModel, hubFactsModel, hubStatusModel, hubTokenModel } from './catalog/index.ts';
import { generationModel, holdingModel, nodeModel, resourceModel } from './resources/index.ts';

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
];
