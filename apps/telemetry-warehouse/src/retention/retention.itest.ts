import { beforeEach, describe, expect, it } from '@jest/globals';
import { nativeDb } from '@clew/persistence';
import { fixedClock, storedText, useTestEnvironment, type FixedClock } from '@clew/testing';
import type { NewSnapshot, SnapshotStore } from '../snapshots/index.ts';
import { useTestDatabase } from '../test-support/database.ts';
import { chatSpan, PROJECT_ID, spansMessage, traceId } from '../test-support/spans.ts';
import { createTestStores, type TestStores } from '../test-support/stores.ts';
import { DAY_MS } from './mechanism.ts';

const database = useTestDatabase(useTestEnvironment());
const DOER = { actor: { kind: 'key', id: 'key_1' }, address: null, requestId: 'req_1' } as const;
let clock: FixedClock;
let warehouse: TestStores;

beforeEach(() => {
  // Snapshots are stamped with the machine's time, so the clock starts there.
  clock = fixedClock(Date.now());
  warehouse = createTestStores(database.current, clock);
});

/** Call of conversation `c`, in its own trace, received now. */
function call(index: number, said: string, conversation = 'c') {
  const span = chatSpan({ trace: index, span: index, conversation, said, answered: `yes, ${said}` });
  const message = spansMessage({ spans: [span] });
  return { ...message, data: { ...message.data, receivedAt: clock.now() } };
}

async function whereIs(word: string): Promise<string[]> {
  const texts = await storedText(nativeDb(database.current.connection));
  return [...texts].filter(([, text]) => text.includes(word)).map(([name]) => name);
}

const collection = (name: string) => nativeDb(database.current.connection).collection(name);
const states = () => warehouse.retention.service.states(PROJECT_ID);

async function addScore(comment: string): Promise<void> {
  await warehouse.stores.scores.insert(null as never, PROJECT_ID, 'c', {
    ...{ id: 'scr_1', name: 'helpful', value: true, comment, source: 'user', createdAt: clock.now() },
  });
}

describe('raw payload retention', () => {
  it('takes every word after its time from all that is stored, and leaves hashes, numbers and events as they are', async () => {
    await addScore('splendid');
    await warehouse.store(call(1, 'zebra'), call(2, 'okapi'));
    await warehouse.settleAll();
    const before = await warehouse.conversation('c');
    const hashes = (await warehouse.snapshotOf('c'))!.messages.map(({ hash }) => hash);
    expect(await whereIs('zebra')).toEqual(expect.arrayContaining(['conversations', 'fragment_contents', 'snapshots']));

    clock.advance(29 * DAY_MS);
    await warehouse.sweepAll();
    expect(await warehouse.said('c')).toEqual(['zebra', 'yes, zebra', 'okapi', 'yes, okapi']);

    clock.advance(2 * DAY_MS);
    expect((await states()).rawPayload).toMatchObject({ backlog: 3, oldestAgeMs: expect.any(Number) });
    await warehouse.sweepAll();
    for (const word of ['zebra', 'okapi', 'splendid']) expect(await whereIs(word)).toEqual([]);
    const snapshot = (await warehouse.snapshotOf('c'))!;
    expect(snapshot.messages.map(({ hash, textExpired }) => [hash, textExpired])).toEqual(
      hashes.map((hash) => [hash, true]),
    );
    const { contentHash, messagesHash, snapshotId, revision, spanCount } = before;
    expect(await warehouse.conversation('c')).toMatchObject({
      contentHash,
      messagesHash,
      snapshotId,
      revision,
      spanCount,
    });
    expect(await warehouse.announced()).toHaveLength(1);
    expect((await states()).rawPayload).toMatchObject({ backlog: 0, oldestAgeMs: 0, removedInTotal: { payloads: 2 } });

    await warehouse.store(call(2, 'okapi'));
    await collection('fragment_contents').deleteMany({});
    await warehouse.settleAll();
    expect(await warehouse.announced()).toHaveLength(1);
  });

  it('takes the old words of a conversation that goes on, and leaves the new ones', async () => {
    await warehouse.store(call(1, 'zebra'));
    await warehouse.settleAll();
    clock.advance(20 * DAY_MS);
    await warehouse.store(call(2, 'okapi'));
    await warehouse.settleAll();
    await collection('snapshots').updateMany({}, { $set: { createdAt: new Date(clock.now()) } });
    clock.advance(11 * DAY_MS);
    await warehouse.sweepAll();
    expect(await whereIs('zebra')).toEqual([]);
    expect(await warehouse.said('c')).toEqual(['', '', 'okapi', 'yes, okapi']);
    expect(await warehouse.conversation('c')).toMatchObject({ preview: 'okapi' });
    expect(await collection('conversations').findOne({}, { projection: { _id: 0, terms: 1 } })).toEqual({
      terms: ['okapi', 'yes'],
    });
  });

  it('is not undone by an assembly that had read the words before', async () => {
    await warehouse.store(call(1, 'zebra'));
    const waiting = await warehouse.conversation('c');
    clock.advance(31 * DAY_MS);
    let hasSwept = false;
    const assembling = createTestStores(database.current, clock, {
      wrap: (name, store) =>
        name !== 'snapshots'
          ? store
          : sweepingFirst(store, async () => {
              if (!hasSwept) await warehouse.sweepAll();
              hasSwept = true;
            }),
    });
    await assembling.assembler.snapshotNow(waiting);
    expect(hasSwept).toBe(true);
    expect(await whereIs('zebra')).toEqual([]);
  });
});

/** Store of snapshots that runs `sweep` before each write is prepared. */
function sweepingFirst<Store extends object>(store: Store, sweep: () => Promise<void>): Store {
  const { prepare } = store as unknown as SnapshotStore;
  return {
    ...store,
    prepare: async (snapshot: NewSnapshot) => {
      await sweep();
      return await prepare(snapshot);
    },
  };
}

describe('telemetry retention', () => {
  it('removes records and conversations after their time, and nothing of what came later', async () => {
    await warehouse.store(call(1, 'zebra'), call(2, 'okapi', 'other'));
    await warehouse.settleAll();
    clock.advance(60 * DAY_MS);
    await warehouse.store(call(3, 'tapir', 'other'));
    await warehouse.settleAll();
    clock.advance(31 * DAY_MS);
    await warehouse.sweepAll();
    expect(await warehouse.conversationIdsOf(PROJECT_ID)).toEqual(['other']);
    expect(await collection('trace_fragments').distinct('traceId')).toEqual([traceId(3)]);
    expect(await collection('snapshots').distinct('conversationId')).toEqual(['other']);
    expect((await states()).telemetry).toMatchObject({
      backlog: 0,
      removedInTotal: { fragments: 2, conversations: 1 },
    });
  });

  it('keeps for as long as a project says, and begins at once when that changes', async () => {
    await warehouse.store(call(1, 'zebra'));
    await warehouse.settleAll();
    await warehouse.sweepAll();
    clock.advance(3 * DAY_MS);
    await warehouse.retention.service.change(
      PROJECT_ID,
      { rawPayloadRetentionDays: 2, telemetryRetentionDays: 2 },
      DOER,
    );
    await warehouse.sweepAll();
    expect(await warehouse.conversationIdsOf(PROJECT_ID)).toEqual([]);
    await expect(
      warehouse.retention.service.change(PROJECT_ID, { rawPayloadRetentionDays: 5 }, DOER),
    ).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
    });
  });
});

describe('lifecycle maintenance', () => {
  it('removes snapshots that nothing names after a week, and chunks of those that never came to be', async () => {
    await warehouse.store(call(1, 'zebra'));
    await warehouse.settleAll();
    const first = (await warehouse.conversation('c')).snapshotId;
    await warehouse.store(call(2, 'okapi'));
    await warehouse.settleAll();
    const second = (await warehouse.conversation('c')).snapshotId;
    await collection('snapshot_chunks').insertOne({
      ...{ _id: 'cesr_never:0000' as never, projectId: PROJECT_ID, createdAt: new Date() },
    });
    clock.advance(6 * DAY_MS);
    await warehouse.sweepAll();
    expect(await collection('snapshots').distinct('_id')).toEqual([first, second].toSorted());
    clock.advance(2 * DAY_MS);
    await warehouse.sweepAll();
    expect(await collection('snapshots').distinct('_id')).toEqual([second]);
    expect(await collection('snapshot_chunks').countDocuments()).toBe(0);
    expect((await states()).maintenance).toMatchObject({ lastRunAt: clock.now(), removedInTotal: { snapshots: 1 } });
  });
});

describe('a run', () => {
  it('is seen through from where a process that was killed had come to', async () => {
    for (let index = 1; index <= 5; index += 1) await warehouse.store(call(index, `zebra ${index}`));
    await warehouse.settleAll();
    clock.advance(31 * DAY_MS);
    const { sweeps, mechanisms, settings } = warehouse.retention;
    const claimed = await sweeps.rows.claimOne(`${PROJECT_ID}:rawPayload`, clock.now());
    const context = { projectId: PROJECT_ID, settings: await settings.get(PROJECT_ID), nowMs: clock.now() };
    let position = { step: 'payloads' } as NonNullable<Awaited<ReturnType<typeof mechanisms.rawPayload.sweep>>['next']>;
    position = (await mechanisms.rawPayload.sweep(context, position)).next!;
    await sweeps.note(claimed!, position, {});
    // State as if the process was killed after it removed the chosen contents, and before it removed their copies.
    await collection('fragment_contents').deleteMany({});
    clock.advance(10 * 60_000);
    await warehouse.sweepAll();
    expect(await whereIs('zebra')).toEqual([]);
  });
});

describe('what operators are told', () => {
  const figures = () => warehouse.retention.service.figures();

  it.each(['telemetry', 'rawPayload', 'maintenance'] as const)(
    'a run of %s that fails again and again is behind by the whole time, until one has come to its end',
    async (mechanism) => {
      await warehouse.store(call(1, 'zebra'));
      await warehouse.sweepAll();
      expect((await figures())[mechanism]).toMatchObject({ backlog: 0, oldestAgeMs: 0, lastRunAt: clock.now() });
      clock.advance(DAY_MS);
      const { mechanisms } = warehouse.retention;
      const failing = { ...mechanisms[mechanism], sweep: () => Promise.reject(new Error('no disk')) };
      for (let attempt = 0; attempt < 5; attempt += 1) {
        await warehouse.sweepAll({ ...mechanisms, [mechanism]: failing });
        clock.advance(10 * 60_000);
      }
      const behind = await figures();
      expect(behind[mechanism].backlog).toBe(1);
      expect(behind[mechanism].oldestAgeMs).toBeGreaterThanOrEqual(50 * 60_000);
      for (const other of ['telemetry', 'rawPayload', 'maintenance'] as const) {
        if (other !== mechanism) expect(behind[other].oldestAgeMs).toBe(0);
      }
      clock.advance(60_000);
      await warehouse.sweepAll();
      expect((await figures())[mechanism]).toMatchObject({ backlog: 0, oldestAgeMs: 0 });
    },
  );
});
