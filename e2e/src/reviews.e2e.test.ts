import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ConversationDiagnosis, FailureRate, Finding, Review, ReviewDay } from '@clew/contracts';
import { encodeConversation, eventually, toOtlpJson } from '@clew/testing';
import { allText, capableModel, startProvider, type Reply, type ScriptedProvider } from '@clew/testing/provider';
import { callApi } from './support/api.ts';
import { killAndAwaitRecovery } from './support/chaos.ts';
import { failingToolConversation } from './support/conversations.ts';
import { shortenTransactions, usualTransactions } from './support/database.ts';
import { createTestProject, type TestProject } from './support/test-project.ts';

const LONG = { timeoutMs: 50_000 };
const SAID = 'Your order has been cancelled.';
let provider: ScriptedProvider;
let reviews: string[];

/** Model that finds a claim without a deed in each conversation about an order, and confirms it when asked again. */
const reader: Reply = (request) => {
  const text = allText(request);
  if (text.includes('Be sceptical'))
    return {
      text: JSON.stringify({ problems: [{ problem: 1, against: '', because: 'The tool had failed', holds: 'yes' }] }),
    };
  reviews.push(text);
  const problem = {
    ...{ messageIndex: 4, category: 'claim_without_deed', severity: 'high', kind: 'claims a cancellation that failed' },
    sentence: 'The assistant says that the order was cancelled, although the tool had failed.',
    title: 'Customers are told that an order was cancelled although the tool failed',
    quotes: [{ messageIndex: 4, quote: SAID }],
  };
  const answer = { account: 'The tool failed.', wanted: 'To cancel an order', problems: [problem], decisiveMessage: 4 };
  return { text: JSON.stringify({ ...answer, verdict: 'failed', failureProbability: 0.95 }) };
};

beforeAll(async () => {
  reviews = [];
  provider = await startProvider({ models: ['wise'], reply: capableModel(reader) });
  await shortenTransactions();
});

afterAll(async () => {
  await usualTransactions();
  await provider.stop();
});

async function readingProject(name: string): Promise<TestProject> {
  const project = await createTestProject(name);
  const created = await project.call('/models/providers', { body: { name: 'loop', baseUrl: provider.url } });
  expect(created.status).toBe(201);
  const body = { reviewMode: 'all', reviewModel: 'loop/wise' };
  expect((await project.call('/diagnostics/settings', { method: 'PATCH', body })).status).toBe(200);
  // A plan of reviews that was known before holds for a while, and a Rule's judge is not what is tested here.
  const { body: listed } = await project.call<{ rules: { ruleId: string }[] }>('/diagnostics/rules');
  const configuration = { adjudicationMode: 'deterministic-only' };
  for (const { ruleId } of listed.rules)
    await project.call(`/diagnostics/rules/${ruleId}`, { method: 'PATCH', body: { configuration } });
  return project;
}

async function tell(project: TestProject, conversationId: string): Promise<void> {
  const script = failingToolConversation(conversationId);
  const startMs = Date.now() - 60_000;
  const encoded = encodeConversation(script, { dialect: 'genai', startMs, idSeed: `${project.id}:${conversationId}` });
  expect((await callApi(project.apiKey, '/v1/traces', { body: toOtlpJson(encoded) })).status).toBe(200);
}

async function reviewsOnce(project: TestProject, count: number): Promise<Review[]> {
  return await eventually(async () => {
    const { body } = await project.call<{ reviews: Review[] }>('/diagnostics/reviews');
    expect(body.reviews).toHaveLength(count);
    return body.reviews;
  }, LONG);
}

const reviewed = (findings: readonly Finding[]) =>
  findings.filter(({ confidenceSource }) => confidenceSource.kind === 'review');

it('a conversation is read, and what the reader quotes is a Finding, a score and a failure rate', async () => {
  const project = await readingProject('reviews');
  await tell(project, 'order-1');
  await tell(project, 'order-2');
  const made = await reviewsOnce(project, 2);
  expect(made[0]).toMatchObject({ verdict: 'failed', problemCount: 1, droppedCount: 0, model: 'loop/wise', calls: 2 });
  const [finding, ...others] = reviewed(await project.findings());
  expect(others).toEqual([]);
  expect(finding).toMatchObject({ severity: 'high', occurrenceCount: 2, evidence: expect.any(Array) });
  expect(finding!.confidenceSource).toMatchObject({ kind: 'review', secondLook: 'confirmed' });
  const { body: diagnosis } = await project.call<ConversationDiagnosis>('/diagnostics/conversations/order-1');
  expect(diagnosis).toMatchObject({
    ...{ score: 0.95, scoreSource: { kind: 'review', verdict: 'failed' } },
    suspects: [{ stepIndex: 4, quotes: [{ quote: SAID }] }],
  });
  const window = `startMs=0&endMs=${Date.now()}`;
  const { body: rate } = await project.call<FailureRate>(
    `/diagnostics/failure-rate?startMs=${Date.now() - 3_600_000}&endMs=${Date.now()}`,
  );
  expect(rate).toMatchObject({ rate: 1, high: 1, reviewed: 2, of: 2 });
  expect((await project.call(`/diagnostics/failure-rate?${window}`)).status).toBe(400);
  const { body: days } = await project.call<{ days: ReviewDay[] }>('/diagnostics/review-days');
  expect(days.days[0]).toMatchObject({ ready: 2, reviewed: 2, calls: 4 });
});

it('a worker and an owner that are killed lose no review, and count none twice', async () => {
  const project = await readingProject('reviews-killed');
  const names = Array.from({ length: 6 }, (_, index) => `order-k${index}`);
  await Promise.all(names.map((name) => tell(project, name)));
  await eventually(() => expect(reviews.some((text) => text.includes('order-k'))).toBe(true), LONG);
  await killAndAwaitRecovery({ kind: 'app', name: 'jobs-worker' });
  await killAndAwaitRecovery({ kind: 'app', name: 'diagnostics-svc' });
  const made = await reviewsOnce(project, names.length);
  expect(new Set(made.map(({ conversationId }) => conversationId))).toEqual(new Set(names));
  const [finding] = reviewed(await project.findings());
  expect(finding).toMatchObject({ occurrenceCount: names.length });
});
