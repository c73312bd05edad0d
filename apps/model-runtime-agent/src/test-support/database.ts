import { DATABASE_MIGRATIONS, generationModel, nodeModel, resourceModel } from '@clew/model-runtime';
import { ensureIndexes, type Database } from '@clew/persistence';
import type { TestEnvironment } from '@clew/testing';
import { openMigratedDatabase } from '@clew/testing-host';

const MODELS = [resourceModel, generationModel, nodeModel];

/** Opens a database with the collections that the agent works on, which the migrations of model-runtime-svc make. */
export function openTestDatabase(environment: TestEnvironment): Promise<Database> {
  const migrations = DATABASE_MIGRATIONS.map(({ id }) => ({
    id,
    up: (connection: Database['connection']) => ensureIndexes(...MODELS.map((model) => model(connection))),
  }));
  return openMigratedDatabase(environment, { migrations });
}
