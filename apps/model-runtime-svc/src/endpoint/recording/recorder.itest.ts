import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Database } from '@clew/persistence';
import { createMetrics } from '@clew/runtime';
import { eventually, silentLogger, useTestEnvironment } from '@clew/testing';
import { finishedCall } from '../../test-support/finished-call.ts';
import { openTestDatabase } from '../../test-support/service.ts';
import { createConversationPointsStore } from './conversation-points.store.ts';
import { bytesOf, type FinishedCall } from './finished-call.ts';
import { createRecorder, MAX_WAITING_BYTES } from './recorder.ts';

const environment = useTestEnvironment();
const MEBIBYTE = 1024 * 1024;
let database: Database;

beforeAll(async () => {
  database = await openTestDatabase(environment);
});

afterAll(() => database.close());

const callWithAnswer = (length: number) =>
  finishedCall(
    { choices: [{ text: 'x'.repeat(length) }], usage: { prompt_tokens: 3, completion_tokens: 5 } },
    { operation: 'text_completion', request: { prompt: 'Tell me all' } },
  );

it('holds so much of what was said and no more while nothing can be published, and meters every call', async () => {
  const published: FinishedCall[] = [];
  const metered: FinishedCall[] = [];
  const gate = Promise.withResolvers<void>();
  const recorder = createRecorder({
    points: createConversationPointsStore(database),
    protect: async (call) => call,
    async publish(calls) {
      await gate.promise;
      published.push(...calls.map(({ call }) => call));
    },
    meter: async (calls) => {
      metered.push(...calls);
    },
    logger: silentLogger(),
    metrics: createMetrics('test'),
  });
  const count = 100;
  for (let index = 0; index < count; index += 1) recorder.record(callWithAnswer(MEBIBYTE));
  await eventually(() => expect(metered.length).toBeGreaterThan(0));
  gate.resolve();
  await recorder.drained();
  const heldBytes = published.reduce((sum, call) => sum + bytesOf(call), 0);
  expect(heldBytes).toBeGreaterThan(MAX_WAITING_BYTES - 2 * MEBIBYTE);
  expect(heldBytes).toBeLessThan(MAX_WAITING_BYTES + 2 * MEBIBYTE);
  expect(published.every(({ answer }) => answer.content.length === MEBIBYTE)).toBe(true);
  expect(metered.map(({ answer }) => answer.usage?.outputTokens)).toEqual(new Array(count).fill(5));
});
