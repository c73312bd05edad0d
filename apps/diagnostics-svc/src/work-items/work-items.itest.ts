import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Finding, FindingActivity, WorkItem } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { nativeDb } from '@clew/persistence';
import { useTestEnvironment } from '@clew/testing';
import type { LoopbackTracker } from '@clew/testing/issue-trackers';
import { connectorTo, makeConnector } from '../test-support/connectors.ts';
import { startTestService, type TestService } from '../test-support/service.ts';
import { findingIn, PROVIDERS, startWorld, type WorkItemWorld } from '../test-support/work-items.ts';

interface ErrorBody {
  code: string;
  details?: { path: string }[];
}
interface Synced {
  outcome: string;
  finding: Finding;
}

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

async function world(provider: LoopbackTracker['provider'], options?: object): Promise<WorkItemWorld> {
  const made = await startWorld(service, provider, options);
  trackers.push(made.tracker);
  return made;
}

async function made(of: WorkItemWorld, body?: object): Promise<WorkItem> {
  const { status, body: item } = await of.create(body);
  expect({ status, item }).toMatchObject({ status: 201, item: { status: 'planned', syncState: 'synced' } });
  return item;
}

const patch = (of: WorkItemWorld, body: object) =>
  service.call<Finding & ErrorBody>({
    ...{ method: 'PATCH', projectId: of.projectId, path: `/findings/${of.findingId}`, body },
  });

describe.each(PROVIDERS)('a work item at %s', (provider) => {
  it('is made with its issue, confirms the Finding, and is told', async () => {
    const its = await world(provider);
    const { status, body: item, headers } = await its.create();
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`/v1/projects/${its.projectId}/diagnostics${its.path}/${item.id}`);
    expect(its.tracker.issues).toHaveLength(1);
    expect(item).toMatchObject({
      ...{ provider, status: 'planned', syncState: 'synced', syncError: null, isPrimary: true, attempts: 1 },
      ...{ findingId: its.findingId, connectorId: its.connector.id, destination: its.tracker.destination },
    });
    expect(item.externalUrl).toMatch(/^https?:/);
    expect(await its.finding()).toMatchObject({ reviewStatus: 'confirmed', workItem: item });
    expect(await its.read(item)).toEqual(item);
    const listed = await service.call({ projectId: its.projectId, path: `/findings?reviewStatus=confirmed` });
    expect(listed.body).toMatchObject({ findings: [{ workItem: item }] });
    const activity = await service.call<{ activity: FindingActivity[] }>({
      ...{ projectId: its.projectId, path: `/findings/${its.findingId}/activity` },
    });
    expect(activity.body.activity.map(({ kind, to }) => [kind, to])).toEqual(
      expect.arrayContaining([
        ['work_item', item.id],
        ['review', 'confirmed'],
      ]),
    );
    const outbox = nativeDb(service.database.connection).collection<{ _id: string; body: string }>('outbox');
    const told = await outbox.find({ _id: { $regex: `^diagnostics.work-item.changed:${item.id}` } }).toArray();
    expect(told).toHaveLength(2);
  });

  it('is refused with 409 for a dismissed Finding, and beside a current one', async () => {
    const its = await world(provider);
    await patch(its, { reviewStatus: 'dismissed' });
    expect(await its.create()).toMatchObject({ status: 409, body: { code: 'FINDING_DISMISSED' } });
    await patch(its, { reviewStatus: 'unreviewed' });
    await made(its);
    expect(await its.create()).toMatchObject({ status: 409, body: { code: 'WORK_ITEM_ALREADY_EXISTS' } });
    expect(its.tracker.issues).toHaveLength(1);
  });

  it('answers 503 without a connector, with a disabled one and without a destination; a named one works', async () => {
    const its = await world(provider, { connector: { defaultDestination: undefined } });
    const UNAVAILABLE = { status: 503, body: { code: 'WORK_ITEM_PROVIDER_UNAVAILABLE' } };
    expect(await its.create()).toMatchObject(UNAVAILABLE);
    expect(await its.create({ provider, connectorId: 'con_none', destination: its.tracker.destination })).toMatchObject(
      UNAVAILABLE,
    );
    const other = await service.call({
      ...{ method: 'POST', projectId: newId('prj'), path: its.path, body: { provider } },
    });
    expect(other).toMatchObject({ status: 404, body: { code: 'FINDING_NOT_FOUND' } });
    await switchOff(its);
    expect(await its.create({ provider, destination: its.tracker.destination })).toMatchObject(UNAVAILABLE);
    await switchOff(its, true);
    await made(its, { provider, destination: its.tracker.destination });
  });

  it('follows its issue: in progress, done, opened again, closed without a repair', async () => {
    const its = await world(provider);
    const item = await made(its);
    const [issue] = its.tracker.issues;
    const sync = async () => {
      service.clock.advance(2_000);
      return (await its.act<Synced>(item, 'sync')).body;
    };
    expect(await sync()).toMatchObject({ outcome: expect.stringMatching(/^(?:unchanged|updated)$/) });
    expect(await sync()).toMatchObject({ outcome: 'unchanged' });
    service.clock.advance(2_000);
    its.tracker.put(issue!, 'completed');
    expect(await sync()).toMatchObject({
      outcome: 'updated',
      finding: { resolutionStatus: 'awaiting_verification', workItem: { status: 'done', doneReason: 'completed' } },
    });
    expect(await sync()).toMatchObject({ outcome: 'unchanged' });
    service.clock.advance(2_000);
    its.tracker.put(issue!, 'open');
    expect(await sync()).toMatchObject({
      outcome: 'updated',
      finding: { resolutionStatus: 'unresolved', workItem: { status: 'planned', doneReason: null } },
    });
    if (provider === 'gitlab') return;
    service.clock.advance(2_000);
    its.tracker.put(issue!, provider === 'linear' ? 'cancelled' : 'not_planned');
    expect(await sync()).toMatchObject({
      outcome: 'updated',
      finding: {
        resolutionStatus: 'unresolved',
        workItem: { status: 'done', doneReason: provider === 'linear' ? 'cancelled' : 'not_planned' },
      },
    });
  });

  it('keeps its Finding from dismissal while active, and from resolution until it is done', async () => {
    const its = await world(provider);
    const item = await made(its);
    expect(await patch(its, { reviewStatus: 'dismissed' })).toMatchObject({ body: { code: 'ACTIVE_WORK_ITEM' } });
    expect(await patch(its, { resolutionStatus: 'resolved' })).toMatchObject({ body: { code: 'WORK_ITEM_NOT_DONE' } });
    service.clock.advance(2_000);
    its.tracker.put(its.tracker.issues[0]!, 'completed');
    await its.act(item, 'sync');
    expect(await patch(its, { resolutionStatus: 'resolved' })).toMatchObject({ status: 200 });
    expect(await patch(its, { reviewStatus: 'dismissed' })).toMatchObject({ status: 200 });
  });

  it('is not syncable once its issue is deleted, and no other one is made', async () => {
    const its = await world(provider);
    const item = await made(its);
    its.tracker.remove(its.tracker.issues[0]!);
    expect(await its.act(item, 'sync')).toMatchObject({ status: 200, body: { outcome: 'not_syncable' } });
    expect(await its.read(item)).toMatchObject({ syncState: 'error', syncError: expect.stringContaining('deleted') });
    expect(await its.act(item, 'retry')).toMatchObject({ status: 409, body: { code: 'WORK_ITEM_NOT_RETRYABLE' } });
    expect(its.tracker.issues).toHaveLength(1);
  });

  it('is 201 where the provider refuses, says why, and can be tried again once that is changed', async () => {
    const its = await world(provider);
    its.tracker.settings.isRevoked = true;
    const { status, body: item } = await its.create();
    expect({ status, item }).toMatchObject({
      status: 201,
      item: { status: 'provisioning', syncState: 'error', externalId: null, syncError: expect.any(String) },
    });
    expect(await its.act(item, 'sync')).toMatchObject({ status: 200, body: { outcome: 'not_syncable' } });
    its.tracker.settings.isRevoked = false;
    expect(await its.act(item, 'retry')).toMatchObject({
      status: 200,
      body: { status: 'planned', syncState: 'synced' },
    });
    expect(await its.act(item, 'retry')).toMatchObject({ status: 409, body: { code: 'WORK_ITEM_NOT_RETRYABLE' } });
    expect(its.tracker.issues).toHaveLength(1);
  });

  it('says so where a sync fails, and is well again with the next one', async () => {
    const its = await world(provider);
    const item = await made(its);
    its.tracker.faults.next({ kind: 'fail', status: 500, when: 'before' }, { times: 3 });
    const { body } = await its.act<Synced>(item, 'sync');
    expect(body).toMatchObject({ outcome: 'failed', finding: { workItem: { syncState: 'error' } } });
    its.tracker.faults.reset();
    expect((await its.act<Synced>(item, 'sync')).body).toMatchObject({
      outcome: 'updated',
      finding: { workItem: { syncState: 'synced', syncError: null } },
    });
  });

  it('is abandoned without a word to the provider, and another one may be made', async () => {
    const its = await world(provider);
    const item = await made(its);
    expect(await its.act(item, 'abandon')).toMatchObject({
      status: 200,
      body: { isPrimary: false, ended: 'abandoned' },
    });
    expect(await its.finding()).toMatchObject({ workItem: null, reviewStatus: 'confirmed' });
    expect(its.tracker.issues[0]).toMatchObject({ state: 'open' });
    for (const action of ['sync', 'retry', 'abandon']) {
      expect(await its.act(item, action)).toMatchObject({ status: 409, body: { code: 'WORK_ITEM_NOT_CURRENT' } });
    }
    expect(await its.act(item, 'replacements', { provider })).toMatchObject({
      body: { code: 'WORK_ITEM_NOT_CURRENT' },
    });
    const other = await made(its);
    expect(other.id).not.toBe(item.id);
    const { body } = await service.call<{ workItems: WorkItem[] }>({ projectId: its.projectId, path: its.path });
    expect(body.workItems.map(({ id }) => id)).toEqual([other.id, item.id]);
  });

  it('is replaced by one elsewhere, and not by one at the same place', async () => {
    const its = await world(provider);
    const item = await made(its);
    expect(await its.act(item, 'replacements', { provider })).toMatchObject({ status: 400 });
    const next = await world(provider === 'linear' ? 'jira' : 'linear');
    await makeConnector(service, connectorTo(next.tracker), { projectId: its.projectId });
    const { status, body: other } = await its.act(item, 'replacements', { provider: next.tracker.provider });
    expect({ status, other }).toMatchObject({ status: 201, other: { status: 'planned', isPrimary: true } });
    expect(await its.read(item)).toMatchObject({ isPrimary: false, ended: 'replaced', replacedBy: other.id });
    expect((await its.finding()).workItem).toEqual(other);
    expect(await its.act(item, 'sync')).toMatchObject({ status: 409, body: { code: 'WORK_ITEM_NOT_CURRENT' } });
    expect([its.tracker.issues[0]?.state, next.tracker.issues.length]).toEqual(['open', 1]);
  });

  it('is made of an issue that exists already, by its URL', async () => {
    const its = await world(provider);
    const known = await made(its);
    service.clock.advance(2_000);
    await its.act(known, 'abandon');
    const { body: item, status } = await its.create({ provider, existing: known.externalUrl });
    expect({ status, item }).toMatchObject({
      status: 201,
      item: { externalId: known.externalId, externalUrl: known.externalUrl, status: 'planned', syncState: 'synced' },
    });
    expect(its.tracker.issues).toHaveLength(1);
    await its.act(item, 'abandon');
    expect(await its.create({ provider, existing: 'no issue' })).toMatchObject({
      status: 400,
      body: { details: [{ path: 'body.existing' }] },
    });
  });

  it('is looked for, and not made again, where the connection was cut after the issue was made', async () => {
    const its = await world(provider);
    its.tracker.faults.next({ kind: 'cut', when: 'after' }, { on: 'create' });
    const { body: item } = await its.create();
    expect(item).toMatchObject({ status: 'provisioning', syncState: 'pending', externalId: null });
    service.clock.advance(60_000);
    await rounds();
    expect(await its.read(item)).toMatchObject({ status: 'planned', syncState: 'synced' });
    expect(its.tracker.issues).toHaveLength(1);
  });

  it('is made once where the request of the creation never arrived', async () => {
    if (provider === 'jira') return;
    const its = await world(provider);
    its.tracker.faults.next({ kind: 'cut', when: 'before' }, { on: 'create' });
    const { body: item } = await its.create();
    expect(item).toMatchObject({ status: 'provisioning', syncState: 'pending' });
    service.clock.advance(60_000);
    await rounds();
    expect(await its.read(item)).toMatchObject({ status: 'planned', syncState: 'synced' });
    expect(its.tracker.issues).toHaveLength(1);
  });

  it('gives a repeat with the same Idempotency-Key the first answer', async () => {
    const its = await world(provider);
    const headers = { 'idempotency-key': newId('req') };
    const first = await its.create({ provider }, headers);
    const again = await its.create({ provider }, headers);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(its.tracker.issues).toHaveLength(1);
  });
});

describe('a work item at Jira whose issue the search does not show', () => {
  it('stays provisioning with the reason, is never made blindly, and is found when the index has it', async () => {
    const its = await world('jira');
    its.tracker.settings.searchLagMs = 10 * 60_000;
    its.tracker.faults.next({ kind: 'cut', when: 'after' }, { on: 'create' });
    const { body: item } = await its.create();
    service.clock.advance(61_000);
    await rounds();
    expect(await its.read(item)).toMatchObject({ status: 'provisioning', syncState: 'error', externalId: null });
    expect(await its.act(item, 'retry')).toMatchObject({ status: 200, body: { syncState: 'error' } });
    expect(its.tracker.issues).toHaveLength(1);
    service.clock.advance(3_600_000);
    await rounds();
    expect(await its.read(item)).toMatchObject({ status: 'planned', syncState: 'synced' });
    expect(its.tracker.issues).toHaveLength(1);
  });
});

describe('work items', () => {
  it('are found under their own Finding only', async () => {
    const its = await world('github');
    const item = await made(its);
    const otherId = await findingIn(service, its.projectId, 'error');
    const path = `/findings/${otherId}/work-items/${item.id}`;
    for (const [method, to] of [
      ['GET', path],
      ...['sync', 'retry', 'abandon'].map((action) => ['POST', `${path}/${action}`] as const),
    ] as const) {
      const { status, body } = await service.call<ErrorBody>({ method, projectId: its.projectId, path: to });
      expect([status, body.code]).toEqual([404, 'FINDING_NOT_FOUND']);
    }
  });

  it('of a project are listed by status, provider and sync state, page by page', async () => {
    const its = await world('github');
    const items: WorkItem[] = [];
    for (const cluster of ['a', 'b', 'c']) {
      service.clock.advance(1_000);
      const findingId = await findingIn(service, its.projectId, cluster);
      const { body } = await service.call<WorkItem>({
        ...{ method: 'POST', projectId: its.projectId, path: `/findings/${findingId}/work-items` },
        body: { provider: 'provider_1' },
      });
      items.unshift(body);
    }
    const ids = items.map(({ id }) => id);
    const list = async (query: string) => {
      const { status, body } = await service.call<{ workItems: WorkItem[]; nextCursor: string | null }>({
        ...{ projectId: its.projectId, path: `/work-items${query}` },
      });
      return { status, ids: body.workItems?.map(({ id }) => id), cursor: body.nextCursor };
    };
    expect(await list('?status=planned&provider=provider_1&syncState=synced')).toMatchObject({ ids });
    expect(await list('?provider=jira')).toMatchObject({ ids: [] });
    const first = await list('?limit=2');
    expect(first.ids).toEqual(ids.slice(0, 2));
    expect(await list(`?limit=2&cursor=${first.cursor}`)).toMatchObject({ ids: ids.slice(2), cursor: null });
    expect(await list('?provider=provider_5')).toMatchObject({ status: 400 });
    expect(await list(`?status=done&cursor=${first.cursor}`)).toMatchObject({ status: 400 });
  });

  it('of one Finding asked for by fifty at once are one', async () => {
    const its = await world('gitlab');
    const answers = await Promise.all(Array.from({ length: 50 }, () => its.create()));
    const counts = Map.groupBy(answers, ({ status }) => status);
    expect([counts.get(201)?.length, counts.get(409)?.length]).toEqual([1, 49]);
    expect(its.tracker.issues).toHaveLength(1);
  });

  it('that are replaced while the provider is read are not current for that sync', async () => {
    const its = await world('github');
    const item = await made(its);
    const next = await world('linear');
    await makeConnector(service, connectorTo(next.tracker), { projectId: its.projectId });
    its.tracker.faults.next({ kind: 'silent', when: 'before' }, { on: 'read' });
    const before = its.tracker.requests.length;
    const syncing = its.act<Synced>(item, 'sync');
    while (its.tracker.requests.length === before) await new Promise(setImmediate);
    const { body: other } = await its.act(item, 'replacements', { provider: 'linear' });
    expect((await syncing).body).toMatchObject({ outcome: 'not_current', finding: { workItem: { id: other.id } } });
  }, 30_000);

  it('are refused with 400 for a provider or a destination that is none', async () => {
    const its = await world('github');
    for (const body of [
      { provider: 'provider_5' },
      { provider: 'github', destination: 'acme/shop' },
      { provider: 'github', destination: { projectKey: 'SHOP' } },
      { provider: 'github', other: 1 },
      {},
    ]) {
      expect(await its.create(body)).toMatchObject({ status: 400 });
    }
  });

  it('are synced when a webhook touches their issue, whatever it says', async () => {
    const its = await world('github');
    const item = await made(its);
    service.clock.advance(2_000);
    its.tracker.put(its.tracker.issues[0]!, 'completed');
    const { headers, body } = its.tracker.deliveryOf(its.tracker.events.at(-1)!);
    const response = await fetch(`${service.url}/v1/webhooks/github/${its.connector.id}`, {
      ...{ method: 'POST', headers, body: new Uint8Array(body) },
    });
    expect(response.status).toBeLessThan(300);
    await rounds();
    expect(await its.read(item)).toMatchObject({ status: 'done', doneReason: 'completed' });
    expect(await its.finding()).toMatchObject({ resolutionStatus: 'awaiting_verification' });
  });
});

async function switchOff({ projectId, connector }: WorkItemWorld, enabled = false): Promise<void> {
  const path = `/connectors/${connector.id}`;
  await service.call({ method: 'PATCH', projectId, path, body: { enabled } });
}

/** Runs what is due until nothing is. */
async function rounds(): Promise<void> {
  for (let left = 20; left > 0 && (await service.doWorkItems()) > 0; left -= 1);
}
