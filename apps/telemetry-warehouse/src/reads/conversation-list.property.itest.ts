import { describe, expect, it } from '@jest/globals';
import { createCursorCodec } from '@clew/kernel';
import { propertyRuns, useTestEnvironment } from '@clew/testing';
import fc from 'fast-check';
import type { Touch } from '../conversations/index.ts';
import { emptyDatabase, useTestDatabase } from '../test-support/database.ts';
import { PROJECT_ID, STARTED_AT } from '../test-support/spans.ts';
import { createTestStores, type TestStores } from '../test-support/stores.ts';
import { createConversationsService } from './conversations.service.ts';

const RUNS = propertyRuns(10);
const TIMEOUT_MS = 300_000;

const database = useTestDatabase(useTestEnvironment());

interface Plan {
  /** Start times of the initial conversations; some are equal. */
  starts: number[];
  limit: number;
  /** Events between the pages: a new conversation is added, or one of the unsteady ones is changed. */
  between: { newStart: number | undefined; unlisted: number | undefined; touched: number | undefined }[];
}

const small = fc.integer({ min: 0, max: 8 });
const plan: fc.Arbitrary<Plan> = fc.record({
  starts: fc.array(small, { minLength: 1, maxLength: 20, size: 'max' }),
  limit: fc.integer({ min: 1, max: 5 }),
  between: fc.array(
    fc.record({
      newStart: fc.option(small, { nil: undefined }),
      unlisted: fc.option(fc.nat({ max: 9 }), { nil: undefined }),
      touched: fc.option(fc.nat({ max: 19 }), { nil: undefined }),
    }),
    { maxLength: 8 },
  ),
});

function touchOf(conversationId: string, start: number, listed = true): Touch {
  const startedAt = STARTED_AT + start * 1_000;
  return { projectId: PROJECT_ID, conversationId, implicit: false, listed, startedAt, lastActivityAt: startedAt };
}

const refuse = () => Promise.reject(new Error('Nobody asks for it'));

async function walk(warehouse: TestStores, { starts, limit, between }: Plan) {
  const { conversations, scores } = warehouse.stores;
  const service = createConversationsService({
    ...{ database: database.current, conversations, scores, clock: warehouse.clock, quietMs: 0 },
    protectorOf: async () => undefined,
    cursors: createCursorCodec(new Uint8Array(32)),
    reader: { require: refuse, view: refuse, window: refuse },
    settings: { get: refuse },
  });
  // The first ten conversations come and go; the others stay.
  const name = (index: number) => (index < 10 ? `unsteady-${index}` : `steady-${index}`);
  await conversations.touch(
    starts.map((start, index) => touchOf(name(index), start)),
    [],
    { receivedAt: 1, dueAt: 1 },
  );
  const found: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; ; page += 1) {
    const { conversations: some, nextCursor } = await service.list(PROJECT_ID, { limit, cursor });
    found.push(...some.map(({ id }) => id));
    if (nextCursor === null) break;
    cursor = nextCursor;
    const change = between[page];
    if (change?.newStart !== undefined)
      await conversations.touch([touchOf(`new-${page}`, change.newStart)], [], { receivedAt: 1, dueAt: 1 });
    if (change?.unlisted !== undefined) await warehouse.unlist(name(change.unlisted));
    const touched = change?.touched;
    const start = touched === undefined ? undefined : starts[touched];
    if (touched !== undefined && start !== undefined)
      await conversations.touch([touchOf(name(touched), start)], [], { receivedAt: 2, dueAt: 2 });
  }
  return { found, steady: starts.map((_, index) => name(index)).filter((id) => id.startsWith('steady')) };
}

describe('a walk through the list', () => {
  it(
    'shows every conversation that is there throughout exactly once, and none twice, while others come, go and change',
    async () => {
      await fc.assert(
        fc.asyncProperty(plan, async (planned) => {
          await emptyDatabase(database.current);
          const { found, steady } = await walk(createTestStores(database.current), planned);
          expect(new Set(found).size).toBe(found.length);
          expect(found).toEqual(expect.arrayContaining(steady));
        }),
        { ...RUNS },
      );
    },
    TIMEOUT_MS,
  );
});
