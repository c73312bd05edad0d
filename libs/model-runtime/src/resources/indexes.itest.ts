import { afterAll, beforeAll, it } from '@jest/globals';
import { newId } from '@clew/kernel';
import type { Database } from '@clew/persistence';
import { explainUsesIndex, useTestEnvironment } from '@clew/testing';
import { openTestDatabase } from '../test-support/open-test-database.ts';
import { holdingId } from './holding.ts';
import { holdingModel, resourceModel } from './resource.model.ts';

const environment = useTestEnvironment();
const PROJECTS = Array.from({ length: 20 }, () => newId('prj'));
const [projectId] = PROJECTS as [string];
const node = 'node-1';
let database: Database;

beforeAll(async () => {
  database = await openTestDatabase(environment);
  const kinds = ['engine', 'artifact', 'service'] as const;
  const holdings = PROJECTS.flatMap((project) =>
    Array.from({ length: 60 }, (_, index) => {
      const kind = kinds[index % 3]!;
      const resourceId = `${node}/${kind}/model-${index}`;
      return {
        _id: holdingId(project, resourceId),
        ...{ projectId: project, node, kind, resourceId, modelId: `model-${index}`, profileId: 'q4', engine: 'vllm' },
        ...{ generation: 1, held: index % 5 !== 0, endedAs: null, createdAt: index, updatedAt: index, expiresAt: null },
      };
    }),
  );
  await holdingModel(database.connection).collection.insertMany(holdings as never);
});

afterAll(() => database.close());

const holdings = () => holdingModel(database.connection);

it.each([
  [
    'what a project holds of a model',
    () => holdings().find({ projectId, node, modelId: 'model-1', kind: 'artifact', held: true }),
  ],
  [
    'whether a service of a project runs on an engine',
    () => holdings().find({ projectId, node, engine: 'vllm', kind: 'service', held: true }).limit(1),
  ],
  [
    'the models of which a project has artifacts',
    () => holdings().find({ projectId, node, kind: 'artifact', held: true }, { modelId: 1, resourceId: 1 }).limit(10),
  ],
  [
    'what changed last in a project',
    () => holdings().find({ projectId, node, kind: 'service' }).sort({ updatedAt: -1, _id: -1 }).limit(200),
  ],
  ['what an agent has to do', () => resourceModel(database.connection).find({ node, settled: false })],
])('%s is found by an index', async (_name, query) => {
  await explainUsesIndex(query());
});
