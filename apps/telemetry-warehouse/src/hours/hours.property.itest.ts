import { describe, expect, it } from '@jest/globals';
import { fixedClock, propertyRuns, useTestEnvironment } from '@clew/testing';
import fc from 'fast-check';
import { conversationCollection, type Histogram } from '../conversations/index.ts';
import { emptyDatabase, useTestDatabase } from '../test-support/database.ts';
import { chatSpan, PROJECT_ID, spansMessage, STARTED_AT } from '../test-support/spans.ts';
import { createTestStores, QUIET_MS, type TestStores } from '../test-support/stores.ts';
import { hoursOf } from './day-figures.ts';
import type { FigureSums } from './figure-sums.ts';
import { dayCollection, hourCollection, type HourFigures, type HourRow } from './hour-row.model.ts';
import { addFigures, HOUR_MS, HourChanges, noFigures, seriesKey, shareOf } from './hour-share.ts';

const RUNS = propertyRuns(8);
const TIMEOUT_MS = 600_000;
const HOUR = Math.floor(STARTED_AT / HOUR_MS) * HOUR_MS;
const DAY_MS = 86_400_000;
const ALL_HOURS = { startMs: HOUR - DAY_MS, endMs: HOUR + 400 * DAY_MS };

const database = useTestDatabase(useTestEnvironment());

const conversation = fc.constantFrom('a', 'b', 'c', 'd');
const step = fc.oneof(
  fc.record({
    do: fc.constant('say' as const),
    conversation,
    agent: fc.constantFrom('courier', 'cashier', undefined),
    atMs: fc.integer({ min: 0, max: 5 }).map((half) => half * (HOUR_MS / 2)),
    failed: fc.boolean(),
  }),
  fc.record({ do: fc.constant('settle' as const) }),
  fc.record({ do: fc.constant('find' as const), conversation, count: fc.nat({ max: 2 }) }),
  fc.record({ do: fc.constant('score' as const), conversation }),
  fc.record({ do: fc.constant('erase' as const), conversation }),
  fc.record({ do: fc.constant('fold' as const) }),
  fc.record({ do: fc.constant('expire' as const) }),
  fc.record({ do: fc.constant('atOnce' as const), conversation, count: fc.nat({ max: 2 }) }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Figures by hour and series, as they would be if they were counted now. */
async function countedNow() {
  const changes = new HourChanges();
  for await (const one of conversationCollection(database.current.connection).find()) {
    changes.replace(
      undefined,
      shareOf(one, () => true),
    );
  }
  return new Map(changes.list().map(({ hour, series, figures }) => [`${hour}:${series}`, figures]));
}

type FiguresOfHour = Pick<HourRow, 'series' | 'hour' | keyof HourFigures>;

function histogramIn({ latency }: FigureSums): Histogram {
  return Object.fromEntries([...latency.entries()].filter(([, count]) => count > 0));
}

/** Sums of the stored rows; those in which nothing is left are no different from those that are not there. */
async function stored() {
  const sums = new Map<string, ReturnType<typeof noFigures>>();
  const rows: FiguresOfHour[] = await hourCollection(database.current).find().toArray();
  for (const row of await dayCollection(database.current).find().toArray()) {
    for (const [hour, sum] of hoursOf(row)) rows.push({ series: row.series, hour, ...sum, latency: histogramIn(sum) });
  }
  for (const row of rows) {
    const key = `${row.hour}:${row.series}`;
    const sum = sums.get(key) ?? noFigures();
    sums.set(key, sum);
    addFigures(sum, row);
  }
  for (const [key, { latency, ...numbers }] of sums) {
    const left = Object.fromEntries(Object.entries(latency).filter(([, count]) => count !== 0));
    if (Object.values(numbers).every((number) => number === 0) && Object.keys(left).length === 0) sums.delete(key);
    else sums.set(key, { ...numbers, latency: left });
  }
  return sums;
}

async function take(warehouse: TestStores, one: Step, index: number): Promise<void> {
  const { stores, clock } = warehouse;
  const find = (conversationId: string, findingCount: number) =>
    warehouse.setFindingCounts([{ projectId: PROJECT_ID, conversationId, findingCount, sequence: index }]);
  const settle = (from: TestStores = warehouse) => from.settleAll();
  switch (one.do) {
    case 'say': {
      const attributes = one.agent === undefined ? {} : { 'gen_ai.agent.name': one.agent };
      const span = chatSpan({
        ...{ trace: index + 1, span: index + 1, conversation: one.conversation, atMs: one.atMs, attributes },
        ...{ said: `hello ${index}`, answered: 'yes' },
      });
      return warehouse.store(spansMessage({ spans: [{ ...span, statusCode: one.failed ? 2 : 0 }] }));
    }
    case 'settle':
      return settle();
    case 'find':
      return find(one.conversation, one.count);
    case 'score':
      return void (await database.current.withTransaction((tx) =>
        stores.conversations.touchKnown(tx, PROJECT_ID, one.conversation, {
          ...{ receivedAt: clock.now(), dueAt: clock.now() },
        }),
      ));
    case 'erase': {
      const actor = { kind: 'key', id: 'key_1' } as const;
      const erased = { projectId: PROJECT_ID, conversationId: one.conversation };
      await warehouse.erasure.service.request(erased, { actor, address: null, requestId: 'req_1' });
      return warehouse.eraseAll();
    }
    case 'fold':
      while ((await stores.hours.fold(PROJECT_ID, Number.MAX_SAFE_INTEGER)) > 0);
      return;
    case 'expire':
      clock.advance(91 * DAY_MS);
      return warehouse.sweepAll();
    case 'atOnce':
      clock.advance(QUIET_MS);
      // Another process assembles, and Findings arrive, at the same time.
      await Promise.all([
        settle(),
        settle(createTestStores(database.current, clock)),
        find(one.conversation, one.count),
      ]);
  }
}

/** Days, which have sums of their own, tell what their hours tell, in total and by agent. */
async function expectDaysAreSumsOfHours({ readSeries }: TestStores): Promise<void> {
  const startMs = HOUR - (HOUR % DAY_MS);
  for (const by of [undefined, 'agent', 'model'] as const) {
    const read = (intervalMs: number, shiftMs = 0) =>
      readSeries(PROJECT_ID, { startMs: startMs - shiftMs, endMs: startMs + 2 * DAY_MS, intervalMs, by });
    // A range that begins an hour before a day is read from the hours.
    const [days, hours] = [await read(DAY_MS), await read(HOUR_MS, HOUR_MS)];
    const summed = hours.map(({ value, points }) => ({
      value,
      points: [...Map.groupBy(points, ({ startMs: at }) => at - (at % DAY_MS))].map(([at, some]) => ({
        ...{ startMs: at, conversations: sumOf(some, 'conversations'), flagged: sumOf(some, 'flagged') },
        ...{ errors: sumOf(some, 'errors'), inputTokens: sumOf(some, 'inputTokens') },
      })),
    }));
    expect(days).toMatchObject(summed);
  }
}

function sumOf<Name extends string>(points: readonly Record<Name, number>[], name: Name): number {
  return points.reduce((sum, point) => sum + point[name], 0);
}

describe('hourly figures', () => {
  it(
    'count each conversation once, whatever happens to it in whatever order, and nothing that is gone',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14, size: 'max' }), async (steps) => {
          await emptyDatabase(database.current);
          const warehouse = createTestStores(database.current, fixedClock(STARTED_AT));
          for (const [index, one] of steps.entries()) {
            await take(warehouse, one, index);
          }
          await warehouse.settleAll();
          expect(await stored()).toEqual(await countedNow());
          while ((await warehouse.stores.hours.fold(PROJECT_ID, Number.MAX_SAFE_INTEGER)) > 0);
          expect(await stored()).toEqual(await countedNow());
          expect(await hourCollection(database.current).countDocuments()).toBe(0);
          const [all] = await warehouse.readSeries(PROJECT_ID, { ...ALL_HOURS, intervalMs: HOUR_MS });
          await expectDaysAreSumsOfHours(warehouse);
          const counted = [...(await countedNow())].filter(([key]) => key.endsWith(':all'));
          expect(all?.points.map(({ startMs, conversations }) => [`${startMs}:all`, conversations])).toEqual(
            counted.map(([key, { conversations }]) => [key, conversations]).toSorted(),
          );
        }),
        { ...RUNS },
      );
    },
    TIMEOUT_MS,
  );

  it('tell some agents apart, and put those that come later together', async () => {
    const warehouse = createTestStores(database.current, fixedClock(STARTED_AT));
    for (let index = 0; index < 24; index += 1) {
      const attributes = { 'gen_ai.agent.name': `agent${index}` };
      const span = { trace: index + 1, span: 1, conversation: `c${index}`, said: 'hello', attributes };
      await warehouse.store(spansMessage({ spans: [chatSpan(span)] }));
      await warehouse.settleAll();
    }
    const range = { startMs: HOUR, endMs: HOUR + HOUR_MS, intervalMs: HOUR_MS };
    const series = await warehouse.readSeries(PROJECT_ID, { ...range, by: 'agent' });
    const totals = new Map(series.map(({ value, points }) => [value, points[0]?.conversations]));
    expect([totals.size, totals.get(null), totals.get('agent3'), totals.get('agent23')]).toEqual([21, 4, 1, undefined]);
    expect(seriesKey('agent', 'a:b')).toBe('agent:a:b');
    const [all] = await warehouse.readSeries(PROJECT_ID, range);
    expect(all).toMatchObject({ value: null, points: [{ startMs: HOUR, conversations: 24, flagged: 0, errors: 0 }] });
  });
});
