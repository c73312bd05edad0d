import { expect } from '@jest/globals';
import { encodeConversation, eventually, toOtlpJson } from '@clew/testing';
import { allText, capableModel, startProvider, type ScriptedProvider } from '@clew/testing/provider';
import { callApi } from './api.ts';
import { failingToolConversation } from './conversations.ts';
import { measureFairness, type Fairness } from './fairness.ts';
import { backfillIn, importTaught, newGoal, readingModel, requestBackfill } from './knowledge-model.ts';
import { createTestProject, type TestProject } from './test-project.ts';

/** How much of it there is. */
export interface ModelFairnessOptions {
  /** Conversations that the one project has a provider read, or judge, that never answers. */
  attacking: number;
  /** Acts of the other project, without and with that. */
  samples: number;
}

const WINDOW = { startMs: 0, endMs: Date.now() + 86_400_000 };
const ACT_TIMEOUT_MS = 120_000;
/** Calls that hang before the other project is measured: a whole share of places. */
const HANGING = 8;
/** Below it one slow poll is a ratio of any size. */
const NOISE_MS = 15_000;

/** The other project feels no more than twice its usual. */
export function expectFair(name: string, fairness: Fairness): void {
  process.stdout.write(`${JSON.stringify({ name, ...fairness })}\n`);
  expect(fairness.attackedP95Ms).toBeLessThanOrEqual(Math.max(2 * fairness.usualP95Ms, NOISE_MS));
}

/** A project whose provider answers all that models are looked at with, and hangs in what it is asked for then. */
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
  return { project, hang, stop: () => provider.stop() };
}

async function projectWith(provider: ScriptedProvider, name: string): Promise<TestProject> {
  const project = await createTestProject(name);
  const { status } = await project.call('/models/providers', { body: { name: 'loop', baseUrl: provider.url } });
  expect(status).toBe(201);
  return project;
}

/** One project reads a conversation for a new goal, beside another's backfill of what is never answered. */
export async function fairnessOfExtraction({ attacking, samples }: ModelFairnessOptions): Promise<Fairness> {
  const provider = await startProvider({ models: ['wise'], reply: readingModel() });
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

/** One project has what a Rule finds judged, beside another's Findings that are never judged. */
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
