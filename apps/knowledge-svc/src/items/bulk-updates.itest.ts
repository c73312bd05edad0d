import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { KnowledgeBackfill, KnowledgeItem, LearningGoal } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { explainSent, monitored, useTestEnvironment } from '@clew/testing';
import { keyWith } from '@clew/testing/identities';
import { startTestService, type TestService } from '../test-support/service.ts';

const environment = useTestEnvironment();
let service: TestService;
let projectId: string;
let goal: LearningGoal;

beforeAll(async () => {
  service = await startTestService(environment, { mongoUrl: monitored(environment.mongoUrl) });
});

afterAll(() => service.stop());

beforeEach(async () => {
  projectId = newId('prj');
  goal = await service.newGoal(projectId);
});

interface Results {
  results: { itemId: string; outcome: string; revision?: number; error?: { code?: string } }[];
}

async function write(content: string): Promise<KnowledgeItem> {
  const body = { goalId: goal.id, title: 'x', content, kind: 'fact' };
  return (await service.call<KnowledgeItem>({ method: 'POST', projectId, path: '/items', body })).body;
}

const update = (body: unknown, more: object = {}) =>
  service.call<Results>({ method: 'POST', projectId, path: '/items/bulk-updates', body, ...more });
const read = async (id: string) => (await service.call<KnowledgeItem>({ projectId, path: `/items/${id}` })).body;
const countsOf = async () => (await service.call<LearningGoal>({ projectId, path: `/goals/${goal.id}` })).body.counts;

describe('a change of many items', () => {
  it('has an outcome for each, and a refused one does not prevent the others', async () => {
    const [one, two, three] = [await write('one'), await write('two'), await write('three')];
    const late = await write('late');
    const { status, body } = await update({
      items: [
        { itemId: two.id, revision: 1 },
        { itemId: newId('kitm') },
        { itemId: three.id, revision: 7 },
        { itemId: one.id },
      ],
      change: { status: 'archived' },
    });
    expect(status).toBe(200);
    expect(
      body.results.map(({ itemId, outcome, revision, error }) => [itemId, outcome, revision ?? error?.code]),
    ).toEqual([
      [two.id, 'updated', 2],
      [expect.any(String), 'refused', 'NOT_FOUND'],
      [three.id, 'refused', 'PRECONDITION_FAILED'],
      [one.id, 'updated', 2],
    ]);
    expect((await Promise.all([one, two, three, late].map(({ id }) => read(id)))).map((item) => item.status)).toEqual([
      ...['archived', 'archived', 'active', 'active'],
    ]);
    expect(await countsOf()).toMatchObject({ activeItems: 2, archivedItems: 2 });
  });

  it('changes nothing when it is repeated, with a key or without', async () => {
    const item = await write('one');
    const body = { items: [{ itemId: item.id, revision: 1 }], change: { kind: 'policy' } };
    const headers = { 'idempotency-key': 'once' };
    const first = await update(body, { headers });
    expect(first.body.results).toEqual([{ itemId: item.id, outcome: 'updated', revision: 2 }]);
    expect((await update(body, { headers })).body).toEqual(first.body);
    const again = await update({ ...body, items: [{ itemId: item.id }] });
    expect(again.body.results).toEqual([{ itemId: item.id, outcome: 'unchanged', revision: 2 }]);
    expect((await read(item.id)).revision).toBe(2);
  });

  it('refuses a change that one item does not allow, of that item alone', async () => {
    const body = { goalId: goal.id, title: 'x', content: 'bounded', kind: 'fact', validFrom: 500 };
    const bounded = (await service.call<KnowledgeItem>({ method: 'POST', projectId, path: '/items', body })).body;
    const free = await write('free');
    const { results } = (
      await update({ items: [{ itemId: bounded.id }, { itemId: free.id }], change: { validUntil: 400 } })
    ).body;
    expect(results.map(({ outcome, error }) => [outcome, error?.code])).toEqual([
      ['refused', 'VALIDATION_FAILED'],
      ['updated', undefined],
    ]);
  });

  it('takes the scope to write, and a body that names each item once', async () => {
    const item = await write('one');
    const body = { items: [{ itemId: item.id }], change: { kind: 'policy' } };
    expect((await update(body, { principal: keyWith('workspace:read') })).status).toBe(403);
    const refused = [
      { ...body, items: [] },
      { ...body, items: [{ itemId: item.id }, { itemId: item.id }] },
      { ...body, change: {} },
      { ...body, change: { title: 'all the same' } },
    ];
    for (const one of refused) expect((await update(one)).status).toBe(400);
  });
});

describe('the backfills of all goals', () => {
  it('are listed newest first, by state, from an index', async () => {
    const other = await service.newGoal(projectId, { name: 'Others' });
    for (const [goalId, endMs] of [
      [goal.id, 2],
      [other.id, 3],
    ] as const) {
      service.clock.advance(1);
      const path = `/goals/${goalId}/backfills`;
      const made = await service.call({ method: 'POST', projectId, path, body: { startMs: 1, endMs } });
      expect(made.status).toBe(202);
    }
    const list = async (query: string) =>
      (await service.call<{ backfills: KnowledgeBackfill[] }>({ projectId, path: `/backfills?${query}` })).body
        .backfills;
    const commands = await explainSent(service.database, async () => {
      expect((await list('')).map(({ goalId }) => goalId)).toEqual([other.id, goal.id]);
      expect((await list('state=scheduled')).map(({ endMs }) => endMs)).toEqual([3, 2]);
      expect(await list('state=failed')).toEqual([]);
    });
    const plans = commands.filter(({ plan }) => plan.startsWith('find backfills:')).map(({ plan }) => plan);
    expect(plans).toHaveLength(3);
    for (const plan of plans) expect(plan).not.toMatch(/COLLSCAN|SORT/);
  });
});
