import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { knowledgeItemChanged } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { propertyRuns, useTestEnvironment } from '@clew/testing';
import { emittedMessages } from '@clew/testing-host';
import { createGoalStore } from '../goals/index.ts';
import { itemWith } from '../test-support/items.ts';
import { startTestService, type TestService } from '../test-support/service.ts';
import { createItemStore, itemCollection, itemOf, supersededItem, type StoredItem } from './index.ts';

const environment = useTestEnvironment();
let service: TestService;

beforeAll(async () => {
  service = await startTestService(environment);
});

afterAll(() => service.stop());

/** Stores a chain of items in which each one has replaced the one before. */
async function chainOf(projectId: string, goalId: string, length: number): Promise<string[]> {
  const items = Array.from({ length }, (_, at) =>
    itemWith({ projectId, goalId, content: `The limit is ${at}`, createdAt: at + 1 }),
  );
  const linked = items.map((item, at): StoredItem => {
    const supersedes = items[at - 1]?.id ?? null;
    const next = items[at + 1];
    return next === undefined ? { ...item, supersedes } : { ...supersededItem(item, next, 9), supersedes };
  });
  await service.database.withTransaction(async (tx) => {
    for (const item of linked) {
      await createItemStore(service.database).save(tx, { ...item, revision: 1 }, { kind: 'extraction', id: 'm' });
      const isActive = Number(item.status === 'active');
      await createGoalStore(service.database).count(
        ...([tx, { projectId, goalId }, { active: isActive, archived: 1 - isActive }] as const),
      );
    }
  });
  return items.map(({ id }) => id);
}

function stateOf({ itemId, revision, status }: { itemId: string; revision: number; status: string }): string {
  return `${itemId} ${revision} ${status}`;
}

it('both sides of a supersession say the same, and are told so, whatever people change and undo in any order', async () => {
  const step = fc.record({
    at: fc.nat(2),
    deed: fc.constantFrom('archive' as const, 'activate' as const, 'undo' as const, 'edit' as const),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
      const projectId = newId('prj');
      const { id: goalId } = await service.newGoal(projectId);
      const ids = await chainOf(projectId, goalId, 3);
      for (const { at, deed } of steps) {
        const path = `/items/${ids[at]}`;
        const body = deed === 'edit' ? { title: 'edited' } : { status: deed === 'archive' ? 'archived' : 'active' };
        const { status } = await service.call(
          deed === 'undo'
            ? { method: 'POST', projectId, path: `${path}/undo` }
            : { method: 'PATCH', projectId, path, body },
        );
        expect(deed === 'undo' ? [200, 409] : [200]).toContain(status);
      }
      const stored = (await itemCollection(service.database).find({ projectId }).toArray()).map(itemOf);
      const byId = new Map(stored.map((item) => [item.id, item]));
      for (const item of stored) {
        if (item.status === 'active') expect(item.supersededBy).toBeNull();
        if (item.supersedes !== null) expect(byId.get(item.supersedes)?.supersededBy).toBe(item.id);
        if (item.supersededBy !== null) expect(byId.get(item.supersededBy)?.supersedes).toBe(item.id);
        expect(item.heldUntil === null || item.heldUntil >= item.heldFrom).toBe(true);
      }
      const messages = await emittedMessages(service.database, knowledgeItemChanged, projectId);
      const told = new Set(messages.flatMap(({ data }) => data.items).map(stateOf));
      for (const item of stored)
        expect(item.revision === 1 || told.has(stateOf({ ...item, itemId: item.id }))).toBe(true);
      const active = stored.filter(({ status }) => status === 'active').length;
      expect((await service.call({ projectId, path: `/goals/${goalId}` })).body).toMatchObject({
        counts: { activeItems: active, archivedItems: stored.length - active },
      });
    }),
    propertyRuns(10),
  );
}, 120_000);
