import { describe, expect, it } from '@jest/globals';
import type { RequestedRuleBackfill, Rule, RuleBackfill } from '@clew/contracts';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@clew/testing';
import { callApi } from './support/api.ts';
import { killAndAwaitRecovery, type Victim } from './support/chaos.ts';
import { withMongo } from './support/database.ts';
import { createTestProject, type TestProject } from './support/test-project.ts';

/** Conversations to backfill: 10,000 in the long tier, with up to 12 kills. */
const CONVERSATION_COUNT = Number(process.env['CLEW_BACKFILL_CONVERSATIONS'] ?? 150);
/** Every n-th conversation shows the problem. */
const EVERY = 3;
const IMPORT_SIZE = 1_000;
const MAX_BACKFILL_MS = 60_000;
const MAX_KILLS = Number(process.env['CLEW_BACKFILL_KILLS'] ?? 3);
const MAX_PAUSE_MS = 2_000;
const TIMEOUT_MS = 900_000;
const SETTLE = { timeoutMs: 400_000, intervalMs: 500 };

const VICTIMS: Victim[] = ['diagnostics-svc', 'jobs-worker', 'telemetry-warehouse'].map((name) => ({
  kind: 'app' as const,
  name,
}));

describe(`a backfill of ${CONVERSATION_COUNT} conversations`, () => {
  it(
    'finds each occurrence once, in time, and also where processes are killed under it',
    async () => {
      const project = await createTestProject('rule backfill');
      const body = { automaticSchedulingEnabled: false };
      await project.call('/diagnostics/settings', { method: 'PATCH', body });
      await importConversations(project);
      await allReady(project);
      const rule = await correctionRule(project);
      const undisturbedMs = await backfill(project, rule);
      await expectEachOnce(project, 1);
      expect(undisturbedMs).toBeLessThan(MAX_BACKFILL_MS);
      await project.call(`/diagnostics/rules/${rule.ruleId}`, {
        method: 'PATCH',
        body: { configuration: { minSignalScore: 0.125 } },
      });
      const underWay = backfill(project, rule);
      const kills = await killUntilEnded(underWay);
      const disturbedMs = await underWay;
      await expectEachOnce(project, 2);
      const figures = { conversations: CONVERSATION_COUNT, undisturbedMs, disturbedMs, kills };
      process.stdout.write(`${JSON.stringify(figures)}\n`);
    },
    TIMEOUT_MS,
  );
});

/** Kills the victims in turn while the backfill runs, each at least once; returns the number of kills. */
async function killUntilEnded(underWay: Promise<unknown>): Promise<number> {
  let hasEnded = false;
  void underWay.catch(() => undefined).finally(() => (hasEnded = true));
  let kills = 0;
  while (kills < VICTIMS.length || (!hasEnded && kills < MAX_KILLS)) {
    await killAndAwaitRecovery(VICTIMS[kills % VICTIMS.length]!);
    kills += 1;
    await sleep(Math.random() * MAX_PAUSE_MS);
  }
  return kills;
}

async function importConversations(project: TestProject): Promise<void> {
  for (let first = 0; first < CONVERSATION_COUNT; first += IMPORT_SIZE) {
    const count = Math.min(IMPORT_SIZE, CONVERSATION_COUNT - first);
    const lines = Array.from({ length: count }, (_, index) => conversationLine(first + index)).join('\n');
    const path = `/v1/projects/${project.id}/conversations/import`;
    const answer = await callApi<{ imported: number }>(project.apiKey, path, {
      body: lines,
      headers: { 'content-type': 'application/x-ndjson' },
    });
    expect(answer).toMatchObject({ status: 200, body: { imported: count } });
  }
}

function conversationLine(index: number): string {
  const reply = index % EVERY === 0 ? "No, that's wrong. I meant the order of last week." : 'Thank you, that is all.';
  return JSON.stringify({
    id: `chat-${index}`,
    messages: [
      { role: 'user', content: `Which day is delivery ${index}?` },
      { role: 'assistant', content: 'Your delivery is on Tuesday.' },
      { role: 'user', content: reply },
      { role: 'assistant', content: 'I understand.' },
    ],
  });
}

async function correctionRule(project: TestProject): Promise<Rule> {
  const { body } = await project.call<{ rules: Rule[] }>('/diagnostics/rules');
  return body.rules.find(({ ruleKey }) => ruleKey === 'user_correction')!;
}

async function allReady(project: TestProject): Promise<void> {
  await withMongo(async (connection) => {
    const conversations = connection.useDb('clew_telemetry').collection('conversations');
    await eventually(async () => {
      const filter = { projectId: project.id, readyThroughMs: { $gte: 0 } };
      expect(await conversations.countDocuments(filter)).toBe(CONVERSATION_COUNT);
    }, SETTLE);
  });
}

/** Runs a backfill to the end of its last run; returns the duration in milliseconds. */
async function backfill(project: TestProject, { ruleId }: Rule): Promise<number> {
  const startedAt = Date.now();
  const path = `/diagnostics/rules/${ruleId}/backfill-requests`;
  const body = { startMs: 0, endMs: Date.now() + 86_400_000, maxConversations: 100_000 };
  const headers = { 'idempotency-key': `${startedAt}` };
  const requested = await eventually(async () => {
    const answer = await project.call<RequestedRuleBackfill>(path, { body, headers });
    expect(answer.status).toBe(202);
    return answer.body;
  }, SETTLE);
  await eventually(
    async () => {
      const { body: read } = await project.call<RuleBackfill>(`${path}/${requested.backfillId}`);
      expect(read).toMatchObject({ state: 'completed', runsQueued: CONVERSATION_COUNT });
    },
    { ...SETTLE, intervalMs: 200 },
  );
  await withMongo(async (connection) => {
    const analyses = connection.useDb('clew_diagnostics').collection('analyses');
    await eventually(
      async () => expect(await analyses.countDocuments({ projectId: project.id, endedAt: null })).toBe(0),
      { ...SETTLE, intervalMs: 200 },
    );
  });
  return Date.now() - startedAt;
}

/**
 * Verifies that every conversation was analyzed once per revision, that every run succeeded, and that each problem has
 * one occurrence.
 */
async function expectEachOnce(project: TestProject, revisions: number): Promise<void> {
  const failing = Math.ceil(CONVERSATION_COUNT / EVERY);
  await withMongo(async (connection) => {
    const database = connection.useDb('clew_diagnostics');
    const analyses = await database.collection('analyses').find({ projectId: project.id }).toArray();
    expect(analyses).toHaveLength(CONVERSATION_COUNT);
    expect(new Set(analyses.map(({ rules }) => String(rules).split(' ').length))).toEqual(new Set([revisions]));
    expect(analyses.filter(({ failed, skipped }) => failed !== undefined || skipped !== undefined)).toEqual([]);
    const occurrences = await database.collection('occurrences').find({ projectId: project.id }).toArray();
    expect(new Set(occurrences.map(({ conversationId }) => String(conversationId))).size).toBe(failing);
    expect(occurrences).toHaveLength(failing);
    const findings = await project.findings();
    expect(findings.reduce((sum, { occurrenceCount }) => sum + occurrenceCount, 0)).toBe(failing);
  });
}
