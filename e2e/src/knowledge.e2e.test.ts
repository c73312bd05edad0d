import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { KnowledgeBackfill, KnowledgeItem, LearningGoal } from '@clew/contracts';
import { encodeConversation, eventually, toOtlpJson } from '@clew/testing';
import { allText, startProvider, type ChatRequest, type ScriptedProvider } from '@clew/testing/provider';
import { callApi } from './support/api.ts';
import {
  backfillIn,
  importTaught,
  itemsOf,
  newGoal,
  extractionModel,
  requestBackfill,
  unlockedQuotes,
} from './support/knowledge-model.ts';
import { createTestProject, type TestProject } from './support/test-project.ts';

const LONG = { timeoutMs: 45_000 };
const WINDOW = { startMs: 0, endMs: Date.now() + 86_400_000 };
const DELIVERIES = 'deliveries for Berlin 🚚 arrive on Tuesday';
const INVOICES = 'invoices above 500 euros are signed by Anna';
const INVENTED = 'the office closes at noon';
let provider: ScriptedProvider;
let asked: ChatRequest[];
/** Promise that delays every answer of the model. */
let thinking: Promise<void> | undefined;

beforeAll(async () => {
  const reply = extractionModel(
    (said) => [
      { content: said, quote: said },
      ...(said.includes('invent') ? [{ content: INVENTED, quote: INVENTED }] : []),
    ],
    async (request) => {
      asked.push(request);
      await thinking;
      return {};
    },
  );
  provider = await startProvider({ models: ['wise'], reply });
});

afterAll(() => provider.stop());

beforeEach(() => {
  asked = [];
  thinking = undefined;
});

async function addProvider(project: TestProject): Promise<void> {
  const { status } = await project.call('/models/providers', { body: { name: 'loop', baseUrl: provider.url } });
  expect(status).toBe(201);
}

async function projectWithReader(name: string): Promise<TestProject> {
  const project = await createTestProject(name);
  await addProvider(project);
  return project;
}

async function switchExtraction(project: TestProject, extractionEnabled: boolean): Promise<void> {
  const change = { method: 'PATCH', body: { extractionEnabled } };
  const { status, body } = await project.call('/knowledge/settings', change);
  expect({ status, body }).toEqual({ status: 200, body: { settings: { extractionEnabled } } });
}

async function send(project: TestProject, conversationId: string, ...taught: readonly string[]): Promise<void> {
  const messages = taught.flatMap((said) => [
    { role: 'user' as const, content: `Remember: ${said}` },
    { role: 'assistant' as const, content: 'I will.', finishReason: 'stop' as const },
  ]);
  const encoded = encodeConversation(
    { conversationId, agent: 'desk', model: 'gpt-4o-mini', messages },
    { dialect: 'genai', startMs: Date.now(), idSeed: `${project.id}:${conversationId}` },
  );
  const { status } = await callApi(project.apiKey, '/v1/traces', { body: toOtlpJson(encoded) });
  expect(status).toBe(200);
}

const itemThat = (project: TestProject, content: string): Promise<KnowledgeItem> =>
  eventually(async () => {
    const found = (await itemsOf(project)).find((item) => item.content === content);
    if (found === undefined) throw new Error(`no item says: ${content}`);
    return found;
  }, LONG);

const goalOf = async (project: TestProject, goalId: string) =>
  (await project.call<LearningGoal>(`/knowledge/goals/${goalId}`)).body;

describe('A project-wide switch turns automatic extraction on or off', () => {
  it('and extraction produces trace-backed items, which can be listed, read, reviewed and archived', async () => {
    const project = await projectWithReader('automatic');
    expect((await project.call('/knowledge/settings')).body).toEqual({ settings: { extractionEnabled: false } });
    const goalId = await newGoal(project);
    await switchExtraction(project, true);
    const before = Date.now();
    await send(project, 'chat-1', DELIVERIES, INVOICES);
    const item = await itemThat(project, DELIVERIES);
    const other = await itemThat(project, INVOICES);
    const { messages } = await project.readyConversation('chat-1');
    expect(item).toMatchObject({ goalId, status: 'active', sourceConversationId: 'chat-1', authority: 'user_stated' });
    expect(item.evidence).toEqual([
      expect.objectContaining({ quote: DELIVERIES, messageIndex: 0, traceId: item.sourceTraceId, isCurrent: true }),
    ]);
    expect(messages[0]?.traceId).toBe(item.sourceTraceId);
    expect([await unlockedQuotes(project, item), await unlockedQuotes(project, other)]).toEqual([[], []]);
    await expectFilters(project, item, before);
    await expectReviewAndArchive(project, item);
    // The repeated statement comes with a new one, whose item shows that the conversation was extracted.
    await send(project, 'chat-2', DELIVERIES, 'parcels are weighed by Bruno');
    await itemThat(project, 'parcels are weighed by Bruno');
    const same = (await itemsOf(project)).filter(({ content }) => content === DELIVERIES);
    expect(same).toMatchObject([{ id: item.id, status: 'archived' }]);
    expect((await goalOf(project, goalId)).counts).toEqual({ activeItems: 2, archivedItems: 1 });
  }, 180_000);

  it('off, nothing is read by itself; nor for a goal that is paused', async () => {
    const [off, paused] = [await projectWithReader('off'), await projectWithReader('paused')];
    await newGoal(off);
    const goalId = await newGoal(paused);
    await paused.call(`/knowledge/goals/${goalId}`, { method: 'PATCH', body: { status: 'paused' } });
    await newGoal(paused);
    await switchExtraction(paused, true);
    await send(off, 'chat-off', DELIVERIES);
    await send(paused, 'chat-paused', INVOICES);
    await off.readyConversation('chat-off');
    await itemThat(paused, INVOICES);
    expect(await itemsOf(paused, `&goalId=${goalId}`)).toEqual([]);
    expect(asked.filter((request) => allText(request).includes(DELIVERIES))).toEqual([]);
  }, 120_000);
});

async function expectFilters(project: TestProject, { id, goalId, sourceTraceId }: KnowledgeItem, before: number) {
  const has = async (query: string) => (await itemsOf(project, query)).some((item) => item.id === id);
  const own = [`&goalId=${goalId}`, '&status=active', `&sourceTraceId=${sourceTraceId}`, `&updatedAfter=${before}`];
  for (const query of own) expect([query, await has(query)]).toEqual([query, true]);
  const others = [
    `&goalId=goal_${'1'.repeat(26)}`,
    '&status=archived',
    `&sourceTraceId=${'f'.repeat(32)}`,
    `&updatedAfter=${Date.now() + 60_000}`,
  ];
  for (const query of others) expect([query, await has(query)]).toEqual([query, false]);
}

async function expectReviewAndArchive(project: TestProject, { id, content }: KnowledgeItem): Promise<void> {
  const path = `/knowledge/items/${id}`;
  const change = (body: object) => project.call<KnowledgeItem>(path, { method: 'PATCH', body });
  expect(await change({ title: 'When deliveries come' })).toMatchObject({
    status: 200,
    body: { id, title: 'When deliveries come', content, status: 'active' },
  });
  expect(await change({ status: 'archived' })).toMatchObject({ status: 200, body: { id, status: 'archived' } });
  expect(await project.call(path)).toMatchObject({ status: 200, body: { id, status: 'archived' } });
}

describe('A goal can also be backfilled over a past time window', () => {
  it('the same key for the same goal and window always yields the same backfillId; invented quotes are counted', async () => {
    const project = await projectWithReader('backfill');
    const goalId = await newGoal(project);
    await importTaught(project, { a: DELIVERIES, b: INVOICES, c: 'people invent names for their cats' });
    for (const id of ['a', 'b', 'c']) await project.readyConversation(id);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => requestBackfill(project, goalId, WINDOW, 'once')),
    );
    const [{ body: requested }] = answers as [(typeof answers)[number]];
    expect(requested).toEqual({
      backfillId: expect.stringMatching(/^kbfill_/),
      scheduled: true,
      maxConversations: 10_000,
    });
    for (const { status, body } of answers) expect({ status, body }).toEqual({ status: 202, body: requested });
    const { backfillId } = requested;
    const ended = await backfillIn(project, goalId, { backfillId, state: 'completed' }, LONG.timeoutMs);
    expect(ended).toMatchObject({
      ...{ conversationsSeen: 3, conversationsPending: 0, conversationsFailed: 0 },
      ...{ itemsCreated: 3, itemsMerged: 0, rejectedQuotes: 1, failureReason: null },
      rejected: { quote_not_found: 1 },
    });
    const items = await itemsOf(project, `&goalId=${goalId}`);
    expect(items.map(({ content }) => content).toSorted()).toEqual(
      [DELIVERIES, INVOICES, 'people invent names for their cats'].toSorted(),
    );
    for (const item of items) expect(await unlockedQuotes(project, item)).toEqual([]);
    const { body: list } = await project.call<{ backfills: KnowledgeBackfill[] }>(
      `/knowledge/goals/${goalId}/backfills`,
    );
    expect(list.backfills).toEqual([ended]);
    expect((await requestBackfill(project, goalId, WINDOW, 'once')).body).toEqual(requested);
    const another = await requestBackfill(project, goalId, { ...WINDOW, startMs: 1 }, 'once');
    expect(another.body.backfillId).not.toBe(backfillId);
    // Conversations that were extracted before are not extracted again.
    await backfillIn(project, goalId, { ...another.body, state: 'completed' }, LONG.timeoutMs);
    expect(asked).toHaveLength(3);
  }, 180_000);

  it('startMs must be smaller than endMs; maxConversations: maximum 100,000; an unknown goal is 404, an archived one 409', async () => {
    const project = await projectWithReader('refused');
    const goalId = await newGoal(project);
    for (const wrong of [{ endMs: 0 }, { maxConversations: 100_001 }, { maxConversations: 0 }]) {
      expect((await requestBackfill(project, goalId, { ...WINDOW, ...wrong })).status).toBe(400);
    }
    const bounded = await requestBackfill(project, goalId, { ...WINDOW, maxConversations: 100_000 });
    expect(bounded).toMatchObject({ status: 202, body: { maxConversations: 100_000 } });
    expect((await requestBackfill(project, `goal_${'1'.repeat(26)}`, WINDOW)).status).toBe(404);
    await project.call(`/knowledge/goals/${goalId}`, { method: 'PATCH', body: { status: 'archived' } });
    expect((await requestBackfill(project, goalId, WINDOW)).status).toBe(409);
  });

  it('and cancelled while its model thinks', async () => {
    const project = await projectWithReader('cancelled');
    const goalId = await newGoal(project);
    await importTaught(project, { a: DELIVERIES });
    await project.readyConversation('a');
    const { promise, resolve } = Promise.withResolvers<void>();
    thinking = promise;
    const { backfillId } = (await requestBackfill(project, goalId, WINDOW)).body;
    await eventually(() => expect(asked).toHaveLength(1), LONG);
    const cancel = () => project.call(`/knowledge/goals/${goalId}/backfills/${backfillId}/cancel`, { method: 'POST' });
    const first = await cancel();
    expect(first).toMatchObject({ status: 200, body: { backfillId, state: 'cancelled', itemsCreated: 0 } });
    expect((await cancel()).body).toEqual(first.body);
    resolve();
  }, 120_000);
});

it('only goals whose selected models are available are scheduled: the others say why, and catch up', async () => {
  const project = await createTestProject('away');
  const goalId = await newGoal(project, 'service/auto');
  await switchExtraction(project, true);
  expect((await goalOf(project, goalId)).blockedReason).toContain('is not available');
  expect((await requestBackfill(project, goalId, WINDOW)).status).toBe(409);
  await send(project, 'chat-missed', DELIVERIES);
  await project.readyConversation('chat-missed');
  expect(asked).toEqual([]);
  await addProvider(project);
  await itemThat(project, DELIVERIES);
  expect((await goalOf(project, goalId)).blockedReason).toBeNull();
}, 180_000);

it('a model that no provider of the project has is none for a goal', async () => {
  const project = await projectWithReader('unknown model');
  const body = { name: 'Facts', instruction: 'Learn', model: 'nowhere/wise' };
  expect((await project.call('/knowledge/goals', { body })).status).toBe(400);
});
