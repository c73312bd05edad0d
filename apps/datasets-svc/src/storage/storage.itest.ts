import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { measureDatasets } from '@clew/contracts';
import { createServiceClient } from '@clew/http';
import { newId } from '@clew/kernel';
import { connectMongo } from '@clew/persistence';
import { explainSent, monitored, silentLogger, useTestEnvironment } from '@clew/testing';
import { manualExample, startTestService, STARTED_AT, type TestService } from '../test-support/service.ts';
import { MEASURED_COLLECTIONS } from './storage.routes.ts';

const environment = useTestEnvironment();
let service: TestService;

beforeAll(async () => {
  service = await startTestService(environment);
});

afterAll(() => service.stop());

it('a project over its quota of stored bytes adds no Examples, one by one, in batches or by a file', async () => {
  const projectId = newId('prj');
  const { path } = await service.newDataset(projectId);
  service.sources.storage.set(projectId, { telemetryBytes: 6, datasetBytes: 4, measuredAt: STARTED_AT, limit: 10 });
  const refused = {
    status: 429,
    body: { code: 'QUOTA_EXCEEDED', quota: { quota: 'storedBytes', limit: 10, used: 10 } },
  };
  const post = (at: string, body: unknown) => service.call({ method: 'POST', path: `${path}/${at}`, projectId, body });
  expect(await post('examples', manualExample())).toMatchObject(refused);
  expect(await post('examples/batch', { examples: [manualExample()] })).toMatchObject(refused);
  const line = JSON.stringify({ payload: { input: { type: 'text', text: 'a question' } } });
  const uploaded = await service.transfersOf(projectId).upload(`${path}/imports?format=jsonl`, line);
  expect(uploaded).toMatchObject({ status: 429, report: { code: 'QUOTA_EXCEEDED' } });
  expect((await service.call({ path: `${path}/examples`, projectId })).body).toMatchObject({ examples: [] });
});

it('a project whose size nobody can tell adds Examples: a quota is no reason to lose data', async () => {
  const projectId = newId('prj');
  const { path } = await service.newDataset(projectId);
  service.sources.storage.set(projectId, { telemetryBytes: -1, datasetBytes: 0, measuredAt: null, limit: 0 });
  await service.newExample(path, manualExample(), projectId);
});

it('the size of Datasets grows with their Examples, and is measured by an index', async () => {
  const projectId = newId('prj');
  const { path } = await service.newDataset(projectId);
  const client = createServiceClient({
    ...{ baseUrl: service.url, serviceName: 'telemetry-warehouse' as const },
    sign: service.signerOf('telemetry-warehouse'),
  });
  const measure = async () => (await client.call(measureDatasets, { params: { projectId } })).bytes;
  expect(await measure()).toBe(0);
  await service.newExample(path, manualExample('x'.repeat(1_000)), projectId);
  expect(await measure()).toBeGreaterThan(1_000);
  const url = monitored(environment.mongoUrl);
  const options = { url, database: environment.database, appName: 'test', logger: silentLogger() };
  const watched = await connectMongo(options);
  const explained = await explainSent(watched, async () => {
    for (const name of MEASURED_COLLECTIONS) await watched.connection.collection(name).find({ projectId }).toArray();
  });
  for (const { plan } of explained) expect(plan).toContain('IXSCAN');
  await watched.close();
});
