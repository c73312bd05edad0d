import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { NO_QUOTAS, type ModelPrice } from '@clew/contracts';
import { newId } from '@clew/kernel';
import type { Database } from '@clew/persistence';
import { explainSent, fixedClock, monitored, propertyRuns, useTestEnvironment } from '@clew/testing';
import { chatAnswer, finishedCall } from '../../test-support/finished-call.ts';
import { openTestDatabase } from '../../test-support/service.ts';
import type { FinishedCall } from '../recording/finished-call.ts';
import { createQuotaCopies } from './quotas.store.ts';
import { createTokenQuota } from './token-quota.ts';
import { createUsageSums } from './usage-sums.store.ts';
import { createUsageStore } from './usage.store.ts';

const environment = useTestEnvironment();
const DAY = '2026-01-01';
const DAY_MS = 24 * 3_600_000;
const NOON_MS = Date.UTC(2026, 0, 1, 12);
const USAGE = { usage: { prompt_tokens: 10, completion_tokens: 5 } };
let database: Database;

beforeAll(async () => {
  database = await openTestDatabase(environment);
});

afterAll(() => database.close());

interface Called {
  projectId: string;
  model?: string;
  origin?: 'system';
  key?: string;
  endedAtMs?: number;
  price?: ModelPrice;
  answer?: object;
}

function called({ projectId, model = 'loop/same', origin, key = 'key_1', price, ...more }: Called): FinishedCall {
  return finishedCall(more.answer ?? chatAnswerWith(USAGE), {
    projectId,
    principal: origin === 'system' ? { kind: 'service', id: 'jobs-worker' } : { kind: 'key', id: key, scopes: [] },
    endpoint: { name: model, provider: 'loop', model, baseUrl: '', headers: {}, isLocal: false, price },
    endedAtMs: more.endedAtMs ?? NOON_MS,
  });
}

function chatAnswerWith(more: object): object {
  return { ...chatAnswer(), ...more };
}

function priceIn(currency: string, input: string, output: string): ModelPrice {
  return { model: 'loop/same', inputPerMillionTokens: input, outputPerMillionTokens: output, currency };
}

describe('the tokens of a day', () => {
  it('are those of all models together, by project, day and origin, whoever adds at the same time', async () => {
    const usage = createUsageStore(database);
    const [projectId, other] = [newId('prj'), newId('prj')];
    const adding = Array.from({ length: 10 }, (_, index) =>
      usage.add([
        called({ projectId, model: `loop/${index}`, origin: 'system' }),
        called({ projectId, origin: 'system' }),
        called({ projectId }),
        called({ projectId, origin: 'system', endedAtMs: NOON_MS + DAY_MS }),
        called({ projectId: other, origin: 'system' }),
      ]),
    );
    await Promise.all(adding);
    expect(await usage.tokensOf({ projectId, day: DAY, origin: 'system' })).toBe(300);
    expect(await usage.tokensOf({ projectId, day: DAY, origin: 'caller' })).toBe(150);
    expect(await usage.tokensOf({ projectId, day: '2026-01-02', origin: 'system' })).toBe(150);
    expect(await usage.tokensOf({ projectId: newId('prj'), day: DAY, origin: 'system' })).toBe(0);
    const byDay = await usage.tokensSince(projectId, DAY, '2026-01-02');
    expect(Object.fromEntries(byDay)).toEqual({ [DAY]: 450, '2026-01-02': 150 });
    expect([...(await usage.tokensSince(projectId, DAY, DAY)).keys()]).toEqual([DAY]);
  });
});

describe('usage with its cost', () => {
  it('is added up by project, key, model and day, exactly, in each currency for itself', async () => {
    const [usage, sums] = [createUsageStore(database), createUsageSums(database)];
    const projectId = newId('prj');
    const euro = priceIn('EUR', '0.1', '0.2');
    const dollar = priceIn('USD', '3', '15.000001');
    await Promise.all([
      ...Array.from({ length: 10 }, () => usage.add([called({ projectId, price: euro })])),
      usage.add([called({ projectId, price: dollar, key: 'key_2', model: 'loop/dear' })]),
      usage.add([called({ projectId, endedAtMs: NOON_MS + DAY_MS, origin: 'system' })]),
    ]);
    const sum = async (by: 'project' | 'key' | 'model' | 'day') =>
      (await sums.sum({ projectIds: [projectId], fromDay: DAY, toDay: '2026-01-02', by })).usage;
    // Ten times 10 * 0.1 / 10^6 + 5 * 0.2 / 10^6, which no sum of binary fractions gives.
    const ofEuro = { currency: 'EUR', amount: '0.00002' };
    const ofDollar = { currency: 'USD', amount: '0.000105000005' };
    expect(await sum('project')).toMatchObject([
      {
        group: projectId,
        calls: 12,
        inputTokens: 120,
        outputTokens: 60,
        unpricedTokens: 15,
        costs: [ofEuro, ofDollar],
      },
    ]);
    expect(await sum('key')).toMatchObject([
      { group: 'key_1', calls: 10, costs: [ofEuro] },
      { group: 'jobs-worker', calls: 1, unpricedTokens: 15, costs: [] },
      { group: 'key_2', calls: 1, costs: [ofDollar] },
    ]);
    expect((await sum('model')).map(({ group }) => group)).toEqual(['loop/same', 'loop/dear']);
    expect((await sum('day')).map(({ group, calls }) => [group, calls])).toEqual([
      [DAY, 11],
      ['2026-01-02', 1],
    ]);
  });

  it('is counted for an answer that broke off before its usage came, from what was sent and said', async () => {
    const projectId = newId('prj');
    const broken = called({ projectId, answer: chatAnswer({ content: 'x'.repeat(40) }) });
    expect(broken.tokens).toEqual({ inputTokens: 25, outputTokens: 10 });
    expect(called({ projectId, answer: {} }).tokens).toEqual({ inputTokens: 0, outputTokens: 0 });
  });

  it('is summed from an index', async () => {
    const watched = await openTestDatabase(environment, monitored(environment.mongoUrl));
    const sums = createUsageSums(watched);
    await createUsageStore(watched).add([called({ projectId: 'prj_1', price: priceIn('EUR', '1', '1') })]);
    const query = { projectIds: ['prj_1', 'prj_2'], fromDay: DAY, toDay: DAY, by: 'key' } as const;
    const explained = await explainSent(watched, () => sums.sum(query).then(() => undefined));
    for (const { plan } of explained) expect(plan).toContain('IXSCAN');
    expect(explained).toHaveLength(2);
    await watched.close();
  });
});

describe('a quota of tokens', () => {
  const quotasOf = async (projectId: string, set: object, revision = 1) => {
    const quotas = createQuotaCopies(database);
    const envelope = { id: '1', type: 'gateway.quotas.changed', version: 1, occurredAt: 0, requestId: null } as const;
    await quotas.take({ ...envelope, projectId, data: { quotas: { ...NO_QUOTAS, ...set }, revision } });
    return quotas;
  };

  it('of a day counts what is not stored yet, says when it opens, and opens with the next day', async () => {
    const projectId = newId('prj');
    const usage = createUsageStore(database);
    const clock = fixedClock(NOON_MS);
    const quotas = await quotasOf(projectId, { inferenceTokensPerDay: 30 });
    const quota = createTokenQuota({ usage, quotas, clock });
    const calls = [called({ projectId }), called({ projectId, origin: 'system' })];
    await quota.require(projectId);
    for (const call of calls) quota.note(call);
    const refused = { quota: 'inferenceTokensPerDay', limit: 30, used: 30, opensAtMs: Date.UTC(2026, 0, 2) };
    await expect(quota.require(projectId)).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED', quota: refused });
    await usage.add(calls);
    quota.settle(calls);
    const elsewhere = createTokenQuota({ usage, quotas, clock });
    await expect(elsewhere.require(projectId)).rejects.toMatchObject({
      quota: refused,
      headers: { 'retry-after': String(12 * 3_600) },
    });
    clock.advance(12 * 3_600_000);
    await elsewhere.require(projectId);
  });

  it('of a month adds up its days, and opens with the next month', async () => {
    const projectId = newId('prj');
    const usage = createUsageStore(database);
    const quotas = await quotasOf(projectId, { inferenceTokensPerMonth: 30 });
    await usage.add([called({ projectId }), called({ projectId, endedAtMs: NOON_MS + 5 * DAY_MS })]);
    const clock = fixedClock(NOON_MS + 30 * DAY_MS);
    const quota = createTokenQuota({ usage, quotas, clock });
    const opensAtMs = Date.UTC(2026, 1, 1);
    await expect(quota.require(projectId)).rejects.toMatchObject({ quota: { used: 30, opensAtMs } });
    clock.advance(DAY_MS);
    await quota.require(projectId);
  });

  it('keeps the newest of reports that come in any order, and twice', async () => {
    const projectId = newId('prj');
    await quotasOf(projectId, { inferenceTokensPerDay: 2 }, 2);
    await quotasOf(projectId, { inferenceTokensPerDay: 1 }, 1);
    const quotas = await quotasOf(projectId, { inferenceTokensPerDay: 2 }, 2);
    expect(await quotas.get(projectId)).toEqual({ ...NO_QUOTAS, inferenceTokensPerDay: 2 });
  });
});

describe('the sum of costs', () => {
  it('is what integers give, for any prices and tokens, however the calls are grouped', async () => {
    const usage = createUsageStore(database);
    const sums = createUsageSums(database);
    const micros = fc.integer({ min: 0, max: 999_999_999_999_999 });
    const call = fc.record({ input: fc.nat(10_000_000), output: fc.nat(10_000_000), group: fc.nat(3) });
    const priceOf = (value: number) => `${Math.floor(value / 1e6)}.${String(value % 1e6).padStart(6, '0')}`;
    await fc.assert(
      fc.asyncProperty(
        micros,
        micros,
        fc.array(call, { minLength: 1, maxLength: 12 }),
        async (input, output, calls) => {
          const projectId = newId('prj');
          const price = priceIn('EUR', priceOf(input), priceOf(output));
          const ended = calls.map((each) => ({
            group: each.group,
            call: called({
              ...{ projectId, price },
              answer: chatAnswerWith({ usage: { prompt_tokens: each.input, completion_tokens: each.output } }),
            }),
          }));
          for (const group of Map.groupBy(ended, (each) => each.group).values()) {
            await usage.add(group.map((each) => each.call));
          }
          const pico = calls.reduce(
            (sum, each) => sum + BigInt(each.input) * BigInt(input) + BigInt(each.output) * BigInt(output),
            0n,
          );
          const query = { projectIds: [projectId], fromDay: DAY, toDay: DAY, by: 'project' } as const;
          const [row] = (await sums.sum(query)).usage;
          const [whole = '0', fraction = ''] = (row?.costs[0]?.amount ?? '0').split('.');
          expect(BigInt(whole + fraction.padEnd(12, '0'))).toBe(pico);
        },
      ),
      propertyRuns(10),
    );
  });
});
