import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { keysetFilter, type Database } from '@clew/persistence';
import { explainUsesIndex, useTestEnvironment } from '@clew/testing';
import { capabilityModel } from './availability/capabilities.store.ts';
import { modelReferenceModel, providerModel } from './providers/provider.model.ts';
import { PROVIDER_SORT } from './providers/providers.store.ts';
import { prefixModel } from './recording/conversation-prefix.model.ts';
import { openTestDatabase } from '../test-support/service.ts';
import { usageModel } from './usage/usage.model.ts';
import { USAGE_SORT } from './usage/usage.store.ts';

const environment = useTestEnvironment();
const projectId = 'prj_1';
let database: Database;

beforeAll(async () => {
  database = await openTestDatabase(environment);
});

afterAll(() => database.close());

it('every query of providers, availability, recording and usage is answered by an index', async () => {
  const { connection } = database;
  const queries = [
    providerModel(connection).find({ projectId, name: 'a' }),
    providerModel(connection)
      .find({ projectId, ...keysetFilter(PROVIDER_SORT, ['a']) })
      .sort({ name: 1 }),
    modelReferenceModel(connection).find({ projectId, providers: 'a' }),
    capabilityModel(connection).find({ projectId, model: 'a/b' }),
    capabilityModel(connection).find({ projectId, model: { $gte: 'a/', $lt: 'a0' } }),
    prefixModel(connection)
      .find({ projectId, hash: { $in: ['a', 'b'] } })
      .sort({ at: 1 }),
    usageModel(connection)
      .find({ $and: [{ projectId }, { day: { $gte: '2026-01-01' } }, keysetFilter(USAGE_SORT, ['2026-01-02', 'x'])] })
      .sort({ day: -1, _id: -1 }),
  ];
  for (const query of queries) expect(await explainUsesIndex(query)).toContain('IXSCAN');
});
