import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AppError, overloaded } from '@clew/kernel';
import { createByteBudget } from '../body/byte-budget.ts';
import { token } from '../json/json-writer.ts';
import { MAX_MESSAGE_BYTES, MAX_RECORD_BYTES, RecordRefused } from '../records/limits.ts';
import { SPAN_ID, TRACE_ID } from '../test-support/protobuf.ts';
import { NO_METER, openTestPublisher, readMessages } from '../test-support/decoding.ts';
import type { RecordGroup } from './record-group.ts';
import { createRecordPublishers } from './record-publisher.ts';

const GROUPS: RecordGroup[] = ['a', 'b', 'c'].map((name) => ({
  resource: token(JSON.stringify({ service: name })),
  scopeName: token(JSON.stringify(name)),
}));

function spanJson(name: string, bytes = 0): string {
  const attributes = { filler: 'x'.repeat(bytes) };
  return JSON.stringify({
    ...{ traceId: TRACE_ID, spanId: SPAN_ID, name, kind: 0, statusCode: 0, events: [], attributes },
    ...{ startTimeUnixNano: '1', endTimeUnixNano: '1' },
  });
}

interface Written {
  group: number;
  bytes: number;
  /** Outcome of writing the record; a record that is not `good` cannot be written to its end. */
  outcome: 'good' | 'refused' | 'too large';
}

describe('records that are cut into messages', () => {
  const records = fc.array(
    fc.record<Written>({
      group: fc.nat(GROUPS.length - 1),
      bytes: fc.oneof({ weight: 5, arbitrary: fc.nat(2_000) }, { weight: 1, arbitrary: fc.nat(300_000) }),
      outcome: fc.constantFrom('good', 'good', 'good', 'refused', 'too large'),
    }),
    { maxLength: 40 },
  );

  it('arrive once, in order and with their group; those that are refused leave no trace', async () => {
    await fc.assert(
      fc.asyncProperty(records, async (written) => {
        const messages: Buffer[] = [];
        const publisher = openTestPublisher(async (_id, body) => void messages.push(body));
        for (const [index, { group, bytes, outcome }] of written.entries()) {
          try {
            await publisher.add(GROUPS[group]!, (out) => {
              out.json(spanJson(String(index), bytes).slice(0, outcome === 'good' ? undefined : 40));
              if (outcome === 'refused') throw new RecordRefused('of the test');
              if (outcome === 'too large') out.json('x'.repeat(MAX_RECORD_BYTES));
            });
          } catch (error) {
            expect(error).toBeInstanceOf(RecordRefused);
          }
        }
        await publisher.finish();
        const good = written.flatMap(({ group, outcome }, index) => (outcome === 'good' ? [{ group, index }] : []));
        expect(readMessages(messages).spans).toMatchObject(
          good.map(({ group, index }) => ({
            resource: { service: 'abc'[group] },
            scopeName: 'abc'[group],
            record: { name: String(index) },
          })),
        );
        for (const message of messages) expect(message.length).toBeLessThan(MAX_MESSAGE_BYTES + 310_000);
        if (good.length === 0) expect(messages).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});

describe('what is not confirmed', () => {
  const addMany = async (publisher: ReturnType<typeof openTestPublisher>, count: number) => {
    for (let index = 0; index < count; index += 1) {
      await publisher.add(GROUPS[0]!, (out) => out.json(spanJson(String(index), 100_000)));
    }
  };

  it('is at most a few messages at a time', async () => {
    let underWay = 0;
    let most = 0;
    const publisher = openTestPublisher(async () => {
      most = Math.max(most, (underWay += 1));
      await new Promise((resolve) => setImmediate(resolve));
      underWay -= 1;
    });
    await addMany(publisher, 100);
    await publisher.finish();
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(3);
  });

  it('makes the whole request fail, however many were confirmed', async () => {
    let count = 0;
    const publisher = openTestPublisher(async () => {
      count += 1;
      if (count === 3) throw overloaded('full', 1);
    });
    const sent = (async () => {
      await addMany(publisher, 30);
      await publisher.finish();
    })();
    await expect(sent).rejects.toMatchObject({ code: 'OVERLOADED' });
    await publisher.settled();
    expect(count).toBeLessThan(8);
  });

  it('is tried again by a patient request, and not where another try cannot help', async () => {
    const openPatient = (publish: () => Promise<void>) => {
      const held = createByteBudget({ maxBytes: 2 ** 30, orphanedBytes: () => 0 }).open('prj_one');
      const open = createRecordPublishers({
        publisher: { publish, orphanedBytes: () => 0 },
        clock: { now: () => 0 },
        meter: NO_METER,
        protect: async (_projectId, body) => body,
      });
      const origin = { projectId: 'prj', requestId: 'req' };
      return open({ origin, kind: 'spans', expectedBytes: 1_000, held, patienceMs: 10_000 });
    };
    let tries = 0;
    const passing = openPatient(async () => {
      if ((tries += 1) < 3) throw overloaded('full', 1);
    });
    await addMany(passing, 1);
    await passing.finish();
    expect(tries).toBe(3);
    const lasting = openPatient(async () => {
      throw new AppError('INTERNAL_ERROR', 'broken');
    });
    await addMany(lasting, 1);
    await expect(lasting.finish()).rejects.toThrow('broken');
  });
});
