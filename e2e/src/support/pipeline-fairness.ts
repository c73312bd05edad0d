import type { Rule } from '@clew/contracts';
import { encodeConversation, eventually, toOtlpJson, type ScriptedConversation } from '@clew/testing';
import { callApi } from './api.ts';
import { cleanConversation, failingToolConversation } from './conversations.ts';
import { measureFairness, type Fairness } from './fairness.ts';
import { createTestProject, type TestProject } from './test-project.ts';

/** Size of the load. */
export interface PipelineFairnessOptions {
  /** Conversations that the flooding project sends at once. */
  flooding: number;
  /** Conversations of the measured project, once without and once with the flood. */
  samples: number;
}

const TOLD_TOGETHER = 100;
const ACT_TIMEOUT_MS = 240_000;
const WINDOW = { startMs: 0, endMs: Date.now() + 86_400_000 };
const ALL = { maxConversations: 100_000 };

/** Sends a failing conversation and waits until its Finding is visible. */
async function findIn(project: TestProject, conversationId: string): Promise<void> {
  await tell(project, [failingToolConversation(conversationId)]);
  const path = `/diagnostics/conversations/${conversationId}`;
  await eventually(
    async () => {
      const { status, body } = await project.call<{ findings?: unknown[] }>(path);
      if (status !== 200 || body.findings?.length !== 1)
        throw new Error(`${conversationId} is not analysed (${status})`);
    },
    { timeoutMs: ACT_TIMEOUT_MS },
  );
}

async function tell(project: TestProject, scripts: readonly ScriptedConversation[]): Promise<void> {
  const encoded = scripts.map((script) =>
    encodeConversation(script, {
      ...{ dialect: 'genai', startMs: Date.now() - 60_000, idSeed: `${project.id}:${script.conversationId}` },
    }),
  );
  const spans = encoded.flatMap((each) => each.spans);
  const logs = encoded.flatMap((each) => each.logs);
  const { status } = await callApi(project.apiKey, '/v1/traces', { body: toOtlpJson({ spans, logs }) });
  if (status !== 200) throw new Error(`Spans were not taken: ${status}`);
}

async function flood(project: TestProject, count: number, name: string): Promise<void> {
  for (let start = 0; start < count; start += TOLD_TOGETHER) {
    const ids = Array.from(
      { length: Math.min(TOLD_TOGETHER, count - start) },
      (_, index) => `${name}-${start + index}`,
    );
    await tell(project, ids.map(cleanConversation));
  }
}

/** Measures the wait for Findings in one project, beside another project that sends very many conversations at once. */
export async function fairnessOfIngest({ flooding, samples }: PipelineFairnessOptions): Promise<Fairness> {
  const [project, flooded] = [await createTestProject('is analysed'), await createTestProject('floods')];
  let told = 0;
  return await measureFairness({
    samples,
    act: () => findIn(project, `order-${(told += 1)}`),
    async attack() {
      await flood(flooded, flooding, 'flood');
      return async () => undefined;
    },
  });
}

/** Measures the wait for Findings in one project, beside Rule backfills over all conversations of another project. */
export async function fairnessOfRuleBackfills({ flooding, samples }: PipelineFairnessOptions): Promise<Fairness> {
  const [project, flooded] = [await createTestProject('is analysed'), await createTestProject('fills back')];
  await flooded.call('/diagnostics/settings', { method: 'PATCH', body: { automaticSchedulingEnabled: false } });
  await flood(flooded, flooding, 'flood');
  await flooded.readyConversation(`flood-${flooding - 1}`);
  let told = 0;
  return await measureFairness({
    samples,
    act: () => findIn(project, `order-${(told += 1)}`),
    async attack() {
      const { body } = await flooded.call<{ rules: Rule[] }>('/diagnostics/rules');
      // Backfills every Rule once over all conversations; a Rule that is off refuses the request.
      for (const { ruleId } of body.rules) {
        await flooded.call(`/diagnostics/rules/${ruleId}/backfill-requests`, { body: { ...WINDOW, ...ALL } });
      }
      return async () => undefined;
    },
  });
}
