import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findingChanged, type Finding, type FindingActivity } from '@clew/contracts';
import { derivedId, newId } from '@clew/kernel';
import { useTestEnvironment } from '@clew/testing';
import { emittedMessages } from '@clew/testing-host';
import { detectionOf, resultOf } from '../../test-support/results.ts';
import { startTestService, type TestService } from '../../test-support/service.ts';
import { findingIdOf } from '../occurrence.ts';

interface ErrorAnswer {
  code: string;
  details?: { path: string }[];
}

const environment = useTestEnvironment();
let service: TestService;

beforeAll(async () => {
  service = await startTestService(environment);
});

afterAll(() => service.stop());

/** Makes a project with one Finding of one conversation. */
async function newFinding(): Promise<{ projectId: string; id: string; path: string }> {
  const projectId = newId('prj');
  await show(projectId, 'first');
  const id = findingIdOf(projectId, detectionOf('loop').clusterFingerprint);
  return { projectId, id, path: `/findings/${id}` };
}

async function show(projectId: string, conversationId: string, startedAt?: number): Promise<void> {
  service.clock.advance(1_000);
  const snapshot = startedAt === undefined ? {} : { startedAt, throughMs: startedAt + 1 };
  await service.take(resultOf({ projectId, conversationId, snapshot, found: { rule_a: ['loop'] } }));
}

function patch<Body = Finding>(projectId: string, path: string, body: unknown, headers: Record<string, string> = {}) {
  return service.call<Body>({ projectId, method: 'PATCH', path, body, headers });
}

/** Announcements of a project's Findings, in the order of their commits. */
async function told(projectId: string) {
  return (await emittedMessages(service.database, findingChanged, projectId)).flatMap(({ data }) => data.findings);
}

async function activityOf(projectId: string, path: string): Promise<FindingActivity[]> {
  const { body } = await service.call<{ activity: FindingActivity[] }>({ projectId, path: `${path}/activity` });
  return body.activity;
}

describe('PATCH of a Finding', () => {
  it('confirms, dismisses and takes back a review, and says when', async () => {
    const { projectId, path } = await newFinding();
    const nowMs = service.clock.now();
    expect(await patch(projectId, path, { reviewStatus: 'confirmed' })).toMatchObject({
      status: 200,
      body: { reviewStatus: 'confirmed', reviewedAt: nowMs, resolutionStatus: 'unresolved' },
    });
    expect((await patch(projectId, path, { reviewStatus: 'unreviewed' })).body).toMatchObject({
      ...{ reviewStatus: 'unreviewed', reviewedAt: null },
    });
    expect((await patch(projectId, path, { reviewStatus: 'dismissed' })).body.reviewStatus).toBe('dismissed');
    expect((await service.call<Finding>({ projectId, path })).body.reviewStatus).toBe('dismissed');
  });

  it('clears the resolution of a Finding that it dismisses, in one step', async () => {
    const { projectId, path } = await newFinding();
    expect((await patch(projectId, path, { resolutionStatus: 'resolved' })).body).toMatchObject({
      ...{ resolutionStatus: 'resolved', resolvedAt: service.clock.now() },
    });
    expect((await patch(projectId, path, { reviewStatus: 'dismissed' })).body).toMatchObject({
      ...{ reviewStatus: 'dismissed', resolutionStatus: 'unresolved', resolvedAt: null, regressedAt: null },
    });
  });

  it.each([
    ['both statuses', { reviewStatus: 'confirmed', resolutionStatus: 'resolved' }],
    ['neither', {}],
    ['a resolution that only conversations bring about', { resolutionStatus: 'regressed' }],
    ['a resolution that only a repair brings about', { resolutionStatus: 'awaiting_verification' }],
    ['an unknown review status', { reviewStatus: 'open' }],
    ['an unknown field', { reviewStatus: 'confirmed', severity: 'low' }],
    ['null', { reviewStatus: null }],
  ])('is 400 with %s, and changes nothing', async (_name, body) => {
    const { projectId, path } = await newFinding();
    expect(await patch<ErrorAnswer>(projectId, path, body)).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', details: [{ path: expect.stringMatching(/^body/) }] },
    });
    expect((await service.call<Finding>({ projectId, path })).body.reviewStatus).toBe('unreviewed');
  });

  it('is 404 FINDING_NOT_FOUND for a missing one and for another project’s', async () => {
    const { projectId, id } = await newFinding();
    const missing = derivedId('fnd', 'missing');
    for (const [project, findingId] of [
      [projectId, missing],
      [newId('prj'), id],
    ] as const) {
      const answer = await patch<ErrorAnswer>(project, `/findings/${findingId}`, { reviewStatus: 'confirmed' });
      expect(answer).toMatchObject({ status: 404, body: { code: 'FINDING_NOT_FOUND' } });
    }
  });

  it('keeps a reviewed or resolved Finding in the list, which nothing shows any more', async () => {
    for (const change of [{ reviewStatus: 'dismissed' }, { resolutionStatus: 'resolved' }]) {
      const { projectId, path, id } = await newFinding();
      await patch(projectId, path, change);
      await service.take(
        resultOf({ projectId, conversationId: 'first', snapshot: { revision: 2 }, found: { rule_a: [] } }),
      );
      const { body } = await service.call<{ findings: Finding[] }>({ projectId, path: '/findings' });
      expect(body.findings).toMatchObject([{ id, occurrenceCount: 0 }]);
    }
  });
});

describe('If-Match', () => {
  it('is refused once people have changed the Finding, and not for what was detected since', async () => {
    const { projectId, path } = await newFinding();
    const etag = (await service.call({ projectId, path })).headers.get('etag')!;
    await show(projectId, 'second');
    expect((await service.call({ projectId, path })).headers.get('etag')).toBe(etag);
    const changed = await patch(projectId, path, { reviewStatus: 'confirmed' }, { 'if-match': etag });
    expect(changed.status).toBe(200);
    const late = await patch<ErrorAnswer>(projectId, path, { reviewStatus: 'dismissed' }, { 'if-match': etag });
    expect(late).toMatchObject({ status: 412, body: { code: 'PRECONDITION_FAILED' } });
    expect(late.headers.get('etag')).toBe(changed.headers.get('etag'));
  });

  it('lets one of many win that change the same Finding at once', async () => {
    const { projectId, path } = await newFinding();
    const headers = { 'if-match': (await service.call({ projectId, path })).headers.get('etag')! };
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        service.call({ projectId, path: `${path}/assignee`, method: 'PUT', body: { assignee: `p${index}` }, headers }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412, 412, 412, 412, 412]);
  });

  it('loses no conversation that is found while people change the Finding', async () => {
    const { projectId, path } = await newFinding();
    const names = Array.from({ length: 8 }, (_, index) => `chat ${index}`);
    await Promise.all([
      ...names.map((conversationId) =>
        service.take(resultOf({ projectId, conversationId, found: { rule_a: ['loop'] } })),
      ),
      ...['confirmed', 'dismissed', 'confirmed'].map((reviewStatus) => patch(projectId, path, { reviewStatus })),
    ]);
    const { body } = await service.call<Finding>({ projectId, path });
    expect(body.occurrenceCount).toBe(9);
    expect(body.reviewStatus).not.toBe('unreviewed');
  });
});

describe('a regression', () => {
  it('is brought about once, by a conversation that started after the resolution, and is remembered', async () => {
    const { projectId, path } = await newFinding();
    const { body: resolved } = await patch(projectId, path, { resolutionStatus: 'resolved' });
    await show(projectId, 'late', resolved.resolvedAt!);
    expect((await service.call<Finding>({ projectId, path })).body.resolutionStatus).toBe('resolved');
    await show(projectId, 'new', resolved.resolvedAt! + 1);
    const { body: regressed } = await service.call<Finding>({ projectId, path });
    expect(regressed).toMatchObject({ resolutionStatus: 'regressed', regressedAt: service.clock.now() });
    await show(projectId, 'newer', resolved.resolvedAt! + 2);
    expect((await service.call<Finding>({ projectId, path })).body.regressedAt).toBe(regressed.regressedAt);
    expect(await activityOf(projectId, path)).toMatchObject([
      { kind: 'resolution', from: 'resolved', to: 'regressed', actor: { kind: 'service', id: 'diagnostics-svc' } },
      { kind: 'resolution', from: 'unresolved', to: 'resolved', actor: { kind: 'key' } },
    ]);
    expect((await told(projectId)).map(({ resolutionStatus }) => resolutionStatus)).toEqual([
      'unresolved',
      'resolved',
      'regressed',
    ]);
  });
});

describe('diagnostics.finding.changed', () => {
  it('tells a new Finding, each change of its state, severity and listing, and not one conversation more', async () => {
    const { projectId, path, id } = await newFinding();
    await show(projectId, 'second');
    await patch(projectId, path, { reviewStatus: 'confirmed' });
    await patch(projectId, path, { reviewStatus: 'confirmed' });
    const worse = detectionOf('loop', { severity: 'critical' });
    await service.take(resultOf({ projectId, conversationId: 'third', found: { rule_a: [worse] } }));
    const events = await told(projectId);
    expect(events).toMatchObject([
      { findingId: id, reviewStatus: 'unreviewed', severity: 'high', listed: true, conversationId: 'first' },
      { findingId: id, reviewStatus: 'confirmed', severity: 'high', conversationId: 'first' },
      { findingId: id, reviewStatus: 'confirmed', severity: 'critical', conversationId: 'third' },
    ]);
    const sequences = events.map(({ sequence }) => sequence);
    expect(sequences).toEqual([...new Set(sequences)].toSorted((one, other) => one - other));
  });
});

describe('assignee and snooze', () => {
  it('are set and taken away', async () => {
    const { projectId, path } = await newFinding();
    const put = (field: string, value: unknown) =>
      service.call<Finding>({ projectId, path: `${path}/${field}`, method: 'PUT', body: { [field]: value } });
    expect((await put('assignee', 'ann')).body.assignee).toBe('ann');
    expect((await put('assignee', null)).body.assignee).toBeNull();
    expect((await put('snooze', { furtherOccurrences: 2 })).body.snooze).toMatchObject({ furtherOccurrences: 2 });
    await show(projectId, 'second');
    expect((await service.call<Finding>({ projectId, path })).body.snooze).toMatchObject({ furtherOccurrences: 1 });
    await show(projectId, 'third');
    expect((await service.call<Finding>({ projectId, path })).body.snooze).toBeNull();
    await put('snooze', { until: service.clock.now() + 1_000 });
    service.clock.advance(999);
    expect((await service.call<Finding>({ projectId, path })).body.snooze).not.toBeNull();
    service.clock.advance(1);
    expect((await service.call<Finding>({ projectId, path })).body.snooze).toBeNull();
    expect((await put('snooze', {})).status).toBe(400);
  });
});

describe('a bulk update', () => {
  it('changes each Finding on its own, and says of each what became of it', async () => {
    const { projectId, id, path } = await newFinding();
    const missing = derivedId('fnd', 'missing');
    const update = () =>
      service.call({
        ...{ projectId, path: '/findings/bulk-updates', method: 'POST' },
        body: { findingIds: [missing, id], change: { reviewStatus: 'confirmed' } },
      });
    const refused = { findingId: missing, outcome: 'refused', error: { code: 'FINDING_NOT_FOUND' } };
    expect(await update()).toMatchObject({ status: 200, body: { results: [refused, { outcome: 'updated' }] } });
    expect(await update()).toMatchObject({ body: { results: [refused, { findingId: id, outcome: 'unchanged' }] } });
    expect((await service.call<Finding>({ projectId, path })).body.reviewStatus).toBe('confirmed');
  });

  it.each([
    ['no id', { findingIds: [], change: { reviewStatus: 'confirmed' } }],
    ['101 ids', { findingIds: Array.from({ length: 101 }, String), change: { reviewStatus: 'confirmed' } }],
    ['an id twice', { findingIds: ['a', 'a'], change: { reviewStatus: 'confirmed' } }],
    ['two changes', { findingIds: ['a'], change: { reviewStatus: 'confirmed', assignee: 'ann' } }],
  ])('is 400 with %s', async (_name, body) => {
    const answer = await service.call({ path: '/findings/bulk-updates', method: 'POST', body });
    expect(answer.status).toBe(400);
  });
});

describe('the activity of a Finding', () => {
  it('lists changes and comments newest first, with who did it, in pages', async () => {
    const { projectId, path } = await newFinding();
    service.clock.advance(1);
    await patch(projectId, path, { reviewStatus: 'confirmed' });
    service.clock.advance(1);
    const call = { projectId, path: `${path}/comments`, method: 'POST' as const, body: { text: 'seen\nit' } };
    const headers = { 'idempotency-key': 'once' };
    const comment = await service.call<FindingActivity>({ ...call, headers });
    expect(comment).toMatchObject({ status: 201, body: { kind: 'comment', text: 'seen\nit', actor: { kind: 'key' } } });
    expect((await service.call<FindingActivity>({ ...call, headers })).body).toEqual(comment.body);
    const location = comment.headers.get('location')!;
    expect((await service.call({ projectId, path: `/${location}` })).body).toEqual(comment.body);
    const entries = await activityOf(projectId, path);
    expect(entries.map(({ kind }) => kind)).toEqual(['comment', 'review']);
    const { body } = await service.call<{ activity: unknown[]; nextCursor: string }>({
      ...{ projectId, path: `${path}/activity?limit=1` },
    });
    const next = await service.call<{ activity: FindingActivity[] }>({
      ...{ projectId, path: `${path}/activity?limit=1&cursor=${body.nextCursor}` },
    });
    expect([...body.activity, ...next.body.activity]).toEqual(entries);
  });
});
