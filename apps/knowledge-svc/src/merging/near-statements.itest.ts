import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { NearItem } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { explainSent, monitored, useTestEnvironment } from '@clew/testing';
import { createItemStore, type StoredItem } from '../items/index.ts';
import { itemWith } from '../test-support/items.ts';
import { startTestService, type TestService } from '../test-support/service.ts';
import { TRACE_ID } from '../test-support/warehouse.ts';
import { createNearStatements, likenessOf } from './index.ts';

const environment = useTestEnvironment();
let service: TestService;

beforeAll(async () => {
  service = await startTestService(environment, { mongoUrl: monitored(environment.mongoUrl) });
});

afterAll(() => service.stop());

async function stored(
  projectId: string,
  goalId: string,
  content: string,
  { vector, ...more }: Partial<StoredItem> & { vector?: Parameters<typeof likenessOf>[1] } = {},
) {
  const place = { traceId: TRACE_ID, spanId: 'b'.repeat(16), messageIndex: 0 };
  const item = itemWith({
    ...{ projectId, goalId, title: content, content, saidAt: 7 },
    evidence: [
      { ...place, conversationId: 'c', quote: content, startChar: 0, endChar: content.length, isCurrent: true },
    ],
    ...more,
  });
  const author = { kind: 'extraction' as const, id: 'acme/best' };
  await service.database.withTransaction((tx) =>
    createItemStore(service.database).save(tx, item, author, likenessOf(content, vector)),
  );
  return item;
}

function near(projectId: string, goalId: string, contents: readonly string[]) {
  return service.call<{ near: NearItem[][] }>({
    ...{ method: 'POST', projectId, path: `//internal/v1/projects/${projectId}/knowledge/goals/${goalId}/near-items` },
    body: { statements: contents.map((content) => ({ content })) },
    principal: { kind: 'service', id: 'jobs-worker' },
  });
}

it('finds the active items of the goal that share words with a statement, the nearest first, and no others', async () => {
  const projectId = newId('prj');
  const porto = await stored(projectId, 'goal', 'Anna Kowalska lives in Porto with her sister');
  const sister = await stored(projectId, 'goal', 'The sister of Anna Kowalska works as a nurse');
  await stored(projectId, 'goal', 'Refunds take five days');
  await stored(projectId, 'goal', 'Anna Kowalska lived in Braga with her sister', { status: 'archived' });
  await stored(projectId, 'another goal', 'Anna Kowalska lives in Faro with her sister');
  await stored(newId('prj'), 'goal', 'Anna Kowalska lives in Evora with her sister');
  const { status, body } = await near(projectId, 'goal', ['Anna Kowalska lives in Lisbon now', 'Nothing like it']);
  expect(status).toBe(200);
  expect(body.near).toEqual([
    [
      { itemId: porto.id, revision: 1, content: porto.content, authority: 'user_stated', saidAt: 7 },
      { itemId: sister.id, revision: 1, content: sister.content, authority: 'user_stated', saidAt: 7 },
    ],
    [],
  ]);
});

it('finds what means about the same by vectors of one model, without a word in common', async () => {
  const projectId = newId('prj');
  const values = Float32Array.from({ length: 64 }, (_, index) => Math.sin(index + 1));
  const far = values.map((value, index) => (index % 2 === 0 ? value : -value));
  const alike = await stored(projectId, 'goal', 'Sie wohnt jetzt anderswo', { vector: { model: 'm', values } });
  await stored(projectId, 'goal', 'Ganz etwas anderes', { vector: { model: 'm', values: far } });
  await stored(projectId, 'goal', 'Noch etwas', { vector: { model: 'another', values } });
  const embedding = { model: 'm', vector: Buffer.from(values.buffer).toString('base64') };
  const statements = [{ content: 'Anna has moved', embedding }];
  const [found] = await createNearStatements(service.database)(projectId, 'goal', statements);
  expect(found?.map(({ itemId }) => itemId)).toEqual([alike.id]);
});

it('reads a bounded number of items by indexes alone, however many share the words', async () => {
  const projectId = newId('prj');
  for (let index = 0; index < 120; index += 1)
    await stored(projectId, 'goal', `The northern warehouse number ${index} opens at ${index} on Mondays`);
  const nearStatements = createNearStatements(service.database);
  const statements = [{ content: 'The northern warehouse opens later on Mondays' }];
  const explained = await explainSent(service.database, () => nearStatements(projectId, 'goal', statements));
  const read = explained.reduce((sum, { stats }) => sum + stats.totalDocsExamined, 0);
  expect(read).toBeLessThanOrEqual(300);
  expect((await nearStatements(projectId, 'goal', statements))[0]).toHaveLength(8);
});

it('is answered to workers alone', async () => {
  const projectId = newId('prj');
  const path = `//internal/v1/projects/${projectId}/knowledge/goals/goal/near-items`;
  const body = { statements: [{ content: 'x' }] };
  const { status } = await service.call({
    ...{ method: 'POST', projectId, path, body, principal: { kind: 'service', id: 'datasets-svc' } },
  });
  expect(status).toBe(404);
});

it('finds what is about the same subject, however few of its words are the same', async () => {
  const projectId = newId('prj');
  const subject = { kind: 'person' as const, name: 'Nadia Petrova', userId: null };
  const phone = await stored(projectId, 'goal', 'Ring her up for whatever is needed, any day', { subject });
  await stored(projectId, 'goal', 'Ring her up for whatever is needed, any day of spring', {
    subject: { ...subject, name: 'Nadia Smith' },
  });
  const { body } = await service.call<{ near: NearItem[][] }>({
    ...{ method: 'POST', projectId, path: `//internal/v1/projects/${projectId}/knowledge/goals/goal/near-items` },
    body: { statements: [{ content: 'Write emails instead', subject: 'nadia petrova' }] },
    principal: { kind: 'service', id: 'jobs-worker' },
  });
  expect(body.near).toMatchObject([[{ itemId: phone.id }]]);
});
