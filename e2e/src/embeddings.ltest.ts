import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '@clew/testing';
import type { LoopbackHub } from '@clew/testing/hub';
import { startProvider, type ScriptedProvider } from '@clew/testing/provider';
import {
  backfillIn,
  importTaught,
  itemsOf,
  newGoal,
  extractionModel,
  requestBackfill,
} from './support/knowledge-model.ts';
import { minilmRepo } from './support/minilm/minilm.ts';
import { startModelHub } from './support/model-hub.ts';
import { modelRuntimeOf } from './support/model-runtime.ts';
import { createTestProject, type TestProject } from './support/test-project.ts';

const MINUTE = 60_000;
const MODEL = 'all-minilm-l6-v2';
const QUESTION = 'How do I reset my password?';
const SAME = 'I forgot my login secret and want a new one';
const OTHER = 'The weather is sunny in Paris today';

/** Statements that users teach: the second repeats the first in other words. */
const TAUGHT = {
  deliveries: 'Deliveries to the north take a week',
  'deliveries again': 'Delivery to the north takes one week',
  secret: SAME,
  weather: OTHER,
};
/** Query that has no word in common with the sentence it must find. */
const PARAPHRASE = 'reset password';

let hub: LoopbackHub;
let provider: ScriptedProvider;
let project: TestProject;

beforeAll(async () => {
  hub = await startModelHub([await minilmRepo()]);
  provider = await startProvider({ models: ['wise'], reply: extractionModel() });
  project = await createTestProject('embeddings');
}, 10 * MINUTE);

afterAll(async () => {
  await provider.stop();
  await hub.stop();
});

/** Installs engine and model from scratch, and returns once the service is ready. */
async function bringUp(): Promise<string> {
  const runtime = modelRuntimeOf(project);
  await project.call('/models/engines/llama.cpp/installations', { method: 'POST' });
  await runtime.untilEngine('llama.cpp', 'ready', 5 * MINUTE);
  const profile = `/models/${MODEL}/profiles/${await runtime.profileOf(MODEL)}`;
  expect((await project.call(`${profile}/downloads`, { method: 'POST' })).status).toBe(202);
  await runtime.untilDownload(MODEL, 'completed', 2 * MINUTE);
  expect([200, 202]).toContain((await project.call(`${profile}/service`, { method: 'PUT' })).status);
  await runtime.untilService(MODEL, 'ready', MINUTE);
  return profile;
}

function cosine(left: readonly number[], right: readonly number[]): number {
  const product = (a: readonly number[], b: readonly number[]) =>
    a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
  return product(left, right) / Math.sqrt(product(left, left) * product(right, right));
}

it(
  'a real embedding model of the catalogue is fetched from the hub, served, and tells the same from something else',
  async () => {
    const profile = await bringUp();
    const input = [QUESTION, SAME, OTHER];
    const answer = await project.call<{ data: { embedding: number[] }[] }>(`${profile}/trials`, {
      body: {
        path: '/v1/embeddings',
        contentType: 'application/json',
        body: { model: `self/${MODEL}`, input },
      },
    });
    expect(answer.status).toBe(200);
    const [question, same, other] = answer.body.data.map(({ embedding }) => embedding);
    expect(question).toHaveLength(384);
    expect(cosine(question!, same!)).toBeGreaterThan(0.5);
    expect(cosine(question!, other!)).toBeLessThan(0.1);

    const available = (purpose: string) =>
      project.call(`/models/availability?model=self/${MODEL}&purpose=${purpose}`).then(({ body }) => body);
    const capabilities = { chat: false, embeddings: true };
    expect(await available('general')).toMatchObject({ available: false, reason: 'no_chat', capabilities });
    expect(await available('embedding')).toMatchObject({ available: true, reason: null, capabilities });
    process.stdout.write(`${JSON.stringify({ same: cosine(question!, same!), other: cosine(question!, other!) })}\n`);
  },
  15 * MINUTE,
);

/** Statements that a backfill learns from the taught conversations. */
async function learnt(by: TestProject): Promise<string[]> {
  const made = await by.call('/models/providers', { body: { name: 'loop', baseUrl: provider.url } });
  expect(made.status).toBe(201);
  await importTaught(by, TAUGHT);
  for (const id of Object.keys(TAUGHT)) await by.readyConversation(id);
  const goalId = await newGoal(by);
  const { body } = await requestBackfill(by, goalId, { startMs: 0, endMs: Date.now() + 86_400_000 });
  await backfillIn(by, goalId, { backfillId: body.backfillId, state: 'completed' }, 2 * MINUTE);
  return (await itemsOf(by)).map(({ content }) => content).toSorted();
}

it(
  'a search without a common word finds an item by it, and a paraphrase is merged; without it, neither is so',
  async () => {
    const search = async (by: TestProject) =>
      (await itemsOf(by, `&q=${encodeURIComponent(PARAPHRASE)}`)).map(({ content }) => content);
    const withoutModel = await createTestProject('words alone');
    expect(await learnt(withoutModel)).toEqual(Object.values(TAUGHT).toSorted());
    expect(await search(withoutModel)).toEqual([]);

    const statements = await learnt(project);
    expect(statements).toHaveLength(3);
    expect(statements).toEqual(expect.arrayContaining([SAME, OTHER]));
    await eventually(async () => expect(await search(project)).toEqual([SAME]), {
      timeoutMs: MINUTE,
      intervalMs: 2_000,
    });
  },
  10 * MINUTE,
);
