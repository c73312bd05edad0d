import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readKnowledgeItems, type KnowledgeItem } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { explainSent, monitored, useTestEnvironment } from '@clew/testing';
import { keyWith, service as serviceNamed, userWith } from '@clew/testing/identities';
import { itemWith } from '../test-support/items.ts';
import { startTestService, type TestService } from '../test-support/service.ts';
import { createItemStore, type StoredItem } from './index.ts';

const environment = useTestEnvironment();
let service: TestService;

beforeAll(async () => {
  service = await startTestService(environment, { mongoUrl: monitored(environment.mongoUrl) });
});

afterAll(() => service.stop());

async function stored(change: Partial<StoredItem>): Promise<StoredItem> {
  const item = itemWith(change);
  await service.database.withTransaction((tx) =>
    createItemStore(service.database).save(tx, item, { kind: 'extraction', id: 'acme/best' }),
  );
  return item;
}

function read(projectId: string, itemIds: readonly string[], principal: object | null = serviceNamed('jobs-worker')) {
  return service.call<{ items: KnowledgeItem[] }>({
    ...{ method: 'POST', projectId, path: `//internal/v1/projects/${projectId}/knowledge/items/read` },
    ...{ body: { itemIds }, principal: principal as never },
  });
}

it('items are read as callers see them, whatever their state, in the order asked for, each once', async () => {
  const projectId = newId('prj');
  const active = await stored({ projectId, supersedes: 'kitm_older' });
  const archived = await stored({ projectId, status: 'archived' });
  const replaced = await stored({ projectId, status: 'archived', supersededBy: active.id, heldUntil: 5 });
  const { status, body } = await read(projectId, [replaced.id, active.id, replaced.id, archived.id]);
  expect({ status, ...body }).toEqual({ status: 200, items: [replaced, active, archived] });
  expect(readKnowledgeItems.responses[200].parse(body)).toEqual(body);
});

it('items that do not exist, or are of another project, are left out', async () => {
  const projectId = newId('prj');
  const own = await stored({ projectId });
  const foreign = await stored({ projectId: newId('prj') });
  expect((await read(projectId, [newId('kitm'), foreign.id, own.id])).body).toEqual({ items: [own] });
  expect((await read(projectId, [newId('kitm')])).body).toEqual({ items: [] });
});

it('a hundred items are read in one query, which reads no other document', async () => {
  const projectId = newId('prj');
  const ids: string[] = [];
  for (let index = 0; index < 100; index += 1) ids.push((await stored({ projectId })).id);
  const explained = await explainSent(service.database, async () => {
    expect((await read(projectId, ids)).body.items).toHaveLength(100);
  });
  const [found, ...others] = explained.filter(({ plan }) => plan.includes('items'));
  expect(others).toEqual([]);
  expect(found?.plan).toMatch(/IXSCAN/);
  expect(found?.plan).not.toMatch(/COLLSCAN|SORT/);
  expect(found?.stats).toMatchObject({ nReturned: 100, totalDocsExamined: 100 });
});

it.each([
  ['nobody', null, 401],
  ['a key with every scope', keyWith('workspace:admin', 'workspace:read', 'workspace:write'), 404],
  ['a person with every permission', userWith('workspace:admin', 'project:read'), 404],
  ['a service that has no business there', serviceNamed('gateway'), 404],
  ['the service that keeps the Datasets', serviceNamed('datasets-svc'), 200],
])('the route answers %s as it should', async (_who, principal, expected) => {
  expect((await read(newId('prj'), [newId('kitm')], principal)).status).toBe(expected);
});

it.each([
  ['no id', []],
  ['what is no id', ['x']],
  ['101 ids', Array.from({ length: 101 }, () => newId('kitm'))],
])('%s is refused', async (_what, itemIds) => {
  expect((await read(newId('prj'), itemIds)).status).toBe(400);
});

it('the active items are listed in pages, the newest first, and no other', async () => {
  const projectId = newId('prj');
  const made: StoredItem[] = [];
  for (const createdAt of [1, 2, 3]) made.push(await stored({ projectId, createdAt }));
  await stored({ projectId, createdAt: 4, status: 'archived' });
  await stored({ createdAt: 5, projectId: newId('prj') });
  const path = `//internal/v1/projects/${projectId}/knowledge/active-items?limit=2`;
  const principal = serviceNamed('datasets-svc');
  const list = async (cursor = '') =>
    (
      await service.call<{ items: { itemId: string }[]; nextCursor: string | null }>({
        ...{ projectId, path: `${path}${cursor}`, principal },
      })
    ).body;
  const first = await list();
  const second = await list(`&cursor=${first.nextCursor}`);
  const listed = [...first.items, ...second.items].map(({ itemId }) => itemId);
  expect([listed, second.nextCursor]).toEqual([made.map(({ id }) => id).toReversed(), null]);
});
