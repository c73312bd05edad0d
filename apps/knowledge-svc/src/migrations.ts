import {
  ensureScheduleIndexes,
  ensureIdempotency,
  ensureInbox,
  ensureIndexes,
  ensureOutbox,
  ensureSettings,
  ensureTurnIndex,
  ensureTurnIndexes,
  type Migration,
} from '@clew/persistence';
import { addFacets, dropFormerListIndexes } from './add-facets.ts';
import { addTimeAndSubjects } from './add-time-and-subjects.ts';
import { backfillModel } from './backfills/index.ts';
import { goalModel } from './goals/index.ts';
import { itemModel, itemRevisionModel } from './items/index.ts';
import { extractionCollection, extractionModel } from './extractions/index.ts';

export const migrations: readonly Migration[] = [
  {
    id: '0001-baseline',
    async up(connection) {
      await ensureOutbox(connection);
      await ensureInbox(connection);
      await ensureIdempotency(connection);
      await ensureSettings(connection, 'settings');
      const models = [goalModel, itemModel, itemRevisionModel, backfillModel, extractionModel];
      await ensureIndexes(...models.map((model) => model(connection)));
      await ensureScheduleIndexes(backfillModel(connection).collection as never);
      await ensureTurnIndex(backfillModel(connection).collection as never);
      await ensureScheduleIndexes(extractionCollection({ connection }));
      await ensureTurnIndexes(extractionCollection({ connection }));
    },
  },
  {
    id: '0002-time-and-subjects',
    async up(connection) {
      await addTimeAndSubjects(connection);
      await ensureIndexes(itemModel(connection));
    },
  },
  {
    id: '0003-facets',
    async up(connection) {
      await addFacets(connection);
      await ensureIndexes(itemModel(connection), backfillModel(connection));
      await dropFormerListIndexes(connection);
    },
  },
];
