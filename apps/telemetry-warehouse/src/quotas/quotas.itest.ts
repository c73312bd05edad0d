import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { allowanceChanged, NO_QUOTAS, reportIngest, sumIngestUsage, getStorageState } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { connectMongo, createOutbox } from '@clew/persistence';
import { explainSent, monitored, silentLogger, useTestEnvironment } from '@clew/testing';
import { emittedMessages } from '@clew/testing-host';
import { useTestDatabase } from '../test-support/database.ts';
import { startTestService, type TestService } from '../test-support/service.ts';
import { NO_SERVICES } from '../test-support/stores.ts';
import { chatSpan, spansMessage } from '../test-support/spans.ts';
import { createIngestDayStore } from './ingest-days.store.ts';
import { measureDue, MEASURED_COLLECTIONS } from './measure-storage.ts';
import { createQuotaCopies } from './quota-copies.store.ts';
import { createStorageStore } from './storage.store.ts';

const environment = useTestEnvironment();
const database = useTestDatabase(environment);
const DAY = '2026-01-01';
let service: TestService;

beforeAll(async () => {
  service = await startTestService(environment, database.current);
});
afterAll(() => service.stop());

async function setQuotas(projectId: string, set: object, revision = 1): Promise<void> {
  const quotas = createQuotaCopies(database.current, createOutbox(database.current));
  const envelope = { id: '1', type: 'gateway.quotas.changed', version: 1, occurredAt: 1, requestId: null } as const;
  await quotas.take({ ...envelope, projectId, data: { quotas: { ...NO_QUOTAS, ...set }, revision } });
}

const amount = (records: number) => ({ bytes: 100 * records, records });

async function report(projectId: string, replica: string, counted: number, needed = 0, wanted = 0) {
  const { allowances } = await service.clientOf('telemetry-ingest').call(reportIngest, {
    params: {},
    body: {
      replica,
      counts: [{ projectId, day: DAY, counted: amount(counted), needed: amount(needed), wanted: amount(wanted) }],
    },
  });
  return allowances[0]!;
}

describe('reports of processes that take telemetry', () => {
  it('at the same time give away a quota once, and count everything once, however often they come', async () => {
    const projectId = newId('prj');
    await setQuotas(projectId, { ingestedRecordsPerDay: 100 });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => report(projectId, `replica${index}`, 0, 10)),
    );
    const granted = answers.map(({ mayReach }) => mayReach.records ?? NaN);
    expect(granted.reduce((sum, records) => sum + records, 0)).toBe(100);
    const counting = granted.flatMap((records, index) => [
      report(projectId, `replica${index}`, records),
      report(projectId, `replica${index}`, records),
    ]);
    await Promise.all(counting);
    const last = await report(projectId, 'late', 0, 1);
    expect(last).toMatchObject({ used: amount(100), limit: { bytes: null, records: 100 } });
    expect(last.mayReach).toEqual({ bytes: null, records: 0 });
  });

  it('are not held to a quota that was taken away, and to another from the next report on', async () => {
    const projectId = newId('prj');
    expect((await report(projectId, 'one', 5)).mayReach).toEqual({ bytes: null, records: null });
    await setQuotas(projectId, { ingestedBytesPerDay: 600 }, 2);
    await setQuotas(projectId, { ingestedBytesPerDay: 1 }, 1);
    expect((await report(projectId, 'one', 5, 10)).mayReach).toEqual({ bytes: 600, records: null });
    await setQuotas(projectId, {}, 3);
    expect((await report(projectId, 'one', 5)).mayReach.bytes).toBeNull();
    expect(await emittedMessages(database.current, allowanceChanged, projectId)).toHaveLength(2);
  });

  it('are summed by day and by project', async () => {
    const [one, two] = [newId('prj'), newId('prj')];
    await report(one, 'first', 3);
    await report(one, 'second', 4);
    await report(two, 'first', 5);
    const sum = async (by: 'day' | 'project') => {
      const body = { projectIds: [one, two], fromDay: DAY, toDay: '2026-02-01', by };
      return (await service.clientOf('gateway').call(sumIngestUsage, { params: {}, body })).usage;
    };
    const row = (group: string, records: number) => ({
      ...{ group, ingestedRecords: records, ingestedBytes: 100 * records, storedBytes: null },
    });
    expect(await sum('day')).toEqual([row(DAY, 12)]);
    const byProject = await sum('project');
    expect(byProject).toHaveLength(2);
    expect(byProject).toEqual(expect.arrayContaining([row(one, 7), row(two, 5)]));
  });
});

describe('what a project stores', () => {
  const measure = () => {
    const storage = createStorageStore(database.current);
    const outbox = createOutbox(database.current);
    return measureDue({
      ...{ database: database.current, storage, outbox, clock: service.clock, logger: silentLogger() },
      quotas: createQuotaCopies(database.current, outbox),
      days: createIngestDayStore(database.current),
      datasets: NO_SERVICES.datasets,
      intervalMs: 1_000,
    });
  };
  const stateOf = (projectId: string) =>
    service.clientOf('datasets-svc').call(getStorageState, { params: { projectId } });

  it('is measured when it is due; over the quota nothing more is taken, until it is under it', async () => {
    const projectId = newId('prj');
    await setQuotas(projectId, { storedBytes: 10 });
    await service.store(spansMessage({ spans: [chatSpan({ trace: 1, span: 1, said: 'a question' })] }, projectId));
    expect(await stateOf(projectId)).toMatchObject({ measuredAt: null, limit: 10 });
    expect((await report(projectId, 'one', 0)).storage).toBeNull();
    await createStorageStore(database.current).ensure([projectId], service.clock.now());
    while ((await measure()) > 0);
    const stored = await stateOf(projectId);
    expect(stored.telemetryBytes).toBeGreaterThan(10);
    expect(stored.measuredAt).toBe(service.clock.now());
    expect((await report(projectId, 'one', 0)).storage).toEqual({ limit: 10, used: stored.telemetryBytes });
    await setQuotas(projectId, { storedBytes: stored.telemetryBytes + 1 }, 2);
    expect((await report(projectId, 'one', 0)).storage).toBeNull();
  });
});

it('every query of quotas, counts and sizes is answered by an index', async () => {
  const url = monitored(environment.mongoUrl);
  const options = { url, database: environment.database, appName: 'test', logger: silentLogger() };
  const watched = await connectMongo(options);
  const days = createIngestDayStore(watched);
  const explained = await explainSent(watched, async () => {
    await days.sum({ projectIds: ['prj_1', 'prj_2'], fromDay: DAY, toDay: DAY, by: 'project' });
    for (const name of MEASURED_COLLECTIONS) {
      await watched.connection.collection(name).find({ projectId: 'prj_1' }).toArray();
    }
  });
  expect(explained).toHaveLength(1 + MEASURED_COLLECTIONS.length);
  for (const { plan } of explained) expect(plan).toContain('IXSCAN');
  await watched.close();
});
