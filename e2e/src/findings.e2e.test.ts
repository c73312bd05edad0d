import { describe, expect, it } from '@jest/globals';
import type { ConversationDiagnosis, ConversationSummary, Finding } from '@clew/contracts';
import { encodeConversation, eventually, toOtlpJson } from '@clew/testing';
import { callApi } from './support/api.ts';
import { cleanConversation, failingToolConversation } from './support/conversations.ts';
import { createTestProject, type TestProject } from './support/test-project.ts';

describe('Findings from conversations', () => {
  it('conversations that share a problem become one Finding, with exact quotes, without any further call', async () => {
    const project = await createTestProject('findings');
    await tell(project, failingToolConversation('order-17'));
    await tell(project, failingToolConversation('order-18'));
    await tell(project, cleanConversation('clean'));
    const finding = await eventually(
      async () => {
        const [first] = await project.findings();
        if (first?.occurrenceCount !== 2) throw new Error('not both conversations were analysed yet');
        return first;
      },
      { timeoutMs: 30_000 },
    );
    expect(finding).toMatchObject({ severity: 'medium', reviewStatus: 'unreviewed', workItem: null });
    expect(finding.evidenceWindow.conversationIds.toSorted()).toEqual(['order-17', 'order-18']);
    expect(finding.metadata.diagnosticRule.ruleKey).toBe('tool_error_unhandled');
    await expectExactQuotes(project, finding);
    // The warehouse learns the counts from an event.
    await eventually(async () => {
      const { body } = await project.call<{ conversations: ConversationSummary[] }>('/conversations?hasFinding=true');
      expect(body.conversations.map(({ id }) => id).toSorted()).toEqual(['order-17', 'order-18']);
    });
    // Read alone, it may also tell that a model is still to be asked.
    const { body } = await project.call<Finding>(`/diagnostics/findings/${finding.id}`);
    const { adjudicationWaiting: _, ...read } = body;
    expect(read).toEqual(finding);
    const [failed, clean] = await Promise.all(['order-17', 'clean'].map((id) => diagnosisOf(project, id)));
    expect(failed).toMatchObject({ conversationId: 'order-17', suspects: [{ agent: 'order-desk' }, {}] });
    expect(failed?.symptoms.map(({ findingId }) => findingId)).toEqual([finding.id]);
    expect(failed?.findings.map(({ id }) => id)).toEqual([finding.id]);
    expect(Number(failed?.score)).toBeGreaterThan(Number(clean?.score));
  });

  it('where automatic scheduling is off, only a requested Analysis Run finds, and asking again runs nothing', async () => {
    const project = await createTestProject('on request');
    const off = await project.call('/diagnostics/settings', {
      method: 'PATCH',
      body: { automaticSchedulingEnabled: false },
    });
    expect(off).toMatchObject({ status: 200, body: { settings: { automaticSchedulingEnabled: false } } });
    await tell(project, failingToolConversation('order-19'));
    const { lastActivityAt } = await project.readyConversation('order-19');
    const request = { body: { conversationId: 'order-19', lastActivityAt, traceIds: [7, null] } };
    const first = await project.call<{ enabledRules: number; runsCreated: number }>(
      '/diagnostics/analysis-runs',
      request,
    );
    expect(first.status).toBe(202);
    expect(first.body.runsCreated).toBe(first.body.enabledRules);
    expect((await project.call('/diagnostics/analysis-runs', request)).body).toMatchObject({ runsCreated: 0 });
    await eventually(async () => expect(await project.findings()).toHaveLength(1), { timeoutMs: 30_000 });
  });

  it('an Analysis Run of an unknown conversation is 404 CONVERSATION_NOT_FOUND', async () => {
    const project = await createTestProject('unknown conversation');
    const body = { conversationId: 'nobody', lastActivityAt: Date.now() };
    expect(await project.call('/diagnostics/analysis-runs', { body })).toMatchObject({
      status: 404,
      body: { code: 'CONVERSATION_NOT_FOUND' },
    });
  });

  it.each([
    'severity=bad',
    'reviewStatus=open',
    'resolutionStatus=none',
    'minDiagnosticScore=2',
    'cursor=abc',
    'lastDetectedAfter=20&lastDetectedBefore=10',
    'lastDetectedAfter=10&lastDetectedBefore=10',
  ])('the filter %s is 400 INVALID_FILTER', async (query) => {
    const project = await createTestProject('filters');
    expect(await project.call(`/diagnostics/findings?${query}`)).toMatchObject({
      status: 400,
      body: { error: 'Bad Request', code: 'INVALID_FILTER' },
    });
  });
});

async function diagnosisOf(project: TestProject, conversationId: string): Promise<ConversationDiagnosis> {
  return await eventually(async () => {
    const { status, body } = await project.call<ConversationDiagnosis>(`/diagnostics/conversations/${conversationId}`);
    expect(status).toBe(200);
    return body;
  });
}

async function tell(project: TestProject, script: Parameters<typeof encodeConversation>[0]): Promise<void> {
  const told = encodeConversation(script, { dialect: 'genai', startMs: Date.now(), idSeed: script.conversationId });
  expect((await callApi(project.apiKey, '/v1/traces', { body: toOtlpJson(told) })).status).toBe(200);
}

async function expectExactQuotes(project: TestProject, finding: Finding): Promise<void> {
  const { messages } = await project.readyConversation(finding.conversationId);
  for (const { location } of finding.evidence) {
    const message = messages[location.stepIndex];
    expect(message).toMatchObject({ traceId: location.traceId, spanId: location.spanId });
    for (const { quote } of location.quotes) expect(message?.content).toContain(quote);
  }
}
