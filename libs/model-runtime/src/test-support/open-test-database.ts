import { connectMongo, ensureIndexes, type Database } from '@clew/persistence';
import { silentLogger, type TestEnvironment } from '@clew/testing';
import { nodeModel } from '../resources/node.model.ts';
import { generationModel, holdingModel, resourceModel } from '../resources/resource.model.ts';

const MODELS = [nodeModel, resourceModel, holdingModel, generationModel];

/** Opens a database with the collections of the runtime and their indexes. */
export async function openTestDatabase({ mongoUrl: url, database: name }: TestEnvironment): Promise<Database> {
  const database = await connectMongo({ url, database: name, appName: 'test', logger: silentLogger() });
  await ensureIndexes(...MODELS.map((model) => model(database.connection)));
  return database;
}
