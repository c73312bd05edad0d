import { describe, expect, it } from '@jest/globals';
import type { Expectation, ExpectationDryRun, Finding } from '@clew/contracts';
import { encodeConversation, eventually, toOtlpJson } from '@clew/testing';
import { callApi } from './support/api.ts';
import { cleanConversation, unconfirmedConversation } from './support/conversations.ts';
import { createTestProject, type TestProject } from './support/test-project.ts';

const EXPECTATIONS = '/diagnostics/expectations';
const LONG = { timeoutMs: 30_000 };

async function tell(project: TestProject, script: Parameters<typeof encodeConversation>[0]): Promise<void> {
  const told = encodeConversation(script, { dialect: 'genai', startMs: Date.now(), idSeed: script.conversationId });
  expect((await callApi(project.apiKey, '/v1/traces', { body: toOtlpJson(told) })).status).toBe(200);
}

async function expectations(project: TestProject): Promise<Expectation[]> {
  return (await project.call<{ expectations: Expectation[] }>(EXPECTATIONS)).body.expectations;
}

async function brokenExpectations(project: TestProject): Promise<Finding[]> {
  const all = await project.findings();
  return all.filter(({ metadata }) => metadata.diagnosticRule.ruleKey === 'expectation_broken');
}

/** Finding of the broken expectation, once this many conversations show it. */
async function shown(project: TestProject, occurrenceCount: number): Promise<Finding> {
  return await eventually(async () => {
    const [finding] = await brokenExpectations(project);
    expect(finding?.occurrenceCount).toBe(occurrenceCount);
    return finding as Finding;
  }, LONG);
}

describe('what an agent was told', () => {
  it('is read from its prompt and checked in every conversation, until a person switches it off', async () => {
    const project = await createTestProject('expectations of a prompt');
    await tell(project, unconfirmedConversation('order-17'));
    const finding = await shown(project, 1);
    const [expectation] = (await expectations(project)) as [Expectation];
    expect(expectation).toMatchObject({
      ...{ source: 'compiled', status: 'active', check: { form: 'confirm_before', tools: ['cancel_order'] } },
      quote: 'Never cancel an order without the explicit consent of the user.',
    });
    expect(finding).toMatchObject({
      ...{ conversationId: 'order-17', title: `Not kept: ${expectation.statement}`, severity: expectation.severity },
      diagnosticAnchor: { stepIndex: 2 },
    });
    const { messages } = await project.readyConversation('order-17');
    const quoted = finding.evidence.flatMap(({ location }) =>
      location.quotes.map((each) => ({ ...location, ...each })),
    );
    expect(quoted.map(({ quote }) => quote)).toContain(expectation.quote);
    for (const { stepIndex, quote } of quoted) expect(messages[stepIndex]?.content).toContain(quote);

    await tell(project, unconfirmedConversation('order-18'));
    await tell(project, cleanConversation('clean'));
    await shown(project, 2);
    expect(await expectations(project)).toEqual([expectation]);
    await project.readyConversation('clean');
    const path = `${EXPECTATIONS}/${expectation.id}`;
    const tried = await project.call<ExpectationDryRun>(`${path}/check`, { method: 'POST' });
    expect(tried).toMatchObject({ status: 200, body: { conversations: 3, broken: 2 } });
    expect(tried.body.examples.map(({ conversationId }) => conversationId).toSorted()).toEqual([
      'order-17',
      'order-18',
    ]);

    const off = await project.call(path, { method: 'PATCH', body: { status: 'off' } });
    expect(off).toMatchObject({ status: 200, body: { status: 'off' } });
    await eventually(async () => expect(await brokenExpectations(project)).toEqual([]), LONG);
    await tell(project, unconfirmedConversation('order-19'));
    await project.readyConversation('order-19');
    expect(await expectations(project)).toMatchObject([{ id: expectation.id, status: 'off' }]);
    expect(await brokenExpectations(project)).toEqual([]);
  });

  it('is proposed where the project switches on by hand, and shows nothing until then', async () => {
    const project = await createTestProject('proposed expectations');
    await project.call('/diagnostics/settings', { method: 'PATCH', body: { expectationActivation: 'manual' } });
    await tell(project, unconfirmedConversation('order-17'));
    const [proposed] = await eventually(async () => {
      const found = await expectations(project);
      expect(found).toHaveLength(1);
      return found;
    }, LONG);
    expect(proposed).toMatchObject({ source: 'compiled', status: 'proposed' });
    expect(await brokenExpectations(project)).toEqual([]);
    const path = `${EXPECTATIONS}/${proposed!.id}`;
    await project.call(path, { method: 'PATCH', body: { status: 'active' } });
    await tell(project, unconfirmedConversation('order-18'));
    await shown(project, 1);
  });
});

describe('an Expectation that a person writes', () => {
  const body = {
    statement: 'Nothing is cancelled',
    check: { form: 'never_call', tools: ['cancel_*'] },
    severity: 'high',
  };

  it('is made once for its Idempotency-Key, finds what breaks it, and takes that with it when it is deleted', async () => {
    const project = await createTestProject('authored expectations');
    await project.call('/diagnostics/settings', { method: 'PATCH', body: { expectationActivation: 'manual' } });
    const make = () => project.call<Expectation>(EXPECTATIONS, { body, headers: { 'idempotency-key': 'once' } });
    const [made, again] = [await make(), await make()];
    expect(made).toMatchObject({ status: 201, body: { source: 'authored', status: 'active', ...body } });
    expect(again.body).toEqual(made.body);
    const path = `${EXPECTATIONS}/${made.body.id}`;
    expect(made.headers.get('location')).toBe(`/v1/projects/${project.id}${path}`);
    await tell(project, unconfirmedConversation('order-17'));
    expect(await shown(project, 1)).toMatchObject({ severity: 'high', title: 'Not kept: Nothing is cancelled' });

    const stale = { method: 'DELETE', headers: { 'if-match': '"another"' } };
    expect(await project.call(path, stale)).toMatchObject({ status: 412, body: { code: 'PRECONDITION_FAILED' } });
    await eventually(async () => expect((await project.call(path, { method: 'DELETE' })).status).toBe(204), LONG);
    expect(await brokenExpectations(project)).toEqual([]);
    expect(await project.call(path)).toMatchObject({ status: 404, body: { code: 'EXPECTATION_NOT_FOUND' } });
  });

  it.each([
    ['a pattern that is none', { ...body, check: { form: 'answer_matches', pattern: '(' } }],
    ['a pattern that looks ahead', { ...body, check: { form: 'answer_matches', pattern: '(?=a)b' } }],
    ['a pattern beyond 500 characters', { ...body, check: { form: 'answer_matches', pattern: 'a'.repeat(501) } }],
    ['a form that does not exist', { ...body, check: { form: 'be_nice' } }],
    ['a source', { ...body, source: 'compiled' }],
  ])('is refused with %s', async (_name, refused) => {
    const project = await createTestProject('refused expectations');
    expect(await project.call(EXPECTATIONS, { body: refused })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED' },
    });
    expect(await expectations(project)).toEqual([]);
  });

  it.each(['status=gone', 'limit=0', 'limit=501', 'cursor=abc', 'unknown=1'])('the filter %s is 400', async (query) => {
    const project = await createTestProject('expectation filters');
    expect(await project.call(`${EXPECTATIONS}?${query}`)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_FILTER' },
    });
  });

  it.each(['nobody', `exp_${'1'.repeat(26)}`, `fnd_${'1'.repeat(26)}`])('no Expectation has the id %s', async (id) => {
    const project = await createTestProject('unknown expectations');
    const answers = [
      await project.call(`${EXPECTATIONS}/${id}`),
      await project.call(`${EXPECTATIONS}/${id}`, { method: 'PATCH', body: { status: 'off' } }),
      await project.call(`${EXPECTATIONS}/${id}`, { method: 'DELETE' }),
      await project.call(`${EXPECTATIONS}/${id}/check`, { method: 'POST' }),
    ];
    for (const answered of answers) {
      expect(answered).toMatchObject({ status: 404, body: { code: 'EXPECTATION_NOT_FOUND' } });
    }
  });
});
