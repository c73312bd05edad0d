import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Dataset, Erasure, Example } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { eraseLettersOf, QUEUES, sweepDeadLetters } from '@clew/messaging';
import { encodeConversation, eventually, toOtlpJson, type ScriptedConversation } from '@clew/testing';
import { startProvider, type ScriptedProvider } from '@clew/testing/provider';
import { callApi } from './support/api.ts';
import { failingToolConversation } from './support/conversations.ts';
import { itemsOf, newGoal, extractionModel } from './support/knowledge-model.ts';
import { bury, queuedMessages, withBroker } from './support/queues.ts';
import { createTestProject, type TestProject } from './support/test-project.ts';
import { whereAre } from './support/whereabouts.ts';

const GONE = 'order-quagga';
const KEPT = 'order-18';
/** Words of the erased conversation; only its id stays, in the receipt. */
const WORDS = ['order-quagga.', 'quagga is a zebra'];
const LONG = { timeoutMs: 60_000 };
let provider: ScriptedProvider;

beforeAll(async () => {
  provider = await startProvider({ models: ['wise'], reply: extractionModel() });
});

afterAll(() => provider.stop());

it('the erasure of a conversation leaves no word of it in any database, file or queue, and what shares its trace and Finding whole', async () => {
  const project = await createTestProject('erasure');
  const told = sharedTrace();
  await learn(project);
  await tell(project, told);
  const before = await project.readyConversation(KEPT);
  const datasetPath = await exampleOf(project, GONE);
  await eventually(async () => {
    const [first] = await project.findings();
    if (first?.occurrenceCount !== 2) throw new Error('not both conversations were analysed yet');
  }, LONG);
  await eventually(async () => expect(await itemsOf(project)).toMatchObject([{ sourceConversationId: GONE }]), LONG);
  await buryLetters(project.id);
  await eventually(async () => expect(await queuedMessages()).toEqual({}), LONG);
  expect(await whereWordsStand()).toEqual(expect.arrayContaining(WHERE_WORDS_STAND));

  const asked = await project.call<{ erasureId: string }>(`/conversations/${GONE}`, { method: 'DELETE' });
  expect(asked.status).toBe(202);
  expect((await project.call(`/conversations/${GONE}`, { method: 'DELETE' })).body).toEqual(asked.body);
  const receipt = await eventually(async () => {
    const { body } = await callApi<Erasure>(project.apiKey, asked.headers.get('location') ?? '');
    if (body.status !== 'completed') throw new Error('the erasure still runs');
    return body;
  }, LONG);
  expect(receipt).toMatchObject({
    ...{ id: asked.body.erasureId, conversationId: GONE },
    services: {
      telemetry: { conversations: 1, deadLetters: 1 },
      diagnostics: { occurrences: 1, deadLetters: 2 },
      datasets: { examples: 1, revisions: 1, replies: 1 },
      knowledge: { items: 1, evidence: 1, extractions: 1, deadLetters: 1 },
    },
  });
  expect(await itemsOf(project)).toEqual([]);
  expect(await queuedMessages()).toEqual({});
  expect(await whereWordsStand()).toEqual([]);
  // The dead letters of the other conversation are still in their queues.
  expect(await takeLettersOf(project.id, KEPT)).toBe(2);

  await tell(project, told);
  await tell(project, encoded(failingToolConversation('order-19')));
  await project.readyConversation('order-19');
  expect((await project.call(`/conversations/${GONE}`)).status).toBe(404);
  expect(await whereWordsStand()).toEqual([]);
  const { messages, contentHash } = await project.readyConversation(KEPT);
  expect({ messages, contentHash }).toEqual({ messages: before.messages, contentHash: before.contentHash });
  const [finding] = await project.findings();
  expect(finding?.evidenceWindow.conversationIds).toContain(KEPT);
  expect((await project.call<Dataset>(datasetPath)).body.exampleCount).toBe(1);
  const other = await createTestProject('another');
  expect((await other.call(`/erasures/${asked.body.erasureId}`)).status).toBe(404);
}, 600_000);

/** Spans with current times: extraction does not run on older conversations by itself. */
const encoded = (told: ScriptedConversation) =>
  encodeConversation(told, { dialect: 'genai', startMs: Date.now(), idSeed: told.conversationId });

/** Two conversations with their own ids in one trace and one request; one of them also teaches something. */
function sharedTrace() {
  const failing = failingToolConversation(GONE);
  const taught = [
    { role: 'user' as const, content: `Remember: a ${WORDS[1]}` },
    { role: 'assistant' as const, content: 'I will.', finishReason: 'stop' as const },
  ];
  const [gone, kept] = [{ ...failing, messages: [...failing.messages, ...taught] }, failingToolConversation(KEPT)].map(
    encoded,
  );
  const traceId = gone!.spans[0]!.traceId;
  const spans = [...gone!.spans, ...kept!.spans].map((span) => ({ ...span, traceId }));
  return { spans, logs: [] };
}

async function tell(project: TestProject, told: Parameters<typeof toOtlpJson>[0]): Promise<void> {
  const { status } = await callApi(project.apiKey, '/v1/traces', { body: toOtlpJson(told) });
  expect(status).toBe(200);
}

/** Creates a goal and enables extraction. */
async function learn(project: TestProject): Promise<void> {
  const added = await project.call('/models/providers', { body: { name: 'loop', baseUrl: provider.url } });
  expect(added.status).toBe(201);
  await newGoal(project);
  const change = { method: 'PATCH', body: { extractionEnabled: true } };
  expect((await project.call('/knowledge/settings', change)).status).toBe(200);
}

async function whereWordsStand(): Promise<string[]> {
  return Object.values(await whereAre(...WORDS)).flat();
}

/** Places, among others, that hold the words before the erasure. */
const WHERE_WORDS_STAND = [
  ...['clew_telemetry.fragment_contents', 'clew_telemetry.snapshots', 'clew_telemetry.conversations'],
  ...['clew_knowledge.items', 'clew_knowledge.item_revisions'],
  ...['clew_datasets.examples', 'clew_datasets.example_revisions', 'clew_datasets.idempotency_replies'],
  ...['jobs-worker.adjudication.v1.dead', 'diagnostics-svc.analysis-results.v1.dead'],
  ...['knowledge-svc.extraction-results.v1.dead', 'telemetry-warehouse.spans-received.v1.dead'],
];

/** Dead letters of several services that hold its words; two of them concern the other conversation, too or only. */
async function buryLetters(projectId: string): Promise<void> {
  const said = { conversationId: GONE, words: WORDS[0] };
  await bury(QUEUES.adjudication, projectId, { ...said, candidates: [WORDS[1]] });
  await bury(QUEUES.adjudication, projectId, { conversationId: KEPT });
  await bury(QUEUES.analysisResults, projectId, { conversations: [said, { conversationId: KEPT }] });
  await bury(QUEUES.extractionResults, projectId, { ...said, outcome: WORDS });
  await bury(QUEUES.spansReceived, projectId, { unreadable: [said] });
}

/** Removes dead letters, also from queues that nothing else empties; returns how many it removed. */
function takeLettersOf(projectId: string, conversationId: string): Promise<number> {
  const queues = [QUEUES.adjudication, QUEUES.analysisResults];
  return withBroker((broker) => sweepDeadLetters(broker, queues, eraseLettersOf({ projectId, conversationId })));
}

/**
 * Creates two Examples from a conversation: one still holds its text, the other one only in an earlier revision.
 * Returns the path of their Dataset.
 */
async function exampleOf(project: TestProject, conversationId: string): Promise<string> {
  const settings = { name: 'erased', schema: { type: 'chat', version: 1 } };
  const { body } = await project.call<Dataset>('/datasets', { body: settings });
  const examples = `/datasets/${body.id}/examples`;
  const source = { kind: 'manual', externalRef: 'x', conversationId };
  const payload = { input: { type: 'text', text: `Please cancel order ${conversationId}.` } };
  const headers = { 'idempotency-key': newId('req') };
  const current = await project.call<Example>(examples, { body: { source, payload }, headers });
  const former = await project.call<Example>(examples, { body: { source: { ...source, externalRef: 'y' }, payload } });
  expect([current.status, former.status]).toEqual([201, 201]);
  const own = { source: { kind: 'manual', externalRef: 'z' }, payload: { input: { type: 'text', text: 'own' } } };
  const changed = await project.call(`${examples}/${former.body.id}`, { method: 'PATCH', body: own });
  expect(changed.status).toBe(200);
  return `/datasets/${body.id}`;
}
