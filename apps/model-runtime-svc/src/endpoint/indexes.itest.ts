import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Database } from '@clew/persistence';
import { explainSent, explainUsesIndex, monitored, useTestEnvironment } from '@clew/testing';
import { capabilityModel } from './availability/capabilities.store.ts';
import { modelReferenceModel, providerModel } from './providers/provider.model.ts';
import { createProviderStore } from './providers/providers.store.ts';
import { pointModel } from './recording/conversation-point.model.ts';
import { openTestDatabase } from '../test-support/service.ts';
import { createUsageStore } from './usage/usage.store.ts';

const environment = useTestEnvironment();
const projectId = 'prj_1';
let database: Database;

beforeAll(async () => {
  database = await openTestDatabase(environment, monitored(environment.mongoUrl));
});

afterAll(() => database.close());

it('every query of providers, availability and recording is answered by an index', async () => {
  const { connection } = database;
  const queries = [
    providerModel(connection).find({ projectId, name: 'a' }),
    modelReferenceModel(connection).find({ projectId, providers: 'a' }),
    capabilityModel(connection).find({ projectId, model: 'a/b' }),
    capabilityModel(connection).find({ projectId, model: { $gte: 'a/', $lt: 'a0' } }),
    pointModel(connection)
      .find({ projectId, hash: { $in: ['a', 'b'] } })
      .sort({ at: 1 }),
  ];
  for (const query of queries) expect(await explainUsesIndex(query)).toContain('IXSCAN');
});

it('the lists of providers and of usage are read in the order of an index', async () => {
  const [providers, usage] = [createProviderStore(database), createUsageStore(database)];
  const explained = await explainSent(database, async () => {
    for (const after of [undefined, ['a']]) await providers.list(projectId, { limit: 10, after });
    for (const range of [{}, { from: '2026-01-01' }, { from: '2026-01-01', to: '2026-02-01' }]) {
      for (const after of [undefined, ['2026-01-02', 'x']]) await usage.list(projectId, range, { limit: 10, after });
    }
  });
  expect(explained.map(({ plan }) => plan)).toEqual([
    ...Array<unknown>(2).fill(expect.stringMatching(/^find providers:.* IXSCAN$/)),
    ...Array<unknown>(6).fill(expect.stringMatching(/^find usage:.* IXSCAN$/)),
  ]);
});
