import type { Connection } from 'mongoose';
import {
  dropIndex,
  ensureDueIndexes,
  ensureTurnIndexes,
  ensureIndexes,
  ensureSettings,
  idempotencyMigration,
  inboxMigration,
  outboxMigration,
  publishedBodiesMigration,
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

/** Numbers say the order; each area adds its own. */
export const migrations: readonly Migration[] = [
  outboxMigration('0001-outbox'),
  inboxMigration('0002-inbox'),
  {
    id: '0003-providers-and-inference',
    async up(connection) {
      await ensureIndexes(providerModel(connection));
      await ensureIndexes(modelReferenceModel(connection));
      await ensureSettings(connection, MODEL_SETTINGS);
      await ensureIndexes(capabilityModel(connection));
      await ensureIndexes(pointModel(connection));
      await ensureIndexes(usageModel(connection));
    },
  },
  {
    id: '0004-catalog',
    async up(connection) {
      await ensureIndexes(catalogModelModel(connection));
      await ensureIndexes(hubFactsModel(connection));
      await ensureIndexes(hubStatusModel(connection));
      await ensureIndexes(hubTokenModel(connection));
    },
  },
  {
    id: '0005-runtime',
    async up(connection) {
      await ensureIndexes(nodeModel(connection));
      await ensureIndexes(resourceModel(connection));
      await ensureIndexes(holdingModel(connection));
      await ensureIndexes(generationModel(connection));
    },
  },
  idempotencyMigration('0006-idempotency'),
  {
    id: '0007-tokens-of-days',
    async up(connection) {
      await ensureIndexes(dayTokensModel(connection));
      await sumUpDays(connection);
    },
  },
  {
    id: '0008-due-looks',
    async up(connection) {
      const capabilities = capabilityCollection(connection);
      await ensureDueIndexes(capabilities);
      await dropIndex(capabilities, 'dueAt_1__id_1');
    },
  },
  publishedBodiesMigration('0009-published-bodies'),
  { id: '0010-turns', up: (connection) => ensureTurnIndexes(capabilityCollection(connection)) },
];

/** What earlier versions have counted by model only. */
async function sumUpDays(connection: Connection): Promise<void> {
  const key = { projectId: '$projectId', day: '$day', origin: '$origin' };
  const tokens = { $sum: { $add: ['$inputTokens', '$outputTokens'] } };
  await usageModel(connection).aggregate([
    { $group: { _id: key, tokens } },
    {
      $project: {
        _id: { $concat: ['$_id.projectId', ':', '$_id.day', ':', '$_id.origin'] },
        ...{ projectId: '$_id.projectId', day: '$_id.day', origin: '$_id.origin', tokens: 1 },
      },
    },
    { $merge: { into: dayTokensModel(connection).collection.name, whenMatched: 'replace' } },
  ]);
}
