import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { draftRecord } from './draft-record.ts';
import type { LargeRecord } from './import-record.ts';
import { createLargeRecords, createLargeRecordTurns } from './large-records.ts';
import { LARGE_TEXT_LENGTH, readRecord, recordOf } from './read-record.ts';

const JSONL = { format: 'jsonl' } as const;
const largeRecords = createLargeRecords('prj_1', createLargeRecordTurns());
const STARTING_MS = 120_000;
/** Processor time of a large record that is read on this thread, in milliseconds. */
let readHereMs: number;

beforeAll(async () => {
  readHereMs = await timeOnThisThread(() => {
    const read = readRecord(7, lineOf(900_000), JSONL);
    expect('reason' in read ? read : draftRecord(read, JSONL)).toBeDefined();
  });
  expect(await largeRecords.draft(largeRecordOf(lineOf(15_000)), JSONL)).toHaveProperty('body');
}, STARTING_MS);

afterAll(() => largeRecords.close());

/** Line whose object has that many small members. */
function lineOf(members: number): string {
  const text = Array.from({ length: members }, (_, index) => `"k${index}":${index % 10}`).join(',');
  return `{"payload":{"input":{"type":"json","value":{${text}}}}}`;
}

/** Processor time that work takes on this thread, in milliseconds. */
async function timeOnThisThread(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

function largeRecordOf(text: string): LargeRecord {
  const record = recordOf(7, text, JSONL);
  if (!('text' in record)) throw new Error('The record is not large');
  return record;
}

describe('a large record', () => {
  it('is one that has too much text to be read at once', () => {
    const filler = 'x'.repeat(LARGE_TEXT_LENGTH);
    expect(recordOf(1, `"${filler}"`, JSONL)).toHaveProperty('text');
    expect(recordOf(1, `"${filler.slice(2)}"`, JSONL)).toMatchObject({ value: filler.slice(2) });
  });

  it('becomes the same draft as it would where others are read', async () => {
    const record = largeRecordOf(lineOf(50_000));
    const read = readRecord(record.line, record.text, record.form);
    if ('reason' in read) throw new Error(read.reason);
    expect(await largeRecords.draft(record, JSONL)).toEqual(draftRecord(read, JSONL));
  });

  it('of a CSV that holds nothing but delimiters is refused', async () => {
    const form = { format: 'csv', delimiter: ',', plan: { fields: ['input', 'tags'], isExact: false } } as const;
    for (const text of [','.repeat(12_000_000), `"${','.repeat(12_000_000)}`, `""${','.repeat(12_000_000)}`]) {
      const record = { line: 7, text, form, costBytes: text.length };
      expect(await largeRecords.draft(record, { format: 'csv' })).toHaveProperty('reason');
    }
  });

  it.each([
    ['is larger than an Example may be', lineOf(900_000), 'must not be larger than 4194304 bytes'],
    ['holds too many values', `[${'1,'.repeat(1_100_000)}1]`, 'holds more than 1000000 values'],
    ['is no JSON', `{${'"a":1,'.repeat(100_000)}`, 'is not valid JSON'],
  ])('that %s is refused, and takes little of the time of others', async (_name, text, reason) => {
    const record = largeRecordOf(text);
    const takenMs = await timeOnThisThread(async () => {
      expect(await largeRecords.draft(record, JSONL)).toHaveProperty('reason', reason);
    });
    expect(takenMs).toBeLessThan(readHereMs / 2);
  });

  it(
    'waits for one of the same project, in whatever import, and for none of another',
    async () => {
      const turns = createLargeRecordTurns();
      const [first, second] = [createLargeRecords('prj_many', turns), createLargeRecords('prj_many', turns)];
      const other = createLargeRecords('prj_one', turns);
      const record = largeRecordOf(lineOf(15_000));
      const many = [first, second].map((records) => records.draft(record, JSONL));
      expect(turns.running).toBe(1);
      const one = other.draft(record, JSONL);
      expect(turns.running).toBe(2);
      await Promise.all([...many, one]);
      for (const records of [first, second, other]) records.close();
      expect(turns.running).toBe(0);
    },
    STARTING_MS,
  );
});
