import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newId } from '@clew/kernel';
import { useTestEnvironment } from '@clew/testing';
import { createGoalStore } from '../goals/index.ts';
import { createItemStore, itemCollection, itemRevisionCollection, type StoredItem } from '../items/index.ts';
import { itemWith } from '../test-support/items.ts';
import { startTestService, type TestService } from '../test-support/service.ts';
import { TRACE_ID } from '../test-support/warehouse.ts';

const environment = useTestEnvironment();
let service: TestService;

beforeAll(async () => {
  service = await startTestService(environment);
});

afterAll(() => service.stop());

async function erase(projectId: string, below: string) {
  // The warehouse erases conversations, and the gateway erases projects.
  const id = below.startsWith('/conversations/') ? 'telemetry-warehouse' : 'gateway';
  const path = `//internal/v1/projects/${projectId}${below}`;
  const { status, body } = await service.call<{ removed: object }>({
    ...{ method: 'DELETE', path, projectId, principal: { kind: 'service', id } },
  });
  return { status, removed: body.removed };
}

/** Stores an item of a goal with evidence from those conversations. */
async function newItem(
  projectId: string,
  goalId: string,
  conversationIds: readonly string[],
  more: Partial<StoredItem> = {},
): Promise<StoredItem> {
  const evidence = conversationIds.map((conversationId) => ({
    ...{ conversationId, traceId: TRACE_ID, spanId: 'b'.repeat(16), messageIndex: 0 },
    ...{ quote: `said in ${conversationId}`, startChar: 0, endChar: 20, isCurrent: true },
  }));
  const item = itemWith({ projectId, goalId, sourceConversationId: conversationIds[0]!, evidence, ...more });
  const { database } = service;
  await database.withTransaction(async (tx) => {
    await createItemStore(database).save(tx, item, { kind: 'extraction', id: 'acme/best' });
    await createGoalStore(database).count(tx, { projectId, goalId }, { active: 1, archived: 0 });
  });
  return item;
}

it('the erasure of a conversation takes its quotes and what rests on it alone, all it was included, once', async () => {
  const projectId = newId('prj');
  const { id: goalId } = await service.newGoal(projectId);
  const alone = await newItem(projectId, goalId, ['gone']);
  const shared = await newItem(projectId, goalId, ['gone', 'kept']);
  const other = await newItem(projectId, goalId, ['kept']);
  expect(await erase(projectId, '/conversations/gone/knowledge')).toEqual({
    status: 200,
    removed: {
      items: 1,
      evidence: 2,
      revisions: 2,
      extractions: 0,
      deadLetters: 0,
      replies: 0,
    },
  });
  expect((await service.call({ projectId, path: `/items/${alone.id}` })).status).toBe(404);
  const left = await service.call({ projectId, path: `/items/${shared.id}` });
  expect(left.body).toMatchObject({
    sourceConversationId: 'kept',
    evidence: [{ conversationId: 'kept' }],
    revision: 2,
  });
  expect((await service.call({ projectId, path: `/items/${other.id}` })).body).toMatchObject({ revision: 1 });
  expect((await service.call({ projectId, path: `/goals/${goalId}` })).body).toMatchObject({
    counts: { activeItems: 2, archivedItems: 0 },
  });
  for (const collection of [itemCollection(service.database), itemRevisionCollection(service.database)]) {
    const all = JSON.stringify(await collection.find({ projectId } as never).toArray());
    expect(all).not.toContain('gone');
  }
  expect(await erase(projectId, '/conversations/gone/knowledge')).toMatchObject({ removed: { items: 0, evidence: 0 } });
});

it('the erasure of a conversation takes revisions that quote it, also of an item that no longer does', async () => {
  const projectId = newId('prj');
  const { id: goalId } = await service.newGoal(projectId);
  const item = await newItem(projectId, goalId, ['kept']);
  const [quote] = (await newItem(projectId, goalId, ['gone'])).evidence;
  const more = { ...item, evidence: [...item.evidence, quote!], revision: 2, updatedAt: 2 };
  await service.database.withTransaction((tx) =>
    createItemStore(service.database).save(tx, more, { kind: 'extraction', id: 'acme/best' }),
  );
  const undo = () => service.call({ method: 'POST', projectId, path: `/items/${item.id}/undo` });
  expect((await undo()).body).toMatchObject({ evidence: [{ conversationId: 'kept' }], revision: 3 });
  expect(await erase(projectId, '/conversations/gone/knowledge')).toMatchObject({
    removed: { items: 1, evidence: 1, revisions: 2 },
  });
  expect((await undo()).body).toMatchObject({ evidence: [{ conversationId: 'kept' }] });
  expect(JSON.stringify(await itemRevisionCollection(service.database).find({ projectId }).toArray())).not.toContain(
    'gone',
  );
});

it('the erasure of a subject takes what is about it by name or user id, with its revisions, and nothing else', async () => {
  const projectId = newId('prj');
  const { id: goalId } = await service.newGoal(projectId);
  const about = (name: string, userId: string | null) => ({ subject: { kind: 'person' as const, name, userId } });
  const gone = await newItem(projectId, goalId, ['a'], about('Anna Kowalska', null));
  const kept = await newItem(projectId, goalId, ['a'], about('Anna', 'user-7'));
  const erased = (subject: string) =>
    service.call({ method: 'POST', projectId, path: '/subject-erasures', body: { subject } });
  expect((await erased('anna  kowalska')).body).toEqual({
    removed: { items: 1, revisions: 1, replies: 0 },
    done: true,
  });
  expect((await service.call({ projectId, path: `/items/${gone.id}` })).status).toBe(404);
  expect((await service.call({ projectId, path: `/items/${kept.id}` })).status).toBe(200);
  expect((await erased('user-7')).body).toMatchObject({ removed: { items: 1 } });
  expect((await service.call({ projectId, path: `/goals/${goalId}` })).body).toMatchObject({
    counts: { activeItems: 0, archivedItems: 0 },
  });
});

it('the erasure of a project leaves nothing of it, and another project as it is', async () => {
  const [projectId, otherId] = [newId('prj'), newId('prj')];
  for (const id of [projectId, otherId]) await newItem(id, (await service.newGoal(id)).id, ['c']);
  expect(await erase(projectId, '/knowledge')).toMatchObject({
    status: 200,
    removed: { items: 1, goals: 1, item_revisions: 1 },
  });
  expect((await erase(projectId, '/knowledge')).removed).toEqual({});
  const { body } = await service.call<{ items: unknown[] }>({ projectId: otherId, path: '/items' });
  expect(body.items).toHaveLength(1);
});

it('is not there for callers', async () => {
  const projectId = newId('prj');
  const path = `//internal/v1/projects/${projectId}/knowledge`;
  expect((await service.call({ method: 'DELETE', projectId, path })).status).toBe(404);
});
