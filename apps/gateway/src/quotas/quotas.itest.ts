import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  NO_QUOTAS,
  quotasChanged,
  SCOPES,
  sumInferenceUsage,
  sumIngestUsage,
  type QuotasResponse,
  type UsageResponse,
} from '@clew/contracts';
import { nativeDb, outboxCollection } from '@clew/persistence';
import { fixedClock, useTestEnvironment, type FixedClock } from '@clew/testing';
import { text } from 'node:stream/consumers';
import type { BootstrapResult } from '../bootstrap.ts';
import { makeWorkspace, startTestGateway, type TestGateway } from '../test-support/gateway.ts';
import { startUpstream, type Upstream } from '../test-support/upstream.ts';

const environment = useTestEnvironment();
let gateway: TestGateway;
let clock: FixedClock;
let stack: BootstrapResult;
let counts: Upstream;
/** Sums that the services were asked for. */
const asked: { path: string; body: Record<string, unknown> }[] = [];

const INFERENCE = {
  ...{ group: '2026-01-02', calls: 2, failedCalls: 1, inputTokens: 10, outputTokens: 5, unpricedTokens: 0 },
  costs: [{ currency: 'EUR', amount: '0.01' }],
};
const INGEST = { group: '2026-01-01', ingestedBytes: 100, ingestedRecords: 3, storedBytes: null };

beforeAll(async () => {
  clock = fixedClock(Date.now());
  counts = await startUpstream((request, response) => {
    void text(request).then((body) => {
      const path = request.url ?? '';
      asked.push({ path, body: JSON.parse(body) });
      response.setHeader('content-type', 'application/json');
      const ofInference = { usage: [INFERENCE], isComplete: true };
      response.end(JSON.stringify(path === sumInferenceUsage.path ? ofInference : { usage: [INGEST] }));
    });
  });
  gateway = await startTestGateway(environment, {
    clock,
    variables: { MODEL_RUNTIME_SVC_URL: counts.url, TELEMETRY_WAREHOUSE_URL: counts.url },
  });
  stack = await makeWorkspace(gateway.database);
});
afterAll(async () => {
  await gateway.stop();
  await counts.close();
});

const read = (secret: string, projectId = stack.projectId) =>
  gateway.ask<QuotasResponse>(secret, 'GET', `/v1/projects/${projectId}/quotas`);
const put = (secret: string, body: unknown, headers: Record<string, string> = {}, projectId = stack.projectId) =>
  gateway.ask<QuotasResponse>(secret, 'PUT', `/v1/projects/${projectId}/quotas`, body, headers);

describe('the quotas of a project', () => {
  it('are none at first; setting them replaces all, is told, and is in the audit with what has changed', async () => {
    const { projectId, adminApiKey } = await makeWorkspace(gateway.database);
    expect((await read(adminApiKey, projectId)).body).toEqual({ quotas: NO_QUOTAS, updatedAt: null });
    const first = await put(adminApiKey, { storedBytes: 10, inferenceTokensPerDay: 5 }, {}, projectId);
    expect(first.body.quotas).toEqual({ ...NO_QUOTAS, storedBytes: 10, inferenceTokensPerDay: 5 });
    const second = await put(adminApiKey, { storedBytes: 10 }, {}, projectId);
    expect(second.body).toEqual({ quotas: { ...NO_QUOTAS, storedBytes: 10 }, updatedAt: clock.now() });
    await put(adminApiKey, { storedBytes: 10 }, {}, projectId);
    const told = await emittedRevisions(projectId);
    expect(told).toEqual([1, 2]);
    const entries = await nativeDb(gateway.database.connection)
      .collection('audit')
      .find({ 'target.id': projectId, action: 'project-quotas.changed' }, { sort: { at: 1, _id: 1 } })
      .toArray();
    expect(entries.map(({ before, after }) => [before, after])).toEqual([
      [
        { storedBytes: null, inferenceTokensPerDay: null },
        { storedBytes: 10, inferenceTokensPerDay: 5 },
      ],
      [{ inferenceTokensPerDay: 5 }, { inferenceTokensPerDay: null }],
    ]);
  });

  it('are changed only from the state that the caller has seen, by one of two at the same time', async () => {
    const { projectId, adminApiKey } = await makeWorkspace(gateway.database);
    const etag = (await read(adminApiKey, projectId)).headers.get('etag') ?? '';
    const both = await Promise.all(
      [1, 2].map((storedBytes) => put(adminApiKey, { storedBytes }, { 'if-match': etag }, projectId)),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 412]);
    const changed = both.find(({ status }) => status === 200);
    const after = await read(adminApiKey, projectId);
    expect([after.body, after.headers.get('etag')]).toEqual([changed?.body, changed?.headers.get('etag')]);
  });

  it('are set by nobody but an owner, and only to what can be counted', async () => {
    expect((await put(stack.apiKey, { storedBytes: 1 })).status).toBe(403);
    const scopes = SCOPES.filter((scope) => scope !== 'workspace:admin');
    const path = `/v1/projects/${stack.projectId}/api-keys`;
    const made = await gateway.ask<{ secret: string }>(stack.apiKey, 'POST', path, { name: 'k', scopes });
    expect((await put(made.body.secret, { storedBytes: 1 })).status).toBe(403);
    expect((await read(made.body.secret)).status).toBe(200);
    const stranger = await makeWorkspace(gateway.database);
    expect((await put(stranger.adminApiKey, { storedBytes: 1 })).status).toBe(404);
    expect((await read(stranger.adminApiKey)).status).toBe(404);
    for (const body of [{ storedBytes: -1 }, { storedBytes: 1.5 }, { storedBytes: '1' }, { other: 1 }, []]) {
      expect((await put(stack.adminApiKey, body)).status).toBe(400);
    }
  });
});

describe('usage', () => {
  const DAYS = 'fromDay=2026-01-01&toDay=2026-01-31';

  it('of a project joins what the services count, and asks for that project alone', async () => {
    asked.length = 0;
    const { body } = await gateway.ask<UsageResponse>(
      stack.apiKey,
      'GET',
      `/v1/projects/${stack.projectId}/usage?${DAYS}`,
    );
    expect(body).toEqual({
      isComplete: true,
      usage: [
        {
          ...{ calls: 0, failedCalls: 0, inputTokens: 0, outputTokens: 0, unpricedTokens: 0, costs: [] },
          ...INGEST,
        },
        { ...INFERENCE, ingestedBytes: 0, ingestedRecords: 0, storedBytes: null },
      ],
    });
    const days = { fromDay: '2026-01-01', toDay: '2026-01-31', by: 'day' };
    expect(asked.map((each) => each.body)).toEqual([
      { projectIds: [stack.projectId], ...days },
      { projectIds: [stack.projectId], ...days },
    ]);
    expect(asked.map(({ path }) => path).toSorted()).toEqual([sumInferenceUsage.path, sumIngestUsage.path]);
  });

  it('by model has nothing that was ingested, and of all projects has those of the workspace', async () => {
    asked.length = 0;
    const { body } = await gateway.ask<UsageResponse>(stack.adminApiKey, 'GET', `/v1/usage?${DAYS}&by=model`);
    expect(body.usage).toEqual([{ ...INFERENCE, ingestedBytes: null, ingestedRecords: null, storedBytes: null }]);
    expect(asked).toHaveLength(1);
    const { projectIds } = asked[0]?.body as { projectIds: string[] };
    expect(projectIds.toSorted()).toEqual([stack.projectId, stack.otherProjectId].toSorted());
  });

  it('is refused for another project, for too many days, and for days that are none', async () => {
    const stranger = await makeWorkspace(gateway.database);
    const path = `/v1/projects/${stack.projectId}/usage`;
    expect((await gateway.ask(stranger.adminApiKey, 'GET', `${path}?${DAYS}`)).status).toBe(404);
    for (const query of [
      '',
      'fromDay=2026-01-01&toDay=2027-03-01',
      'fromDay=2026-02-01&toDay=2026-01-01',
      'fromDay=x&toDay=y',
    ]) {
      expect((await gateway.ask(stack.apiKey, 'GET', `${path}?${query}`)).status).toBe(400);
    }
  });
});

/** Revisions that were told; published rows of the outbox have no body any more, but their ids name them. */
async function emittedRevisions(projectId: string): Promise<number[]> {
  const rows = await outboxCollection(gateway.database)
    .find({ _id: { $regex: `^${quotasChanged.type}:${projectId}:` } }, { sort: { seq: 1 } })
    .toArray();
  return rows.map(({ _id }) => Number(_id.split(':').at(-1)));
}
