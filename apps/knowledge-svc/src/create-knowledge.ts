import type { App, DatabaseHost } from '@clew/host';
import { createApi } from '@clew/http';
import { createIdempotencyStore } from '@clew/persistence';
import type { KnowledgeConfig } from './config.ts';
import { createSettingsStore, settingsRoutes } from './settings/index.ts';

export type KnowledgeDependencies = Pick<
  DatabaseHost<KnowledgeConfig>,
  'config' | 'database' | 'clock' | 'logger' | 'api'
>;

export function createKnowledge({ database, clock, api }: KnowledgeDependencies): App {
  return {
    listener: createApi({
      ...api,
      idempotency: createIdempotencyStore(database),
      routes: settingsRoutes(createSettingsStore(database), clock),
    }),
    start: () => [],
  };
}
