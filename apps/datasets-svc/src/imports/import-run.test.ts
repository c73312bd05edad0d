import { expect, it } from '@jest/globals';
import type { ExampleDraft, ExampleUpserts, StoredExample } from '../examples/index.ts';
import { HeldExamples } from './held-examples.ts';
import type { ImportMemory, ImportProgress } from './import-memory.ts';
import { ImportReport } from './import-report.ts';
import { IMPORT_BATCH_EXAMPLES, ImportRun } from './import-run.ts';
import { createLargeRecords, createLargeRecordTurns } from './large-records.ts';

const created = (id: string) => ({ outcome: 'created' as const, example: { id } as StoredExample });

/** Run that resumes after 5 lines, of which 4 were imported; returns what it writes. */
function resumed() {
  const written: string[] = [];
  const advances: ImportProgress[] = [];
  const state = { isKnown: false };
  const report = new ImportReport();
  for (let line = 1; line <= 4; line += 1) report.wrote(line, created(`ex_${line}`));
  report.refuse({ line: 5, path: '', reason: 'is not valid JSON' });
  const memory: ImportMemory = {
    progress: { line: 5, report: report.state(), body: '100:x' },
    isKnownFile: () => state.isKnown,
    mark: () => '200:y',
    advance: async (_tx, progress) => void advances.push(progress),
    finish: async () => undefined,
  };
  const upserts: ExampleUpserts = {
    async upsert(_key, drafts, _options, inTransaction) {
      const textOf = ({ body }: ExampleDraft) =>
        (JSON.parse(body) as { payload: { input: { text: string } } }).payload.input.text;
      const outcomes = drafts.map((draft) => created(textOf(draft)));
      // The second call imitates a transaction that runs again.
      await inTransaction?.({} as never, outcomes);
      await inTransaction?.({} as never, outcomes);
      written.push(...outcomes.map(({ example }) => example.id));
      return outcomes;
    },
  };
  const key = { projectId: 'prj_1', datasetId: 'dst_1' };
  const run = new ImportRun({
    ...{ key, upserts, memory, held: new HeldExamples() },
    query: { format: 'jsonl' },
    requestId: 'req_1',
    isGone: () => false,
    largeRecords: createLargeRecords(key.projectId, createLargeRecordTurns()),
  });
  const take = (line: number) =>
    run.take({ line, value: { payload: { input: { type: 'text', text: `line ${line}` } } }, costBytes: 100 });
  return { run, take, state, written, advances };
}

it('a run that goes on writes nothing until the file has proved to be the same, and then all that came after', async () => {
  const { run, take, state, written, advances } = resumed();
  for (let line = 1; line <= 2_005; line += 1) await take(line);
  await run.finish();
  expect(written).toEqual([]);
  state.isKnown = true;
  for (let line = 2_006; line <= 2_505; line += 1) await take(line);
  await run.finish();
  expect(written).toEqual(Array.from({ length: 2_500 }, (_, index) => `line ${index + 6}`));
  expect(run.report()).toMatchObject({ imported: 2_504, refusedCount: 1 });
  // Each step is reported twice, once per run of its transaction, with equal content.
  const steps = advances.filter((_, index) => index % 2 === 0);
  expect(advances.filter((_, index) => index % 2 === 1)).toEqual(steps);
  const ends = [1, 2, 3].map((batches) => batches * IMPORT_BATCH_EXAMPLES + 5);
  expect(steps.map(({ line, report }) => [line, report.imported, report.refusedCount])).toEqual(
    [...ends, 2_505].map((line) => [line, line - 1, 1]),
  );
});

it('a run that goes on gives a file up that is not known by and by, before it fills the memory', async () => {
  const { run } = resumed();
  const value = { payload: { input: { type: 'text', text: 'x' } } };
  const takeAll = async () => {
    for (let line = 1; line <= 100; line += 1) await run.take({ line, value, costBytes: 4 * 1024 * 1024 });
  };
  await expect(takeAll()).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
});

it('what is refused while a batch is written is not told of as reached with it', async () => {
  const { run, take, state, advances } = resumed();
  state.isKnown = true;
  const end = IMPORT_BATCH_EXAMPLES + 5;
  for (let line = 6; line <= end; line += 1) await take(line);
  await run.take({ line: end + 1, path: '', reason: 'is not valid JSON' });
  await run.finish();
  expect(advances[0]).toMatchObject({ line: end, report: { refusedCount: 1 } });
  expect(run.report()).toMatchObject({ refusedCount: 2 });
});
