import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SYNC_STATES, WORK_ITEM_STATUSES, type WorkItem } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { explainSent, monitored, useTestEnvironment } from '@clew/testing';
import type { LoopbackTracker } from '@clew/testing/issue-trackers';
import { startTestService, type TestService } from '../test-support/service.ts';
import { findingIn, startWorld, type WorkItemWorld } from '../test-support/work-items.ts';
import { workItemCollection } from './work-item.model.ts';
import { createWorkItemStore } from './work-items.store.ts';

const environment = useTestEnvironment();
let service: TestService;
const trackers: LoopbackTracker[] = [];

beforeAll(async () => {
  service = await startTestService(environment, { mongoUrl: monitored(environment.mongoUrl) });
});

afterAll(async () => {
  await service.stop();
  await Promise.all(trackers.map((tracker) => tracker.stop()));
});

async function world(): Promise<WorkItemWorld & { item: WorkItem }> {
  const made = await startWorld(service, 'github');
  trackers.push(made.tracker);
  return { ...made, item: (await made.create()).body };
}

describe('the work item of a Finding', () => {
  it('stays with it when it is merged: it is synced and abandoned there, and no other one is made', async () => {
    const its = await world();
    const into = await findingIn(service, its.projectId, 'error');
    const merge = {
      method: 'POST' as const,
      projectId: its.projectId,
      path: `/findings/${its.findingId}/merge`,
      body: { into },
    };
    expect((await service.call(merge)).status).toBe(200);
    expect(await its.finding()).toMatchObject({ mergedInto: into, workItem: { id: its.item.id } });
    expect(await its.act(its.item, 'replacements', { provider: 'jira' })).toMatchObject({
      ...{ status: 409, body: { code: 'FINDING_MERGED' } },
    });
    expect(await its.act(its.item, 'sync')).toMatchObject({ status: 200 });
    expect(await its.act(its.item, 'abandon')).toMatchObject({ status: 200 });
    expect(await its.create()).toMatchObject({ status: 409, body: { code: 'FINDING_MERGED' } });
  });

  it('stays as it is when results change the Finding, or people do', async () => {
    const its = await world();
    await findingIn(service, its.projectId, 'loop');
    const path = `/findings/${its.findingId}/assignee`;
    await service.call({ method: 'PUT', projectId: its.projectId, path, body: { assignee: 'ann' } });
    expect(await its.finding()).toMatchObject({ assignee: 'ann', workItem: { id: its.item.id } });
  });

  it('is erased with it, and its issue stays', async () => {
    const its = await world();
    const { connection } = service.database;
    const left = () => workItemCollection(connection).countDocuments({ projectId: its.projectId });
    expect(await left()).toBe(1);
    const { status } = await service.call({
      ...{ method: 'DELETE', projectId: its.projectId, principal: { kind: 'service', id: 'telemetry-warehouse' } },
      path: `//internal/v1/projects/${its.projectId}/conversations/${encodeURIComponent('chat about loop')}/findings`,
    });
    expect(status).toBe(200);
    expect([await left(), its.tracker.issues.length]).toEqual([0, 1]);
    expect((await service.call({ projectId: its.projectId, path: its.path })).status).toBe(404);
  });
});

describe('the queries of work items', () => {
  it('find what they want by an index, and read no more than a page', async () => {
    const its = await world();
    const items = createWorkItemStore(service.database);
    const issue = { projectId: its.projectId, connectorId: its.connector.id, externalId: its.item.externalId ?? '' };
    const { createdAt } = its.item;
    const rows = workItemCollection(service.database.connection);
    const { dueAt: _due, leaseUntil: _lease, claim: _claim, ...row } = (await rows.findOne({ _id: its.item.id }))!;
    await rows.insertMany(
      Array.from({ length: 5_000 }, (_, index) => ({
        ...{ ...row, _id: newId('wi'), createdAt: createdAt + index, isPrimary: false },
        ...{ status: WORK_ITEM_STATUSES[index % 4]!, syncState: SYNC_STATES[Math.floor(index / 4) % 3]! },
      })),
    );
    const after = [createdAt + 4_000, its.item.id];
    for (const filter of [
      {},
      { status: 'planned' as const },
      { syncState: 'synced' as const, provider: 'github' as const },
    ]) {
      const [page] = await explainSent(service.database, () => items.list(its.projectId, filter, { limit: 5, after }));
      const { nReturned, totalDocsExamined } = page!.stats;
      // Besides the page, only those of the same moment as the last one of the page before.
      expect([nReturned, totalDocsExamined <= nReturned + 1]).toEqual([6, true]);
    }
    const plans = await explainSent(service.database, async () => {
      await items.get(its.projectId, its.item.id);
      await items.ofIssue(issue);
      await items.listOfFinding(its.projectId, its.findingId, { limit: 5, after });
      await service.database.withTransaction((tx) => items.touch(tx, issue, service.clock.now()));
    });
    expect(plans).toHaveLength(4);
  });
});

describe('a project whose provider hangs', () => {
  it('does not hold up another one', async () => {
    const [slow, other] = [await world(), await world()];
    const touched = async ({ projectId, connector, item }: typeof slow) =>
      await service.database.withTransaction((tx) =>
        service.workItems.onIssueTouched(tx, {
          projectId,
          connectorId: connector.id,
          externalId: item.externalId ?? '',
        }),
      );
    // Other tests leave work items that are due.
    while ((await service.doWorkItems()) > 0);
    slow.tracker.faults.next({ kind: 'silent', when: 'before' }, { on: 'read' });
    await touched(slow);
    const before = slow.tracker.requests.length;
    const hanging = service.doWorkItems();
    while (slow.tracker.requests.length === before) await new Promise(setImmediate);
    other.tracker.put(other.tracker.issues[0]!, 'completed');
    await touched(other);
    while ((await other.read(other.item)).status !== 'done') await service.doWorkItems();
    await slow.tracker.stop();
    await hanging;
  });
});

describe('a deployment without the work item service', () => {
  it('answers 503 FINDING_WORK_ITEMS_UNAVAILABLE on each of its routes', async () => {
    const without = await startTestService(environment, { mountWorkItems: false });
    const of = `/findings/fnd_${'1'.repeat(26)}/work-items`;
    const body = { provider: 'provider_1' };
    const calls = [
      ...['/work-items', of, `${of}/wi_1`].map((path) => ({ method: 'GET' as const, path })),
      ...[of, `${of}/wi_1/replacements`].map((path) => ({ method: 'POST' as const, path, body })),
      ...['sync', 'retry', 'abandon'].map((action) => ({ method: 'POST' as const, path: `${of}/wi_1/${action}` })),
    ];
    for (const call of calls) {
      const { status, body: error } = await without.call<{ code: string }>(call);
      expect([call.path, status, error.code]).toEqual([call.path, 503, 'FINDING_WORK_ITEMS_UNAVAILABLE']);
    }
    await without.stop();
  });
});
