import { describe, expect, it } from '@jest/globals';
import type { Discovery, Finding, RequestedRuleBackfill, Rule, RuleBackfill } from '@clew/contracts';
import { encodeConversation, eventually, toOtlpJson, type ScriptedConversation } from '@clew/testing';
import { callApi } from './support/api.ts';
import { cleanConversation, failingToolConversation } from './support/conversations.ts';
import { createKey, createTestProject, type TestProject } from './support/test-project.ts';

const SETTLED = { timeoutMs: 30_000 };
const RULE_KEY = 'tool_error_unhandled';

async function tell(project: TestProject, script: ScriptedConversation): Promise<void> {
  const told = encodeConversation(script, { dialect: 'genai', startMs: Date.now(), idSeed: script.conversationId });
  expect((await callApi(project.apiKey, '/v1/traces', { body: toOtlpJson(told) })).status).toBe(200);
}

async function ruleOf(project: TestProject): Promise<Rule> {
  const { body } = await project.call<{ rules: Rule[] }>('/diagnostics/rules');
  const rule = body.rules.find(({ ruleKey }) => ruleKey === RULE_KEY);
  if (rule === undefined) throw new Error(`There is no Rule ${RULE_KEY}`);
  return rule;
}

function change(project: TestProject, { ruleId }: Pick<Rule, 'ruleId'>, body: unknown) {
  return project.call<Rule & { code?: string }>(`/diagnostics/rules/${ruleId}`, { method: 'PATCH', body });
}

function discover(project: TestProject, body: object = {}) {
  return project.call<Discovery & { code?: string }>('/diagnostics/findings/discover', { body });
}

async function switchScheduling(project: TestProject, automaticSchedulingEnabled: boolean): Promise<void> {
  const body = { automaticSchedulingEnabled };
  expect((await project.call('/diagnostics/settings', { method: 'PATCH', body })).status).toBe(200);
}

function requestBackfill(project: TestProject, { ruleId }: Rule, fields: object = {}, key?: string) {
  const window = { startMs: Date.now() - 86_400_000, endMs: Date.now() + 86_400_000 };
  return project.call<RequestedRuleBackfill & { code?: string }>(`/diagnostics/rules/${ruleId}/backfill-requests`, {
    body: { ...window, ...fields },
    ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
  });
}

async function endedBackfill(project: TestProject, { ruleId }: Rule, backfillId: string): Promise<RuleBackfill> {
  return await eventually(async () => {
    const path = `/diagnostics/rules/${ruleId}/backfill-requests/${backfillId}`;
    const { body } = await project.call<RuleBackfill>(path);
    if (body.endedAt === null) throw new Error(`The backfill is ${body.state}`);
    return body;
  }, SETTLED);
}

describe('"List built-in Rules with configuration", "One Rule"', () => {
  it('every Rule has a rule_ id, a stable key, a switch, each field of its configuration, and its signals', async () => {
    const project = await createTestProject('rules');
    const { status, body } = await project.call<{ rules: Rule[]; nextCursor: null }>('/diagnostics/rules');
    expect({ status, nextCursor: body.nextCursor }).toEqual({ status: 200, nextCursor: null });
    expect(body.rules.length).toBeGreaterThan(0);
    for (const rule of body.rules) {
      expect(rule.ruleId).toMatch(/^rule_/);
      expect(rule).toMatchObject({ ruleKey: expect.stringMatching(/^[a-z_]+$/), enabled: true });
      expect(Object.keys(rule.configuration).toSorted()).toEqual([
        ...['adjudicationMode', 'adjudicationModel', 'keywords', 'minDiagnosticConfidence'],
        ...['minSignalScore', 'signalOverrides'],
      ]);
      expect(rule.signals[0]).toMatchObject({
        ...{ name: expect.any(String), description: expect.any(String) },
        ...{ defaultSeverity: expect.any(String), weight: expect.any(Number) },
      });
      expect((await project.call(`/diagnostics/rules/${rule.ruleId}`)).body).toEqual(rule);
    }
  });

  it('"404 DIAGNOSTIC_RULE_NOT_FOUND: Rule is missing", also for what is no id', async () => {
    const project = await createTestProject('missing rules');
    const missing = { status: 404, body: { code: 'DIAGNOSTIC_RULE_NOT_FOUND' } };
    for (const ruleId of [`rule_${'0'.repeat(26)}`, 'rule_x', '17', RULE_KEY]) {
      expect(await project.call(`/diagnostics/rules/${ruleId}`)).toMatchObject(missing);
      expect(await change(project, { ruleId }, { enabled: false })).toMatchObject(missing);
      const body = { startMs: 1, endMs: 2 };
      expect(await project.call(`/diagnostics/rules/${ruleId}/backfill-requests`, { body })).toMatchObject(missing);
    }
  });

  it('"Findings reads: diagnostics:read", "Findings mutations: diagnostics:write"', async () => {
    const project = await createTestProject('scopes of rules');
    const { ruleId } = await ruleOf(project);
    const { secret } = await createKey(project.id, { name: 'reader', scopes: ['diagnostics:read'] });
    const path = `/v1/projects/${project.id}/diagnostics`;
    expect((await callApi(secret, `${path}/rules`)).status).toBe(200);
    const refused = [
      callApi(secret, `${path}/rules/${ruleId}`, { method: 'PATCH', body: { enabled: false } }),
      callApi(secret, `${path}/rules/${ruleId}/backfill-requests`, { body: { startMs: 1, endMs: 2 } }),
      callApi(secret, `${path}/findings/discover`, { body: {} }),
    ];
    for (const answer of refused) expect((await answer).status).toBe(403);
  });
});

describe('"Body is either {enabled: boolean} or {configuration: {...}}"', () => {
  it('a Rule that is off is in no Analysis Run, and finds nothing; Findings that it has made stay', async () => {
    const project = await createTestProject('off');
    const rule = await ruleOf(project);
    await tell(project, failingToolConversation('before'));
    const before = await eventually(async () => {
      const own = ofRule(await project.findings());
      expect(own).toHaveLength(1);
      return own;
    }, SETTLED);
    expect(await change(project, rule, { enabled: false })).toMatchObject({ status: 200, body: { enabled: false } });
    expect((await discover(project, { conversationId: 'before' })).body.outcome).toBe('findings_found');
    await tell(project, failingToolConversation('after'));
    const { lastActivityAt } = await project.readyConversation('after');
    const { body: rules } = await project.call<{ rules: Rule[] }>('/diagnostics/rules');
    const body = { conversationId: 'after', lastActivityAt };
    const { body: runs } = await project.call<{ enabledRules: number }>('/diagnostics/analysis-runs', { body });
    // Without this Rule, and without reviews, for which the project has no model.
    expect(runs.enabledRules).toBe(rules.rules.length - 2);
    expect((await discover(project, { conversationId: 'after' })).body.findings.map(ruleKeyOf)).not.toContain(RULE_KEY);
    expect(ofRule(await project.findings())).toEqual(before);
  });

  it('takes each field of the configuration, keeps those that are absent, and null removes an override', async () => {
    const project = await createTestProject('configuration');
    const rule = await ruleOf(project);
    const [signal] = rule.signals;
    const override = { enabled: false, severity: 'critical' };
    const configuration = {
      ...{ keywords: ['kaputt'], minSignalScore: 0.75, minDiagnosticConfidence: 0.25 },
      ...{ adjudicationMode: 'deterministic-only', adjudicationModel: 'openai/gpt-4o-mini' },
      signalOverrides: { [signal!.name]: override },
    };
    expect((await change(project, rule, { configuration })).body.configuration).toEqual(configuration);
    const merged = await change(project, rule, { configuration: { minSignalScore: 0.5 } });
    expect(merged.body.configuration).toEqual({ ...configuration, minSignalScore: 0.5 });
    const removed = await change(project, rule, {
      configuration: { adjudicationModel: null, signalOverrides: { [signal!.name]: null } },
    });
    expect(removed.body.configuration).toMatchObject({ adjudicationModel: null, signalOverrides: {} });
    expect((await ruleOf(project)).configuration).toEqual(removed.body.configuration);
  });

  it.each([
    ['both', { enabled: true, configuration: { minSignalScore: 0.1 } }],
    ['neither', {}],
    ['an unknown signal', { configuration: { signalOverrides: { nothing: { enabled: true, severity: 'low' } } } }],
    ['an unknown field', { configuration: { threshold: 1 } }],
    ['a score out of range', { configuration: { minSignalScore: 2 } }],
    ['another adjudication mode', { configuration: { adjudicationMode: 'always' } }],
    ['what is no severity', { configuration: { signalOverrides: { error_not_mentioned: { severity: 'worst' } } } }],
  ])('%s: 400', async (_name, body) => {
    const project = await createTestProject('refused configuration');
    const rule = await ruleOf(project);
    expect(await change(project, rule, body)).toMatchObject({ status: 400, body: { error: 'Bad Request' } });
    expect(await ruleOf(project)).toEqual(rule);
  });
});

describe('"Queue a time-window backfill"', () => {
  it('runs while scheduling is off; after a changed configuration its results take the place of the earlier ones', async () => {
    const project = await createTestProject('backfill');
    await switchScheduling(project, false);
    for (const id of ['one', 'two']) await tell(project, failingToolConversation(id));
    await tell(project, cleanConversation('clean'));
    for (const id of ['one', 'two', 'clean']) await project.readyConversation(id);
    const rule = await ruleOf(project);
    const requested = await requestBackfill(project, rule);
    expect(requested).toMatchObject({
      status: 202,
      body: { backfillId: expect.stringMatching(/^rbfill_/), scheduled: true, maxConversations: 10_000 },
    });
    const ended = await endedBackfill(project, rule, requested.body.backfillId);
    expect(ended).toMatchObject({ state: 'completed', conversationsSeen: 3, runsQueued: 3 });
    const [first] = await eventually(async () => {
      const findings = await project.findings();
      expect(findings.map(({ occurrenceCount }) => occurrenceCount)).toEqual([2]);
      return findings;
    }, SETTLED);
    const signalOverrides = Object.fromEntries(rule.signals.map(({ name }) => [name, { severity: 'info' }]));
    await change(project, rule, { configuration: { signalOverrides } });
    await requestBackfill(project, rule);
    await eventually(async () => {
      const [finding, ...others] = await project.findings();
      expect(others).toEqual([]);
      expect(finding).toMatchObject({ id: first!.id, severity: 'info', occurrenceCount: 2 });
    }, SETTLED);
    await change(project, rule, { configuration: { minSignalScore: 1 } });
    await requestBackfill(project, rule);
    await eventually(async () => expect(await project.findings()).toEqual([]), SETTLED);
  });

  it('"Optional Idempotency-Key header prevents duplicate backfills for the same rule and window"', async () => {
    const project = await createTestProject('backfill keys');
    const rule = await ruleOf(project);
    const window = { startMs: 1_000, endMs: 2_000 };
    const first = await requestBackfill(project, rule, window, 'monday');
    const again = await requestBackfill(project, rule, window, 'monday');
    expect([first.status, again.status]).toEqual([202, 202]);
    expect(again.body.backfillId).toBe(first.body.backfillId);
    const other = await requestBackfill(project, rule, { startMs: 1_000, endMs: 3_000 }, 'monday');
    expect(other.body.backfillId).not.toBe(first.body.backfillId);
  });

  it.each([
    ['"startMs must be smaller than endMs"', { startMs: 5, endMs: 5 }],
    ['"maximum 100,000"', { maxConversations: 100_001 }],
    ['no conversations', { maxConversations: 0 }],
  ])('%s: else 400', async (_name, fields) => {
    const project = await createTestProject('refused backfill');
    expect(await requestBackfill(project, await ruleOf(project), fields)).toMatchObject({ status: 400 });
  });
});

describe('"Discover: synchronous, not a backfill"', () => {
  it('"analyses the latest snapshot of one conversation and returns {conversationId, outcome, findings}"', async () => {
    const project = await createTestProject('discover');
    await switchScheduling(project, false);
    await tell(project, failingToolConversation('bad'));
    await project.readyConversation('bad');
    const { status, body } = await discover(project);
    expect({ status, ...body }).toEqual({
      ...{ status: 200, conversationId: 'bad', outcome: 'findings_found', findings: expect.any(Array) },
    });
    expect(ofRule(body.findings)).toHaveLength(1);
    const listed = await project.findings();
    expect(listed.toSorted(byId)).toEqual(body.findings.toSorted(byId));
    const { lastActivityAt } = await project.readyConversation('bad');
    const run = { body: { conversationId: 'bad', lastActivityAt } };
    expect((await project.call('/diagnostics/analysis-runs', run)).body).toMatchObject({ runsCreated: 0 });
    await tell(project, cleanConversation('good'));
    await project.readyConversation('good');
    expect(await discover(project, { conversationId: 'good' })).toMatchObject({
      body: { conversationId: 'good', outcome: 'no_findings', findings: [] },
    });
  });

  it('"404 DISCOVERY_CONVERSATION_NOT_FOUND: No recent conversation for discovery"', async () => {
    const project = await createTestProject('nothing to discover');
    const missing = { status: 404, body: { code: 'DISCOVERY_CONVERSATION_NOT_FOUND' } };
    expect(await discover(project)).toMatchObject(missing);
    expect(await discover(project, { conversationId: 'nobody' })).toMatchObject(missing);
  });

  it('"409 DISCOVERY_CONVERSATION_NOT_READY: Latest conversation is not ready for analysis"', async () => {
    const project = await createTestProject('too early');
    await tell(project, failingToolConversation('just now'));
    await eventually(
      async () =>
        expect(await discover(project)).toMatchObject({
          status: 409,
          body: { code: 'DISCOVERY_CONVERSATION_NOT_READY' },
        }),
      { timeoutMs: 10_000, intervalMs: 20 },
    );
  });
});

function ruleKeyOf({ metadata }: Finding): string {
  return metadata.diagnosticRule.ruleKey;
}

function ofRule(findings: readonly Finding[]): Finding[] {
  return findings.filter((finding) => ruleKeyOf(finding) === RULE_KEY);
}

function byId(one: Finding, other: Finding): number {
  return one.id < other.id ? -1 : 1;
}
