import { expect } from '@jest/globals';
import { encodeConversation, eventually, toOtlpJson } from '@clew/testing';
import { allText, capableModel, startProvider, type ScriptedProvider } from '@clew/testing/provider';
import { callApi } from './api.ts';
import { failingToolConversation } from './conversations.ts';
import { measureFairness, type Fairness } from './fairness.ts';
import { backfillIn, importTaught, newGoal, extractionModel, requestBackfill } from './knowledge-model.ts';
import { queuedMessages } from './queues.ts';
import { createTestProject, deleteProject, type TestProject } from './test-project.ts';

/** Size of the load. */
export interface ModelFairnessOptions {
  /** Conversations of the attacking project, whose provider never answers extractions or judgements. */
  attacking: number;
  /** Acts of the measured project, once without and once with the attack. */
  samples: number;
}

const WINDOW = { startMs: 0, endMs: Date.now() + 86_400_000 };
const ACT_TIMEOUT_MS = 120_000;
/** Hanging calls to wait for before the measurement: they fill one project's whole share of model calls. */
const HANGING = 8;
/** Time, in milliseconds, below which the ratio says nothing: one slow poll would dominate it. */
const NOISE_MS = 15_000;

/** Expects that the attack at most doubles the usual time of the measured project. */
export function expectFair(name: string, fairness: Fairness): void {
  process.stdout.write(`${JSON.stringify({ name, ...fairness })}\n`);
  expect(fairness.attackedP95Ms).toBeLessThanOrEqual(Math.max(2 * fairness.usualP95Ms, NOISE_MS));
}

/**
 * Project whose provider passes the capability probes, and never answers the requests that `isAsked` selects. At its
 * end it is deleted, and no work of it is left in a queue.
 */
async function hangingProject(isAsked: (text: string) => boolean) {
  const provider = await startProvider({
    models: ['wise'],
    reply: capableModel((request) => (isAsked(allText(request)) ? { silent: true } : { text: '{"verdicts":[]}' })),
  });
  const project = await projectWith(provider, 'never answers');
  const hang = () =>
    eventually(
      () => {
        const hanging = provider.requests.filter(({ bytes }) => isAsked(bytes.toString()));
        expect(hanging.length).toBeGreaterThanOrEqual(HANGING);
      },
      { timeoutMs: ACT_TIMEOUT_MS },
    );
  const stop = async () => {
    await provider.stop();
    await deleteProject(project);
    await eventually(async () => expect(await queuedMessages()).toEqual({}), { timeoutMs: ACT_TIMEOUT_MS });
  };
  return { project, hang, stop };
}

async function projectWith(provider: ScriptedProvider, name: string): Promise<TestProject> {
  const project = await createTestProject(name);
  const { status } = await project.call('/models/providers', { body: { name: 'loop', baseUrl: provider.url } });
  expect(status).toBe(201);
  return project;
}

/** Measures extraction for a new goal in one project, beside another project's backfill that is never answered. */
export async function fairnessOfExtraction({ attacking, samples }: ModelFairnessOptions): Promise<Fairness> {
  const provider = await startProvider({ models: ['wise'], reply: extractionModel() });
  const attacker = await hangingProject((text) => text.includes('You collect what a team can learn'));
  try {
    const project = await projectWith(provider, 'answers');
    await teach(project, 1);
    await teach(attacker.project, attacking);
    const goalId = await newGoal(attacker.project);
    return await measureFairness({
      samples,
      async act() {
        const own = await newGoal(project);
        const { status, body } = await requestBackfill(project, own, WINDOW);
        expect(status).toBe(202);
        await backfillIn(project, own, { ...body, state: 'completed' }, ACT_TIMEOUT_MS);
      },
      async attack() {
        const { body } = await requestBackfill(attacker.project, goalId, WINDOW);
        await attacker.hang();
        const path = `/knowledge/goals/${goalId}/backfills/${body.backfillId}`;
        const { body: waiting } = await attacker.project.call<{ waiting?: object }>(path);
        expect(waiting.waiting).toMatchObject({ reason: 'places', position: expect.any(Number) });
        return async () => {
          await attacker.project.call(`${path}/cancel`, { method: 'POST' });
        };
      },
    });
  } finally {
    await Promise.all([provider.stop(), attacker.stop()]);
  }
}

async function teach(project: TestProject, count: number): Promise<void> {
  const taught = Array.from({ length: count }, (_, index) => [`chat-${index}`, `The word of day ${index} is kept.`]);
  await importTaught(project, Object.fromEntries(taught) as Record<string, string>);
  await project.readyConversation(`chat-${count - 1}`);
}

/** Measures the adjudication of one project's Findings, beside another project's Findings that are never judged. */
export async function fairnessOfAdjudication({ attacking, samples }: ModelFairnessOptions): Promise<Fairness> {
  const confirmed = { candidate: 1, verdict: 'confirmed', because: 'It failed' };
  const quotes = [{ messageIndex: 3, quote: 'Error: 503 from billing' }];
  const verdicts = JSON.stringify({ verdicts: [{ ...confirmed, quotes }] });
  const provider = await startProvider({ models: ['wise'], reply: capableModel(() => ({ text: verdicts })) });
  const attacker = await hangingProject((text) => text.includes('billing'));
  let told = 0;
  try {
    const project = await projectWith(provider, 'is judged');
    return await measureFairness({
      samples,
      async act() {
        const conversationId = `order-${(told += 1)}`;
        await tell(project, conversationId);
        const isAsked = () => provider.requests.some(({ bytes }) => bytes.includes(conversationId));
        await eventually(() => expect(isAsked()).toBe(true), { timeoutMs: ACT_TIMEOUT_MS });
      },
      async attack() {
        for (let index = 0; index < attacking; index += 1) await tell(attacker.project, `hanging-${index}`);
        await attacker.hang();
        return async () => undefined;
      },
    });
  } finally {
    await Promise.all([provider.stop(), attacker.stop()]);
  }
}

async function tell(project: TestProject, conversationId: string): Promise<void> {
  const encoded = encodeConversation(failingToolConversation(conversationId), {
    ...{ dialect: 'genai', startMs: Date.now() - 60_000, idSeed: `${project.id}:${conversationId}` },
  });
  const { status } = await callApi(project.apiKey, '/v1/traces', { body: toOtlpJson(encoded) });
  expect(status).toBe(200);
}
