import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TRACKER_PROVIDERS, type Finding, type TrackerProvider, type WorkItem } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { connect, startHandoff, type Handoff, type Synced } from './support/work-items.ts';
import { makeFinding } from './support/findings.ts';
import { createTestProject } from './support/test-project.ts';

const handoffs = new Map<TrackerProvider, Handoff>();

beforeAll(async () => {
  const started = await Promise.all(TRACKER_PROVIDERS.map(startHandoff));
  for (const handoff of started) handoffs.set(handoff.provider, handoff);
}, 120_000);

afterAll(() => Promise.all([...handoffs.values()].map(({ tracker }) => tracker.stop())));

/** Body by which the specification names a provider. */
const bodyOf = (provider: TrackerProvider) => ({ provider: `provider_${TRACKER_PROVIDERS.indexOf(provider) + 1}` });

describe.each(TRACKER_PROVIDERS)('work items at %s', (provider) => {
  const its = () => handoffs.get(provider)!;
  const patch = (body: object) =>
    its().project.call<Finding & { code: string }>(its().finding, { method: 'PATCH', body });
  const act = <Body = WorkItem & { code: string }>(item: WorkItem, action: string, body?: object) =>
    its().call<Body>(`/${item.id}/${action}`, { method: 'POST', ...(body === undefined ? {} : { body }) });

  async function made(): Promise<WorkItem> {
    const { status, body, headers } = await its().call('', { body: bodyOf(provider) });
    expect({ status, body }).toMatchObject({ status: 201, body: { provider, status: 'planned', syncState: 'synced' } });
    const { project, finding } = its();
    expect(headers.get('location')).toBe(`/v1/projects/${project.id}${finding}/work-items/${body.id}`);
    return body;
  }

  it('creation: FINDING_DISMISSED, then confirms the handoff, then WORK_ITEM_ALREADY_EXISTS; of fifty at once one', async () => {
    await patch({ reviewStatus: 'dismissed' });
    expect(await its().call('', { body: bodyOf(provider) })).toMatchObject({
      ...{ status: 409, body: { code: 'FINDING_DISMISSED' } },
    });
    await patch({ reviewStatus: 'unreviewed' });
    const known = its().tracker.issues.length;
    const all = await Promise.all(
      Array.from({ length: 50 }, () => its().call<WorkItem & { code: string }>('', { body: bodyOf(provider) })),
    );
    const [item] = all.flatMap(({ status, body }) => (status === 201 ? [body] : []));
    expect(all.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(49).fill(409)]);
    expect(await its().read()).toMatchObject({ reviewStatus: 'confirmed', workItem: item });
    expect(its().tracker.issues).toHaveLength(known + 1);
    expect(await its().call(`/${item!.id}`)).toMatchObject({ status: 200, body: item });
    expect(await its().call<{ workItems: WorkItem[] }>()).toMatchObject({ body: { workItems: [item] } });
    expect((await act(item!, 'abandon')).status).toBe(200);
  });

  it('sync: unchanged, updated, failed, not_syncable; done leads to awaiting_verification', async () => {
    const item = await made();
    const issue = its().tracker.issues.at(-1)!;
    await act(item, 'sync');
    expect(await act<Synced>(item, 'sync')).toMatchObject({ status: 200, body: { outcome: 'unchanged' } });
    expect(await patch({ reviewStatus: 'dismissed' })).toMatchObject({
      status: 409,
      body: { code: 'ACTIVE_WORK_ITEM' },
    });
    expect(await patch({ resolutionStatus: 'resolved' })).toMatchObject({ body: { code: 'WORK_ITEM_NOT_DONE' } });
    its().tracker.faults.next({ kind: 'fail', status: 500, when: 'before' });
    expect(await act<Synced>(item, 'sync')).toMatchObject({ status: 200, body: { outcome: 'failed' } });
    its().tracker.put(issue, 'completed');
    // After a failure the service soon asks by itself again, and may be the first to hear of it.
    expect(await act<Synced>(item, 'sync')).toMatchObject({
      status: 200,
      body: {
        outcome: expect.stringMatching(/^(?:updated|unchanged)$/),
        finding: { resolutionStatus: 'awaiting_verification' },
      },
    });
    its().tracker.remove(issue);
    expect(await act<Synced>(item, 'sync')).toMatchObject({ status: 200, body: { outcome: 'not_syncable' } });
    await act(item, 'abandon');
  });

  it('retry: only of a failed provisioning', async () => {
    its().tracker.settings.isRevoked = true;
    const { status, body: item } = await its().call('', { body: bodyOf(provider) });
    expect({ status, item }).toMatchObject({
      ...{ status: 201, item: { status: 'provisioning', externalId: null, syncState: 'error' } },
    });
    its().tracker.settings.isRevoked = false;
    expect(await act(item, 'retry')).toMatchObject({ status: 200, body: { status: 'planned', syncState: 'synced' } });
    expect(await act(item, 'retry')).toMatchObject({ status: 409, body: { code: 'WORK_ITEM_NOT_RETRYABLE' } });
    await act(item, 'abandon');
  });

  it('replacement: by another provider only, after which the old one is not current; abandon leaves the issue open', async () => {
    const item = await made();
    const issue = its().tracker.issues.at(-1)!;
    expect((await act(item, 'replacements', bodyOf(provider))).status).toBe(400);
    const next = TRACKER_PROVIDERS.find((other) => other !== provider)!;
    await connect(its().project, handoffs.get(next)!.tracker);
    const { status, body: other } = await act(item, 'replacements', bodyOf(next));
    expect({ status, other }).toMatchObject({ status: 201, other: { provider: next, isPrimary: true } });
    for (const action of ['sync', 'retry', 'abandon']) {
      expect(await act(item, action)).toMatchObject({ status: 409, body: { code: 'WORK_ITEM_NOT_CURRENT' } });
    }
    expect(await act(other, 'abandon')).toMatchObject({ status: 200, body: { isPrimary: false } });
    expect(await its().read()).toMatchObject({ workItem: null });
    expect(issue.state).toBe('open');
  });

  it('WORK_ITEM_PROVIDER_UNAVAILABLE: connector disabled, or default destination unset; a named one works', async () => {
    const UNAVAILABLE = { status: 503, body: { code: 'WORK_ITEM_PROVIDER_UNAVAILABLE' } };
    const set = (body: object) =>
      its().project.call(`/diagnostics/connectors/${its().connector.id}`, { method: 'PATCH', body });
    await set({ enabled: false });
    expect(await its().call('', { body: bodyOf(provider) })).toMatchObject(UNAVAILABLE);
    await set({ enabled: true, defaultDestination: null });
    expect(await its().call('', { body: bodyOf(provider) })).toMatchObject(UNAVAILABLE);
    const { destination } = its().tracker;
    const { status, body } = await its().call('', { body: { ...bodyOf(provider), destination } });
    expect(status).toBe(201);
    await act(body, 'abandon');
    await set({ defaultDestination: destination });
  });

  it('FINDING_NOT_FOUND under another Finding; 400 for provider_5 and a destination that is text', async () => {
    const item = await made();
    const elsewhere = await its().project.call(`/diagnostics/findings/fnd_${'1'.repeat(26)}/work-items/${item.id}`);
    expect(elsewhere).toMatchObject({ status: 404, body: { code: 'FINDING_NOT_FOUND' } });
    expect((await its().call('', { body: { provider: 'provider_5' } })).status).toBe(400);
    expect((await its().call('', { body: { ...bodyOf(provider), destination: 'acme/shop' } })).status).toBe(400);
    await act(item, 'abandon');
  });

  it('the same Idempotency-Key makes one', async () => {
    const headers = { 'idempotency-key': newId('req') };
    const first = await its().call('', { body: bodyOf(provider), headers });
    const again = await its().call('', { body: bodyOf(provider), headers });
    expect([again.status, again.body]).toEqual([201, first.body]);
    await act(first.body, 'abandon');
  });
});

it('WORK_ITEM_PROVIDER_UNAVAILABLE: connector missing', async () => {
  const project = await createTestProject('no connectors');
  const finding = await makeFinding(project);
  expect(await project.call(`${finding}/work-items`, { body: { provider: 'github' } })).toMatchObject({
    ...{ status: 503, body: { code: 'WORK_ITEM_PROVIDER_UNAVAILABLE' } },
  });
});
