import type { Example, LearningGoal } from '@clew/contracts';
import { toOtlpJson } from '@clew/testing';
import { callApi } from './api.ts';
import { importedExample, type Wave } from './chaos-inputs.ts';
import { inBatches } from './crash-load.ts';
import { manualExample } from './datasets.ts';
import { sendUntilAcknowledged, type Acknowledged } from './persistent-sender.ts';
import type { TestProject } from './test-project.ts';
import { untilAnswered } from './until-answered.ts';

export interface ChaosTargets {
  project: TestProject;
  /** Path of the Dataset that receives the Examples, below the project. */
  datasetPath: string;
  goalId: string;
}

/** Acknowledgements of the waves sent so far. */
export interface Sent {
  acknowledged: Acknowledged;
  /** Conversations that were sent once and acknowledged. */
  acknowledgedStrays: Set<string>;
}

/** Longer than any outage and the backlog it leaves. */
const PATIENCE_MS = 300_000;
const LINES_TYPE = { 'content-type': 'application/x-ndjson' };

/** Sends a wave like a client that repeats unanswered requests with the same key. */
export async function sendWave(targets: ChaosTargets, wave: Wave, number: number, sent: Sent): Promise<void> {
  await Promise.all([
    sendSpans(targets.project, wave, sent),
    importConversations(targets.project, wave),
    addExamples(targets, wave, number),
    patchExample(targets, wave, number),
    patchGoal(targets),
  ]);
  await addScore(targets.project, wave);
}

async function sendSpans({ apiKey }: TestProject, { traced, stray }: Wave, sent: Sent): Promise<void> {
  const spans = traced.flatMap((conversation) => conversation.spans);
  const once = callApi(apiKey, '/v1/traces', { body: toOtlpJson({ spans: stray.spans, logs: [] }) }).then(
    ({ status }) => status === 200 && sent.acknowledgedStrays.add(stray.conversationId),
    () => false,
  );
  await Promise.all([once, sendUntilAcknowledged(apiKey, inBatches(spans), sent.acknowledged)]);
}

async function importConversations({ id, apiKey }: TestProject, { imported }: Wave): Promise<void> {
  const body = imported.map(({ line }) => line).join('\n');
  const path = `/v1/projects/${id}/conversations/import`;
  await untilAnswered(() => callApi<unknown>(apiKey, path, { body, headers: LINES_TYPE }), 200, PATIENCE_MS);
}

async function addExamples({ project, datasetPath }: ChaosTargets, wave: Wave, number: number): Promise<void> {
  const batch = { examples: wave.batch.map((text) => manualExample(text)) };
  const lines = wave.lines.map(([key, text]) => JSON.stringify(importedExample(key, text))).join('\n');
  const headersOf = (what: string) => ({ 'idempotency-key': `${what}-${number}` });
  await Promise.all([
    untilAnswered(
      () => project.call<unknown>(`${datasetPath}/examples/batch`, { body: batch, headers: headersOf('batch') }),
      ...([201, PATIENCE_MS] as const),
    ),
    untilAnswered(
      () =>
        project.call<unknown>(`${datasetPath}/imports?format=jsonl&onConflict=skip`, {
          body: lines,
          headers: { ...LINES_TYPE, ...headersOf('import') },
        }),
      ...([200, PATIENCE_MS] as const),
    ),
  ]);
}

async function patchExample({ project, datasetPath }: ChaosTargets, wave: Wave, number: number): Promise<void> {
  const headers = { 'idempotency-key': `patched-${number}` };
  const create = () => project.call<Example>(`${datasetPath}/examples`, { body: manualExample(wave.patched), headers });
  const { body } = await untilAnswered(create, 201, PATIENCE_MS);
  const request = { method: 'PATCH', body: { tags: ['patched'] } };
  await untilAnswered(
    () => project.call<unknown>(`${datasetPath}/examples/${body.id}`, request),
    ...([200, PATIENCE_MS] as const),
  );
}

async function patchGoal({ project, goalId }: ChaosTargets): Promise<void> {
  const request = { method: 'PATCH', body: { instruction: LAST_INSTRUCTION } };
  await untilAnswered(
    () => project.call<LearningGoal>(`/knowledge/goals/${goalId}`, request),
    ...([200, PATIENCE_MS] as const),
  );
}

/**
 * Instruction in every PATCH of the goal: it is always the same, so that repeated and concurrent requests have the same
 * result.
 */
export const LAST_INSTRUCTION = 'Learn what users ask to be remembered';

/** Adds a score, which is possible once the conversation is readable. */
async function addScore(project: TestProject, { imported: [judged] }: Wave): Promise<void> {
  const id = judged?.conversationId ?? '';
  const request = {
    body: { name: 'helpful', value: true, source: 'user' },
    headers: { 'idempotency-key': `score-${id}` },
  };
  await untilAnswered(
    () => project.call<unknown>(`/conversations/${id}/scores`, request),
    ...([201, PATIENCE_MS] as const),
  );
}
