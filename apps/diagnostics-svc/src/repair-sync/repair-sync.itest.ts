import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { WorkItem } from '@clew/contracts';
import { useTestEnvironment } from '@clew/testing';
import type { LoopbackTracker } from '@clew/testing/issue-trackers';
import { findingIn, PROVIDERS, startWorld, type WorkItemWorld } from '../test-support/work-items.ts';
import { startTestService, SYNC_INTERVAL_MS, type TestService } from '../test-support/service.ts';
import { followedCollection, walkCollection } from './walk.model.ts';

const environment = useTestEnvironment();
let service: TestService;
const trackers: LoopbackTracker[] = [];

beforeAll(async () => {
  service = await startTestService(environment);
});
afterAll(async () => {
  await service.stop();
  await Promise.all(trackers.map((tracker) => tracker.stop()));
});

// Clears what the clock would make due in later tests again.
afterEach(async () => {
  const { connection } = service.database;
  await Promise.all([walkCollection(connection).deleteMany({}), followedCollection(connection).deleteMany({})]);
});

const DAY_MS = 24 * 3_600_000;

async function world(provider: LoopbackTracker['provider']): Promise<WorkItemWorld> {
  const made = await startWorld(service, provider);
  trackers.push(made.tracker);
  return made;
}

/** Hands over further Findings of the project, and returns their work items. */
async function handOver(its: WorkItemWorld, count: number): Promise<WorkItem[]> {
  const items: WorkItem[] = [];
  for (let index = 0; index < count; index += 1) {
    const findingId = await findingIn(service, its.projectId, `problem ${index}`);
    const path = `/findings/${findingId}/work-items`;
    const body = { provider: its.tracker.provider };
    const made = await service.call<WorkItem>({ method: 'POST', projectId: its.projectId, path, body });
    expect(made).toMatchObject({ status: 201, body: { status: 'planned' } });
    items.push(made.body);
  }
  return items;
}

async function statusesIn({ projectId }: WorkItemWorld): Promise<Map<string, WorkItem>> {
  const { body } = await service.call<{ workItems: WorkItem[] }>({ projectId, path: '/work-items?limit=100' });
  return new Map(body.workItems.map((item) => [item.id, item]));
}

const walksOf = ({ projectId }: WorkItemWorld) =>
  walkCollection(service.database.connection).find({ projectId }).toArray();

/** Walks until nothing is due. */
async function walk(): Promise<void> {
  for (let rounds = 0; rounds < 200; rounds += 1) if ((await service.repairSync.walks.round()) === 0) return;
  throw new Error('Walks are due again and again');
}

async function later(ms = 2 * SYNC_INTERVAL_MS): Promise<void> {
  service.clock.advance(ms);
  await walk();
}

describe.each(PROVIDERS)('periodic sync with %s', (provider) => {
  it('sees every change by listing, and asks for no issue by itself', async () => {
    const its = await world(provider);
    const items = await handOver(its, 5);
    await later();
    await later();
    expect(await walksOf(its)).toMatchObject([{ failures: 0, problem: null, cursor: null }]);
    service.clock.advance(10_000);
    const [first, second] = its.tracker.issues;
    its.tracker.put(first!, 'completed');
    if (provider !== 'github' && provider !== 'gitlab') its.tracker.put(second!, 'in_progress');
    its.tracker.add('An issue of somebody else');
    its.tracker.requests.length = 0;
    await later();
    const found = await statusesIn(its);
    expect(found.get(items[0]!.id)).toMatchObject({ status: 'done', doneReason: 'completed', syncState: 'synced' });
    const isBegun = provider !== 'github' && provider !== 'gitlab';
    expect(found.get(items[1]!.id)).toMatchObject({ status: isBegun ? 'in_progress' : 'planned' });
    expect(its.tracker.requests.length).toBeLessThanOrEqual(2);
    const finding = await service.call({ projectId: its.projectId, path: `/findings/${items[0]!.findingId}` });
    expect(finding.body).toMatchObject({ resolutionStatus: 'awaiting_verification' });
  });

  it('begins a failed walk again, and waits as the provider asks', async () => {
    const its = await world(provider);
    const [item] = await handOver(its, 1);
    await later();
    service.clock.advance(10_000);
    its.tracker.put(its.tracker.issues[0]!, 'completed');
    its.tracker.faults.next({ kind: 'rate_limited', as: 'asked', seconds: 3_600 }, { on: 'list' });
    await later();
    expect((await statusesIn(its)).get(item!.id)?.status).toBe('planned');
    its.tracker.requests.length = 0;
    await later(20 * 60_000);
    expect(its.tracker.requests).toHaveLength(0);
    its.tracker.faults.next({ kind: 'cut', when: 'within' }, { on: 'list' });
    await later(3_700_000);
    expect(await walksOf(its)).toMatchObject([{ failures: 2, cursor: null }]);
    await later();
    expect((await statusesIn(its)).get(item!.id)?.status).toBe('done');
    expect(await walksOf(its)).toMatchObject([{ failures: 0, problem: null }]);
  });

  it('reads what no list shows once in a long while', async () => {
    const its = await world(provider);
    const [item] = await handOver(its, 1);
    await later();
    its.tracker.remove(its.tracker.issues[0]!);
    await later();
    if (provider !== 'linear') expect((await statusesIn(its)).get(item!.id)?.syncState).toBe('synced');
    await later(4 * DAY_MS);
    expect((await statusesIn(its)).get(item!.id)).toMatchObject({
      ...{ syncState: 'error', syncError: expect.stringContaining('deleted') },
    });
  });

  it('stops with its connector, and goes on where that is switched on again', async () => {
    const its = await world(provider);
    const [item] = await handOver(its, 1);
    await later();
    const at = { projectId: its.projectId, path: `/connectors/${its.connector.id}` };
    await service.call({ ...at, method: 'PATCH', body: { enabled: false } });
    service.clock.advance(10_000);
    its.tracker.put(its.tracker.issues[0]!, 'completed');
    its.tracker.requests.length = 0;
    await later();
    await later();
    expect(its.tracker.requests).toHaveLength(0);
    await service.call({ ...at, method: 'PATCH', body: { enabled: true } });
    await later();
    expect((await statusesIn(its)).get(item!.id)?.status).toBe('done');
    expect(await service.call({ ...at, method: 'DELETE' })).toMatchObject({ status: 204 });
    await later();
    expect(await walksOf(its)).toEqual([]);
    const followed = followedCollection(service.database.connection);
    expect(await followed.countDocuments({ projectId: its.projectId })).toBe(0);
  });
});

describe('periodic sync', () => {
  it('follows an issue to where it was moved', async () => {
    const its = await world('github');
    const [item] = await handOver(its, 1);
    await later();
    its.tracker.move(its.tracker.issues[0]!);
    await later(4 * DAY_MS);
    const moved = (await statusesIn(its)).get(item!.id);
    expect(moved?.externalId).not.toBe(item!.externalId);
    await later();
    const followed = await followedCollection(service.database.connection).findOne({ _id: item!.id });
    const walks = await walksOf(its);
    expect(walks.map(({ _id }) => _id)).toContain(followed?.walkId);
    expect(walks.find(({ _id }) => _id === followed?.walkId)?.place).not.toEqual(its.tracker.destination);
  });

  it('ends where no work item is left', async () => {
    const its = await world('linear');
    const [item] = await handOver(its, 1);
    await later();
    expect(await walksOf(its)).toHaveLength(1);
    const path = `/findings/${item!.findingId}/work-items/${item!.id}/abandon`;
    await service.call({ method: 'POST', projectId: its.projectId, path });
    await later(4 * DAY_MS);
    expect(await walksOf(its)).toEqual([]);
  });

  it('has one walk for a place, however many work items are there', async () => {
    const its = await world('jira');
    await handOver(its, 3);
    expect(await walksOf(its)).toHaveLength(1);
  });

  it('counts what waits for all, and for a project', async () => {
    const its = await world('github');
    await handOver(its, 1);
    service.clock.advance(600_000);
    const own = await service.repairSync.figuresOf(its.projectId);
    expect(own).toEqual({ backlog: 1, oldestAgeMs: 600_000, givenUp: 0 });
    const all = await service.repairSync.figures();
    expect(all.backlog).toBeGreaterThanOrEqual(1);
    await walk();
    expect(await service.repairSync.figuresOf(its.projectId)).toEqual({ backlog: 0, oldestAgeMs: 0, givenUp: 0 });
  });
});
