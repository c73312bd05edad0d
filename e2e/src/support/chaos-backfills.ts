import { expect } from '@jest/globals';
import type { RequestedKnowledgeBackfill, RequestedRuleBackfill, Rule, RuleBackfill } from '@clew/contracts';
import { eventually } from '@clew/testing';
import { callApi } from './api.ts';
import { withMongo } from './database.ts';
import { backfillIn, itemsOf, newGoal, wordsOf } from './knowledge-model.ts';
import { createTestProject, type TestProject } from './test-project.ts';
import { untilAnswered } from './until-answered.ts';

const SETTLE = { timeoutMs: 900_000, intervalMs: 500 };
/** Every n-th conversation shows the problem that the Rule finds. */
const PROBLEM_EVERY = 3;
const WINDOW = { startMs: 0, endMs: Date.UTC(2100, 0, 1), maxConversations: 100_000 };

/** Project whose conversations exist already and are processed by backfills. */
export interface BackfillProject {
  project: TestProject;
  count: number;
  goalId: string;
  rule: Rule;
}

export async function prepareBackfills(providerUrl: string, count: number): Promise<BackfillProject> {
  const project = await createTestProject('chaos backfills');
  await project.call('/diagnostics/settings', { method: 'PATCH', body: { automaticSchedulingEnabled: false } });
  const made = await project.call('/models/providers', { body: { name: 'loop', baseUrl: providerUrl } });
  expect(made.status).toBe(201);
  const { status } = await callApi(project.apiKey, `/v1/projects/${project.id}/conversations/import`, {
    body: Array.from({ length: count }, (_, index) => lineOf(index)).join('\n'),
    headers: { 'content-type': 'application/x-ndjson' },
  });
  expect(status).toBe(200);
  await withMongo(async (connection) => {
    const conversations = connection.useDb('clew_telemetry').collection('conversations');
    const filter = { projectId: project.id, readyThroughMs: { $gte: 0 } };
    await eventually(async () => expect(await conversations.countDocuments(filter)).toBe(count), SETTLE);
  });
  const { body } = await project.call<{ rules: Rule[] }>('/diagnostics/rules');
  const rule = body.rules.find(({ ruleKey }) => ruleKey === 'user_correction');
  if (rule === undefined) throw new Error('There is no such Rule');
  return { project, count, goalId: await newGoal(project), rule };
}

const idOf = (index: number) => `backfilled-${index}`;

function lineOf(index: number): string {
  const reply =
    index % PROBLEM_EVERY === 0 ? "No, that's wrong. I meant the order of last week." : 'Thank you, that is all.';
  const messages = [
    { role: 'user', content: `Remember: ${wordsOf(idOf(index))}` },
    { role: 'assistant', content: 'Your delivery is on Tuesday.' },
    { role: 'user', content: reply },
    { role: 'assistant', content: 'I understand.' },
  ];
  return JSON.stringify({ id: idOf(index), messages });
}

/** Runs both backfills and, at their end, compares their results with the imported conversations. */
export async function runBackfills({ project, count, goalId, rule }: BackfillProject): Promise<void> {
  await Promise.all([runOfGoal(project, goalId, count), runOfRule(project, rule, count)]);
}

async function runOfGoal(project: TestProject, goalId: string, count: number): Promise<void> {
  const request = { body: WINDOW, headers: { 'idempotency-key': 'of the goal' } };
  const path = `/knowledge/goals/${goalId}/backfills`;
  const { body } = await untilAnswered(
    () => project.call<RequestedKnowledgeBackfill>(path, request),
    ...([202, SETTLE.timeoutMs] as const),
  );
  const ended = await backfillIn(project, goalId, { ...body, state: 'completed' }, SETTLE.timeoutMs);
  expect(ended).toMatchObject({
    ...{ conversationsSeen: count, conversationsPending: 0, conversationsFailed: 0 },
    ...{ itemsCreated: count, itemsMerged: 0, rejectedQuotes: 0 },
  });
  const items = await eventually(() => itemsOf(project), SETTLE);
  const statements = Array.from({ length: count }, (_, index) => wordsOf(idOf(index)));
  expect(items.map(({ content }) => content).toSorted()).toEqual(statements.toSorted());
}

async function runOfRule(project: TestProject, { ruleId }: Rule, count: number): Promise<void> {
  const path = `/diagnostics/rules/${ruleId}/backfill-requests`;
  const request = { body: WINDOW, headers: { 'idempotency-key': 'of the rule' } };
  const { body } = await untilAnswered(
    () => project.call<RequestedRuleBackfill>(path, request),
    ...([202, SETTLE.timeoutMs] as const),
  );
  await eventually(async () => {
    const { body: read } = await project.call<RuleBackfill>(`${path}/${body.backfillId}`);
    expect(read).toMatchObject({ state: 'completed', runsQueued: count });
  }, SETTLE);
  const failing = Array.from({ length: count }, (_, index) => index)
    .filter((index) => index % PROBLEM_EVERY === 0)
    .map(idOf);
  await eventually(
    () =>
      withMongo(async (connection) => {
        const database = connection.useDb('clew_diagnostics');
        const analyses = await database.collection('analyses').find({ projectId: project.id }).toArray();
        expect(analyses).toHaveLength(count);
        expect(analyses.filter(({ endedAt, failed }) => endedAt === null || failed !== undefined)).toEqual([]);
        const occurrences = await database.collection('occurrences').find({ projectId: project.id }).toArray();
        expect(occurrences.map(({ conversationId }) => String(conversationId)).toSorted()).toEqual(failing.toSorted());
      }),
    SETTLE,
  );
}
