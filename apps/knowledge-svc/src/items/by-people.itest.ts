import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ConversationSnapshot, KnowledgeItem, LearningGoal } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { useTestEnvironment } from '@clew/testing';
import { startTestService, type TestService } from '../test-support/service.ts';
import { readyOf, snapshotOf } from '../test-support/warehouse.ts';

const environment = useTestEnvironment();
let service: TestService;
let projectId: string;
let goal: LearningGoal;

beforeAll(async () => {
  service = await startTestService(environment);
});

afterAll(() => service.stop());

beforeEach(async () => {
  projectId = newId('prj');
  goal = await service.newGoal(projectId);
});

const REFUNDS = { title: 'Refunds', content: 'Refunds take nine days', kind: 'policy' };

function write(more: object = {}, key?: string) {
  return service.call<KnowledgeItem & { code?: string }>({
    ...{ method: 'POST', projectId, path: '/items', body: { goalId: goal.id, ...REFUNDS, ...more } },
    headers: key === undefined ? {} : { 'idempotency-key': key },
  });
}

const change = (id: string, body: object) =>
  service.call<KnowledgeItem & { code?: string }>({ method: 'PATCH', projectId, path: `/items/${id}`, body });
const undo = (id: string, headers = {}) =>
  service.call<KnowledgeItem & { code?: string }>({ method: 'POST', projectId, path: `/items/${id}/undo`, headers });
const read = async (id: string) => (await service.call<KnowledgeItem>({ projectId, path: `/items/${id}` })).body;
const countsOf = async () => (await service.call<LearningGoal>({ projectId, path: `/goals/${goal.id}` })).body.counts;

function ready(...said: { content: string; atMs?: number }[]): ConversationSnapshot {
  const snapshot = snapshotOf(projectId, 'chat', said);
  service.warehouse.snapshots.set(snapshot.snapshotId, snapshot);
  service.warehouse.ready.set(projectId, [readyOf(snapshot)]);
  return snapshot;
}

describe('an item that a person writes', () => {
  it('has the authority of a person, counts as reviewed, and is written once for one key', async () => {
    const { status, body, headers } = await write({}, 'once');
    expect(status).toBe(201);
    expect(body).toMatchObject({
      ...{ ...REFUNDS, status: 'active', authority: 'person_written', evidence: [], revision: 1 },
      ...{ sourceTraceId: '', sourceConversationId: '', reviewedAt: body.createdAt, saidAt: body.createdAt },
      subject: { kind: 'project', name: 'project', userId: null },
    });
    expect(headers.get('etag')).toBe(`"${body.id}.1"`);
    expect((await write({}, 'once')).body).toEqual(body);
    expect(await countsOf()).toEqual({ activeItems: 1, archivedItems: 0 });
  });

  it('keeps its quotes at their place, and the time of the newest', async () => {
    ready({ content: 'How long?' }, { content: 'Our refunds take nine days.', atMs: 7_000 });
    const evidence = [{ conversationId: 'chat', messageIndex: 1, quote: 'refunds take nine days' }];
    const { body } = await write({ evidence });
    expect(body).toMatchObject({
      ...{ sourceConversationId: 'chat', saidAt: 7_000, heldFrom: 7_000 },
      evidence: [{ ...evidence[0], startChar: 4, endChar: 26, isCurrent: true }],
    });
  });

  it('is refused with a quote that nobody said, of a conversation that is not there, twice, or for an archived goal', async () => {
    ready({ content: 'How long?' });
    const quoting = (conversationId: string) => ({
      evidence: [{ conversationId, messageIndex: 0, quote: 'refunds take nine days' }],
    });
    expect(await write(quoting('chat'))).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    expect(await write(quoting('nowhere'))).toMatchObject({ status: 404, body: { code: 'CONVERSATION_NOT_FOUND' } });
    expect(await write({ validFrom: 2, validUntil: 2 })).toMatchObject({ status: 400 });
    expect((await write()).status).toBe(201);
    expect(await write({ content: 'refunds  take NINE days!' })).toMatchObject({
      ...{ status: 409, body: { code: 'CONFLICT' } },
    });
    await service.call({ method: 'PATCH', projectId, path: `/goals/${goal.id}`, body: { status: 'archived' } });
    expect((await write({ content: 'Something else' })).status).toBe(409);
    expect(await countsOf()).toEqual({ activeItems: 1, archivedItems: 0 });
  });

  it('with the same words is written once, however many write it at once', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => write()));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
    expect(await countsOf()).toEqual({ activeItems: 1, archivedItems: 0 });
  });
});

describe('undoing the last change of an item', () => {
  it('brings back what it said, found by those words, and undone again brings the change', async () => {
    const { body: first } = await write();
    await change(first.id, { content: 'Refunds take two weeks', kind: 'fact', validUntil: 9_000_000_000_000 });
    const { status, body } = await undo(first.id);
    expect(status).toBe(200);
    expect(body).toEqual({ ...first, revision: 3, reviewedAt: body.updatedAt, updatedAt: body.updatedAt });
    const search = await service.call<{ items: KnowledgeItem[] }>({ projectId, path: '/items?q=nine' });
    expect(search.body.items).toEqual([body]);
    expect((await undo(first.id)).body).toMatchObject({ content: 'Refunds take two weeks', kind: 'fact', revision: 4 });
  });

  it('of a first revision is 409, of none 404, and of another revision than the caller saw 412', async () => {
    const { body } = await write();
    expect(await undo(body.id)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    expect((await undo(newId('kitm'))).status).toBe(404);
    await change(body.id, { title: 'Other' });
    expect((await undo(body.id, { 'if-match': `"${body.id}.1"` })).status).toBe(412);
    expect(await read(body.id)).toMatchObject({ title: 'Other', revision: 2 });
  });

  it('keeps the counts of the goal', async () => {
    const { body } = await write();
    await change(body.id, { status: 'archived' });
    expect(await countsOf()).toEqual({ activeItems: 0, archivedItems: 1 });
    await undo(body.id);
    expect(await countsOf()).toEqual({ activeItems: 1, archivedItems: 0 });
  });
});

it('the validity of an item may be changed, but never ends before it begins', async () => {
  const { body } = await write({ validFrom: 1_000 });
  expect(body).toMatchObject({ heldFrom: 1_000, heldUntil: null });
  expect((await change(body.id, { validUntil: 1_000 })).status).toBe(400);
  expect((await change(body.id, { validUntil: 5_000 })).body).toMatchObject({ validUntil: 5_000, heldUntil: 5_000 });
  expect((await change(body.id, { validFrom: null })).body).toMatchObject({ heldFrom: body.saidAt, validFrom: null });
});
