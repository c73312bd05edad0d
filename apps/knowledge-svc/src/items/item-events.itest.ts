import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { knowledgeItemChanged, type KnowledgeItem, type LearningGoal } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { emittedMessages } from '@clew/testing-host';
import { eventually, useTestEnvironment } from '@clew/testing';
import { itemIn, readOutcome, startTestService, type TestService } from '../test-support/service.ts';
import { readyOf, SAID_AT, snapshotOf } from '../test-support/warehouse.ts';

const environment = useTestEnvironment();
let service: TestService;
let projectId: string;
let goal: LearningGoal;

beforeAll(async () => {
  service = await startTestService(environment);
  service.start();
});

afterAll(() => service.stop());

beforeEach(async () => {
  projectId = newId('prj');
  goal = await service.newGoal(projectId);
});

/** States of an item that were told, in order. */
async function toldOf({ id }: { id: string }): Promise<string[]> {
  const messages = await emittedMessages(service.database, knowledgeItemChanged, projectId);
  const told = messages.flatMap(({ data }) => data.items).filter(({ itemId }) => itemId === id);
  return told.map(({ revision, status }) => `${revision} ${status}`);
}

async function write(content: string): Promise<KnowledgeItem> {
  const body = { goalId: goal.id, title: content, content, kind: 'fact' };
  const written = await service.call<KnowledgeItem>({ method: 'POST', projectId, path: '/items', body });
  expect(written.status).toBe(201);
  return written.body;
}

async function change({ id }: KnowledgeItem, body: object): Promise<void> {
  expect((await service.call({ method: 'PATCH', projectId, path: `/items/${id}`, body })).status).toBe(200);
}

async function undo({ id }: KnowledgeItem): Promise<void> {
  expect((await service.call({ method: 'POST', projectId, path: `/items/${id}/undo` })).status).toBe(200);
}

async function read(): Promise<KnowledgeItem[]> {
  return (await service.call<{ items: KnowledgeItem[] }>({ projectId, path: '/items' })).body.items;
}

/** Has a conversation of one message read, of which this is learnt; resolves with the active items. */
async function learn(
  conversationId: string,
  content: string,
  more: Parameters<typeof itemIn>[2] = {},
): Promise<KnowledgeItem[]> {
  const snapshot = snapshotOf(projectId, conversationId, [{ content }]);
  service.warehouse.snapshots.set(snapshot.snapshotId, snapshot);
  service.warehouse.ready.set(projectId, [readyOf(snapshot)]);
  const before = (await service.commands(projectId)).length;
  const body = { startMs: SAID_AT, endMs: SAID_AT + 86_400_000 };
  const path = `/goals/${goal.id}/backfills`;
  const { body: made } = await service.call<{ backfillId: string }>({ method: 'POST', projectId, path, body });
  const command = await eventually(async () => {
    const sent = await service.commands(projectId);
    expect(sent).toHaveLength(before + 1);
    return sent.at(-1)!;
  });
  await service.complete(command, readOutcome([itemIn(snapshot, content, more)]));
  return await eventually(async () => {
    const backfill = await service.call<{ state: string }>({ projectId, path: `${path}/${made.backfillId}` });
    expect(backfill.body.state).toBe('completed');
    return await read();
  });
}

async function erase(conversationId: string): Promise<void> {
  const { status } = await service.call({
    ...{ method: 'DELETE', projectId, principal: { kind: 'service', id: 'telemetry-warehouse' } },
    path: `//internal/v1/projects/${projectId}/conversations/${conversationId}/knowledge`,
  });
  expect(status).toBe(200);
}

describe('who made something of an item is told', () => {
  it('of each change that a person makes, undoes and makes again', async () => {
    const item = await write('Refunds take nine days');
    await change(item, { content: 'Refunds take two weeks' });
    await change(item, { status: 'archived' });
    await undo(item);
    expect(await toldOf(item)).toEqual(['1 active', '2 active', '3 archived', '4 active']);
  });

  it('of an item that a conversation taught, and of further evidence', async () => {
    const [item] = await learn('first', 'Deliveries come on Tuesday');
    expect(await toldOf(item!)).toEqual(['1 active']);
    await learn('second', 'Deliveries come on Tuesday');
    expect(await toldOf(item!)).toEqual(['1 active', '2 active']);
  });

  it('of an item that another one replaces, and of both when it is restored', async () => {
    const [older] = await learn('first', 'The refund limit is 50 euros');
    const relations = [{ itemId: older!.id, revision: 1, relation: 'supersedes' as const }];
    const [newer] = await learn('second', 'The refund limit is 80 euros', { relations });
    expect(newer?.supersedes).toBe(older!.id);
    expect(await toldOf(older!)).toEqual(['1 active', '2 archived']);
    expect(await toldOf(newer!)).toEqual(['1 active']);
    await change(older!, { status: 'active' });
    expect(await toldOf(older!)).toEqual(['1 active', '2 archived', '3 active']);
    expect(await toldOf(newer!)).toEqual(['1 active', '2 active']);
  });

  it('of an item whose evidence was erased in part, and then as a whole', async () => {
    await learn('first', 'Deliveries come on Tuesday');
    const [item] = await learn('second', 'Deliveries come on Tuesday');
    await erase('first');
    expect(await toldOf(item!)).toEqual(['1 active', '2 active', '3 active']);
    await erase('second');
    expect(await toldOf(item!)).toEqual(['1 active', '2 active', '3 active', '4 erased']);
  });

  it('of an item that was erased with its subject', async () => {
    const item = await write('Anna likes trains');
    await change(item, { subject: { kind: 'person', name: 'Anna' } });
    const body = { subject: 'Anna' };
    expect((await service.call({ method: 'POST', projectId, path: '/subject-erasures', body })).status).toBe(200);
    expect(await toldOf(item)).toEqual(['1 active', '2 active', '3 erased']);
  });

  it('of an item that is made again after its erasure under its former id, and erased once more', async () => {
    const [item] = await learn('first', 'Deliveries come on Tuesday');
    await erase('first');
    service.clock.advance(1);
    const [again] = await learn('second', 'Deliveries come on Tuesday');
    expect(again).toMatchObject({ id: item!.id, revision: 1 });
    await erase('second');
    expect(await toldOf(item!)).toEqual(['1 active', '2 erased', '1 active', '2 erased']);
    const messages = await emittedMessages(service.database, knowledgeItemChanged, projectId);
    const [made, , remade] = messages.flatMap(({ data }) => data.items);
    expect(remade!.createdAt).toBeGreaterThan(made!.createdAt!);
  });
});
