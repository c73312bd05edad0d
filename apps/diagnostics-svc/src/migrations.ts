import { ensureIndexes, ensureSettings, inboxMigration, outboxMigration, type Migration } from '@clew/persistence';
import { findingModel, occurrenceModel } from './findings/finding.model.ts';
import { conversationModel } from './results/conversation.model.ts';
import { runModel } from './runs/runs.store.ts';

export const migrations: readonly Migration[] = [
  {
    id: '0001-findings',
    async up(connection) {
      await ensureSettings(connection, 'settings');
      await ensureIndexes(runModel(connection));
      await ensureIndexes(findingModel(connection));
      await ensureIndexes(occurrenceModel(connection));
      await ensureIndexes(conversationModel(connection));
    },
  },
  outboxMigration('0002-outbox'),
  inboxMigration('0003-inbox'),
];
