import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { UsageResponse } from '@clew/contracts';
import type { ErrorBody } from '@clew/kernel';
import { encodeConversation, eventually, toOtlpJson, type ScriptedConversation } from '@clew/testing';
import { startProvider, type ScriptedProvider } from '@clew/testing/provider';
import { callApi } from './support/api.ts';
import { runningStack } from './support/stack.ts';
import { createKey, createTestProject, type TestProject } from './support/test-project.ts';

const LONG = { timeoutMs: 60_000 };
const DAY_MS = 24 * 3_600_000;
const MODEL = 'loop/tiny-chat';
let provider: ScriptedProvider;
let project: TestProject;

beforeAll(async () => {
  provider = await startProvider();
  project = await createTestProject('quotas');
  const prices = [
    { model: 'tiny-chat', inputPerMillionTokens: '1000', outputPerMillionTokens: '2000.5', currency: 'EUR' },
  ];
  const created = await project.call('/models/providers', { body: { name: 'loop', baseUrl: provider.url, prices } });
  expect(created).toMatchObject({ status: 201, body: { prices } });
});

afterAll(() => provider.stop());

async function setQuotas(quotas: object, { id }: Pick<TestProject, 'id'> = project): Promise<void> {
  const path = `/v1/projects/${id}/quotas`;
  const { status } = await callApi(runningStack().adminApiKey, path, { method: 'PUT', body: quotas });
  expect(status).toBe(200);
}

let sent = 0;
function sendConversation() {
  sent += 1;
  const conversationId = `quota-${sent}`;
  const script: ScriptedConversation = {
    ...{ conversationId, model: 'gpt-5' },
    messages: [
      { role: 'user', content: 'Where is my order?' },
      { role: 'assistant', content: 'On its way.', finishReason: 'stop' },
    ],
  };
  const idSeed = `${project.id}-${conversationId}`;
  const told = encodeConversation(script, { dialect: 'genai', startMs: Date.now() - 60_000, idSeed });
  return callApi<Partial<ErrorBody>>(project.apiKey, '/v1/traces', { body: toOtlpJson(told) });
}

function oneSpan(): object {
  const startTimeUnixNano = `${Date.now()}000000`;
  const span = {
    ...{ traceId: randomBytes(16).toString('hex'), spanId: randomBytes(8).toString('hex'), name: 'work', kind: 1 },
    ...{ startTimeUnixNano, endTimeUnixNano: startTimeUnixNano, attributes: [], status: {} },
  };
  return {
    resourceSpans: [{ resource: { attributes: [] }, scopeSpans: [{ scope: { name: 'test' }, spans: [span] }] }],
  };
}

const chat = (apiKey = project.apiKey, stream = false) =>
  callApi<{ error?: object; usage?: { prompt_tokens: number; completion_tokens: number } }>(
    apiKey,
    '/v1/chat/completions',
    { body: { model: MODEL, messages: [{ role: 'user', content: 'Hello' }], ...(stream ? { stream } : {}) } },
  );

describe('a quota of the day', () => {
  it('refuses telemetry with its figures and when it opens, and takes it again once it is raised', async () => {
    await setQuotas({ ingestedRecordsPerDay: 0 });
    const refused = await eventually(async () => {
      const answer = await sendConversation();
      expect(answer.status).toBe(429);
      return answer;
    }, LONG);
    const opensAtMs = (Math.floor(Date.now() / DAY_MS) + 1) * DAY_MS;
    expect(refused.body).toMatchObject({
      code: 'QUOTA_EXCEEDED',
      quota: { quota: 'ingestedRecordsPerDay', limit: 0, opensAtMs },
    });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    await setQuotas({ ingestedRecordsPerDay: 1_000_000 });
    await eventually(async () => expect((await sendConversation()).status).toBe(200), LONG);
  });

  it('refuses calls of models, also streams, until it is raised', async () => {
    expect((await chat()).status).toBe(200);
    await setQuotas({ inferenceTokensPerDay: 1 });
    for (const stream of [false, true]) {
      await eventually(async () => {
        expect(await chat(project.apiKey, stream)).toMatchObject({
          status: 429,
          body: { error: { code: 'quota_exceeded', quota: { quota: 'inferenceTokensPerDay', limit: 1 } } },
        });
      }, LONG);
    }
    await setQuotas({});
    await eventually(async () => expect((await chat()).status).toBe(200), LONG);
  });
});

describe('a quota over a process that is killed with SIGKILL', () => {
  const LIMIT = 40;
  /** Most that one process is granted in advance; what it accepted of that and had not told is lost with it. */
  const MOST_LOST = LIMIT / 4 + 1;

  it('is filled, and exceeded by no more than what that process had not told', async () => {
    const own = await createTestProject('quotas-killed');
    await setQuotas({ ingestedRecordsPerDay: LIMIT }, own);
    let accepted = 0;
    const send = async (): Promise<number> => {
      const { status } = await callApi(own.apiKey, '/v1/traces', { body: oneSpan() });
      if (status === 200) accepted += 1;
      return status;
    };
    await eventually(async () => {
      if (accepted < LIMIT / 4) await send();
      expect(accepted).toBe(LIMIT / 4);
    }, LONG);
    const { pid } = runningStack().services['telemetry-ingest'] ?? {};
    process.kill(Number(pid), 'SIGKILL');
    await eventually(async () => {
      expect(await send()).toBe(429);
      expect(accepted).toBeGreaterThanOrEqual(LIMIT);
    }, LONG);
    expect(accepted).toBeLessThanOrEqual(LIMIT + MOST_LOST);
  });
});

describe('usage', () => {
  const today = () => new Date().toISOString().slice(0, 10);
  const usageBy = async (by: string) => {
    const yesterday = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
    const query = `fromDay=${yesterday}&toDay=${today()}&by=${by}`;
    return (await project.call<UsageResponse>(`/usage?${query}`)).body.usage;
  };

  it('shows key, model and day with their cost, and what was sent', async () => {
    const { apiKey, secret } = await createKey(project.id, { name: 'own' });
    const answer = await chat(secret);
    const { prompt_tokens: input, completion_tokens: output } = answer.body.usage ?? {
      prompt_tokens: 0,
      completion_tokens: 0,
    };
    // A token costs 0.001 in, and 0.0020005 out.
    const amount = (input * 10_000 + output * 20_005) / 10_000_000;
    const row = await eventually(async () => {
      const found = (await usageBy('key')).find(({ group }) => group === apiKey.id);
      if (found === undefined) throw new Error('not counted yet');
      return found;
    }, LONG);
    expect(row).toMatchObject({ calls: 1, inputTokens: input, outputTokens: output, unpricedTokens: 0 });
    expect(row.costs.map(({ currency, amount: text }) => [currency, Number(text)])).toEqual([['EUR', amount]]);
    expect((await usageBy('model')).map(({ group }) => group)).toContain(MODEL);
    await eventually(async () => {
      const day = (await usageBy('day')).find(({ group }) => group === today());
      expect(day?.ingestedRecords).toBeGreaterThan(0);
      expect(day?.ingestedBytes).toBeGreaterThan(0);
    }, LONG);
    const all = await callApi<UsageResponse>(
      runningStack().adminApiKey,
      `/v1/usage?fromDay=${today()}&toDay=${today()}&by=project`,
    );
    expect(all.body.usage.map(({ group }) => group)).toContain(project.id);
  });
});
