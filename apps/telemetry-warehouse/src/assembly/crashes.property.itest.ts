import { describe, expect, it } from '@jest/globals';
import type { LogRecord, SpanRecord } from '@clew/contracts';
import { fixedClock, propertyRuns, useTestEnvironment } from '@clew/testing';
import fc from 'fast-check';
import { conversationModel, type ConversationDocument } from '../conversations/index.ts';
import { emptyDatabase, useTestDatabase } from '../test-support/database.ts';
import { createFault, ProcessDied, StepFailed, type Moment } from '../test-support/faults.ts';
import {
  chatSpan,
  OTHER_PROJECT_ID,
  plainSpan,
  PROJECT_ID,
  spansMessage,
  STARTED_AT,
  userLog,
  type SpansMessage,
} from '../test-support/spans.ts';
import { createTestStores, QUIET_MS, type ReadyEvent, type TestStores } from '../test-support/stores.ts';
import { assembleDue } from './assembler-loop.ts';

const RUNS = propertyRuns(10);
const TIMEOUT_MS = 600_000;
/** Longer than the longest lease and back-off. */
const RECOVERY_MS = 60 * 60_000;

const database = useTestDatabase(useTestEnvironment());

const spanSpec = fc.record({
  trace: fc.integer({ min: 1, max: 3 }),
  parent: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }),
  conversation: fc.constantFrom(undefined, undefined, 'a', 'b', 'c'),
  kind: fc.constantFrom('chat', 'chat', 'silent', 'plain', 'log'),
  // Some spans begin at the same time.
  atMs: fc.integer({ min: 0, max: 6 }).map((seconds) => seconds * 1_000),
});

interface Records {
  spans: SpanRecord[];
  logs: LogRecord[];
}

const records: fc.Arbitrary<Records> = fc.array(spanSpec, { minLength: 1, maxLength: 12 }).map((specs) => {
  const found: Records = { spans: [], logs: [] };
  specs.forEach(({ kind, conversation, parent, ...place }, index) => {
    const span = {
      ...place,
      span: index + 1,
      ...(conversation === undefined ? {} : { conversation }),
      ...(parent === undefined ? {} : { parent }),
    };
    const named = conversation === undefined ? {} : { 'session.id': conversation };
    if (kind === 'chat')
      found.spans.push(chatSpan({ ...span, said: `question ${index}`, answered: `answer ${index}` }));
    if (kind === 'silent') found.spans.push(chatSpan(span));
    if (kind === 'plain') found.spans.push(plainSpan({ ...span, attributes: named }));
    // Distinct times: log records of one span and one time keep their order of arrival, which differs between travels.
    const [within, atMs] = [(index % 6) + 1, span.atMs + index];
    if (kind === 'log') found.logs.push(userLog({ ...span, span: within, atMs, said: `note ${index}` }));
  });
  return found;
});

/** Way in which the records arrive: each at least once, in messages of any size and order. */
interface Travel {
  messageOf: number[];
  repeatedIn: (number | undefined)[];
  seed: number;
}

const travel: fc.Arbitrary<Travel> = fc.record({
  messageOf: fc.array(fc.nat({ max: 5 }), { minLength: 24, maxLength: 24 }),
  repeatedIn: fc.array(fc.option(fc.nat({ max: 5 }), { nil: undefined }), { minLength: 24, maxLength: 24 }),
  seed: fc.nat(),
});

const moment = fc.constantFrom<Moment>('before', 'half way', 'after');
const crash = fc.option(fc.record({ step: fc.integer({ min: 1, max: 8 }), moment, isFatal: fc.boolean() }), {
  nil: undefined,
});
/** Next action; with a crash, its nth step fails, or the process dies there. */
interface Action {
  kind: 'deliver' | 'assemble' | 'wait' | 'all at once';
  crash: { step: number; moment: Moment; isFatal: boolean } | undefined;
}

const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('deliver' as const), crash }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('assemble' as const), crash }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'wait' as const, crash: undefined }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'all at once' as const, crash: undefined }) },
);

function messagesOf(all: Records, { messageOf, repeatedIn, seed }: Travel): SpansMessage[] {
  const parts = Array.from({ length: 6 }, (): Records => ({ spans: [], logs: [] }));
  const numbered = [...all.spans.map((span) => ({ span })), ...all.logs.map((log) => ({ log }))];
  numbered.forEach((record, index) => {
    for (const target of [messageOf[index], repeatedIn[index]]) {
      const part = target === undefined ? undefined : parts[target];
      if (part === undefined) continue;
      if ('span' in record) part.spans.push(record.span);
      else part.logs.push(record.log);
    }
  });
  return parts
    .map((part) => spansMessage({ spans: rotated(part.spans, seed), logs: rotated(part.logs, seed) }))
    .filter(({ data }) => data.groups.some(({ spans, logs }) => spans.length + logs.length > 0));
}

function rotated<Item>(items: readonly Item[], by: number): Item[] {
  const at = items.length === 0 ? 0 : by % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
}

/** Delivers as the broker does: an unconfirmed message is delivered again. */
async function deliverWithFaults(messages: SpansMessage[], actions: readonly Action[]) {
  const clock = fixedClock(STARTED_AT);
  const fault = createFault();
  // A process that was killed has lost its memory, so it is created anew.
  let process = createTestStores(database.current, clock, { wrap: fault.wrap, maxNamedOfTrace: 1 });
  const other = createTestStores(database.current, clock);
  const waiting = [...messages];
  const restart = () => {
    fault.mend();
    process = createTestStores(database.current, clock, { wrap: fault.wrap, maxNamedOfTrace: 1 });
  };
  for (const { kind, crash } of actions) {
    if (crash !== undefined) fault.arm(crash.step, crash.moment, crash.isFatal);
    const next = waiting[0];
    try {
      if (kind === 'wait') clock.advance(QUIET_MS);
      if (kind === 'assemble') await assembleDue(process.loop);
      if (kind === 'deliver' && next !== undefined) {
        await process.store(next);
        waiting.shift();
      }
      if (kind === 'all at once') {
        const [first, second] = waiting.splice(0, 2);
        await Promise.all([
          first && process.store(first),
          second && other.store(second),
          assembleDue(process.loop),
          assembleDue(other.loop),
        ]);
      }
      fault.mend();
    } catch (error) {
      if (error instanceof ProcessDied) restart();
      else if (!(error instanceof StepFailed)) throw error;
    }
  }
  await other.store(...waiting);
  clock.advance(RECOVERY_MS);
  await other.settleAll();
  clock.advance(RECOVERY_MS);
  await other.settleAll();
  return other;
}

async function deliverOnce(all: Records): Promise<TestStores> {
  const warehouse = createTestStores(database.current, fixedClock(STARTED_AT));
  await warehouse.store(spansMessage(all, OTHER_PROJECT_ID));
  await warehouse.settleAll();
  return warehouse;
}

/** Final state of a project as callers see it, without counts of changes. */
async function outcome(warehouse: TestStores, projectId: string) {
  const documents = await conversationModel(database.current.connection)
    .find({ projectId, listed: true })
    .sort({ conversationId: 1 })
    .lean<ConversationDocument[]>();
  const events = (await warehouse.announcedOf(projectId)).toReversed();
  return await Promise.all(
    documents.map(async ({ conversationId, snapshotId, contentHash, ...document }) => {
      const { startedAt, lastActivityAt, spanCount, messageCount, agents, models, usage, preview, traceIds, terms } =
        document;
      const snapshot = snapshotId === null ? undefined : await warehouse.stores.snapshots.read(projectId, snapshotId);
      const event = events.find((one) => one.conversationId === conversationId);
      // A conversation that has lost its words to another one equals one that never had any.
      const isSilent = snapshot === undefined || snapshot.messages.length === 0;
      // Content is announced when it is first complete; a late span without words may still change its times.
      return {
        ...{ conversationId, startedAt, lastActivityAt, spanCount, messageCount },
        contentHash: isSilent ? null : contentHash,
        ...{ agents, models, usage, preview, traceIds, terms },
        snapshot: isSilent ? undefined : { ...snapshot, snapshotId: '', projectId: '', revision: 0 },
        announced: isSilent && event?.messageCount === 0 ? undefined : toldBy(event),
      };
    }),
  );
}

function toldBy(event: ReadyEvent | undefined) {
  return event && { contentHash: event.contentHash, messageCount: event.messageCount };
}

/** Asserts that each content is announced once each time it becomes the current one, with its own revision. */
async function expectEachContentOnce(warehouse: TestStores) {
  const documents = await conversationModel(database.current.connection)
    .find({ projectId: PROJECT_ID })
    .lean<ConversationDocument[]>();
  for (const { conversationId, ...document } of documents) {
    const events = await warehouse.announced(conversationId);
    for (const [index, event] of events.entries()) {
      const before = events[index - 1];
      expect(event.contentHash).not.toBe(before?.contentHash);
      expect(event.revision).toBeGreaterThan(before?.revision ?? 0);
    }
    expect(events.at(-1)?.contentHash ?? null).toBe(document.contentHash);
    expect(document).toMatchObject({ dueAt: null, leaseUntil: 0, assembledTouches: document.touches });
    // A conversation that is no longer listed, but was announced, has been announced as empty.
    if (!document.listed && events.length > 0) expect(events.at(-1)?.messageCount).toBe(0);
  }
}

describe('spans in any order, repeated, in any messages, with crashes at any step', () => {
  it(
    'give the same conversations, snapshots and events as one clean delivery',
    async () => {
      await fc.assert(
        fc.asyncProperty(records, travel, fc.array(action, { maxLength: 14 }), async (all, how, actions) => {
          await emptyDatabase(database.current);
          const troubled = await deliverWithFaults(messagesOf(all, how), actions);
          const clean = await deliverOnce(all);
          expect(await outcome(troubled, PROJECT_ID)).toEqual(await outcome(clean, OTHER_PROJECT_ID));
          await expectEachContentOnce(troubled);
        }),
        { ...RUNS },
      );
    },
    TIMEOUT_MS,
  );
});
