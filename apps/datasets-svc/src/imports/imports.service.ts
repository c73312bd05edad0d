import { MAX_EXAMPLE_BYTES, type DatasetImportReport, type ImportQuery } from '@clew/contracts';
import { AppError, createSharedBudget, type ErrorCode } from '@clew/kernel';
import type { Database } from '@clew/persistence';
import type { DatasetKey, ExampleReader, ExampleTraitsStore, ExampleUpserts } from '../examples/index.ts';
import { asUtf8 } from './as-utf8.ts';
import { CsvReader } from './csv-reader.ts';
import { HeldExamples } from './held-examples.ts';
import type { ImportMemory } from './import-memory.ts';
import type { ImportRecord, RecordReader } from './import-record.ts';
import { ImportRun } from './import-run.ts';
import { JsonLinesReader } from './json-lines.ts';
import { createLargeRecords, createLargeRecordTurns } from './large-records.ts';

export interface ImportsDependencies {
  database: Database;
  upserts: ExampleUpserts;
  reader: ExampleReader;
  traits: ExampleTraitsStore;
  /**
   * Imports that run at a time, shared by the projects; each may take some 200 MB for a large Dataset with large lines.
   */
  maxRunning: number;
}

/** File that is still being received. */
export interface IncomingFile {
  chunks: AsyncIterable<Buffer>;
  /** Whether its sender has gone away before the end. */
  isGone(): boolean;
  /**
   * Waits for the rest of a file that could not be read to its end. Throws if the rest does not come, or if the file is
   * not the one of the earlier attempt.
   */
  received(): Promise<void>;
}

export interface ImportOptions {
  requestId: string;
  /** Present if the import may be sent again and must take effect once. */
  memory?: ImportMemory | undefined;
}

export interface ImportsService {
  run(key: DatasetKey, query: ImportQuery, file: IncomingFile, options: ImportOptions): Promise<DatasetImportReport>;
}

/** Size limit of a line: in JSON text, an escaped character can take three times its bytes. */
const MAX_LINE_BYTES = 3 * MAX_EXAMPLE_BYTES;
const RETRY_AFTER_MS = 10_000;

export function createImportsService(deps: ImportsDependencies): ImportsService {
  const places = createSharedBudget({
    maxUnits: deps.maxRunning,
    retryAfterMs: RETRY_AFTER_MS,
    shareMessage: 'The project has too many imports running',
    wholeMessage: 'Too many imports are running',
  });
  const turns = createLargeRecordTurns();
  return {
    async run(key, query, file, { requestId, memory }) {
      await deps.reader.versionOf(key);
      // An import gets its place with the first byte, so that a mere announcement does not block others.
      const chunks = await begun(file.chunks);
      const place = places.open(key.projectId);
      const largeRecords = createLargeRecords(key.projectId, turns);
      try {
        place.hold(1);
        const held = await HeldExamples.of(deps.traits, key, { isWanted: () => !file.isGone() });
        const { upserts } = deps;
        const run = new ImportRun({ key, query, requestId, held, memory, upserts, largeRecords, isGone: file.isGone });
        await readFile({ ...file, chunks }, readerFor(query), run);
        const report = run.report();
        if (memory !== undefined) await deps.database.withTransaction((tx) => memory.finish(tx, report));
        return report;
      } finally {
        largeRecords.close();
        place.release();
        // The body is drained even if nothing was read of it, so that its sender gets the answer.
        await chunks.return?.();
      }
    },
  };
}

/** Waits for the first chunk. If it fails, the reader of the chunks gets the error. */
async function begun(chunks: AsyncIterable<Buffer>): Promise<AsyncIterableIterator<Buffer>> {
  const iterator = chunks[Symbol.asyncIterator]();
  const first = iterator.next();
  await first.catch(() => undefined);
  const read = [first];
  const whole: AsyncIterableIterator<Buffer> = {
    [Symbol.asyncIterator]: () => whole,
    next: () => read.pop() ?? iterator.next(),
    return: async () => (await iterator.return?.()) ?? { done: true, value: undefined },
  };
  return whole;
}

function readerFor({ format, mapping, delimiter }: ImportQuery): RecordReader {
  switch (format) {
    case 'csv':
      return new CsvReader({ mapping, delimiter, maxRecordBytes: MAX_LINE_BYTES });
    case 'jsonl':
      return new JsonLinesReader(MAX_LINE_BYTES, 'jsonl');
    case 'openai-chat':
      return new JsonLinesReader(MAX_LINE_BYTES, 'openai-chat');
  }
}

/** Reads a file into a run. Whatever ends the file early, the lines before it are kept. */
async function readFile(file: IncomingFile, reader: RecordReader, run: ImportRun): Promise<void> {
  try {
    for await (const chunk of asUtf8(file.chunks)) await takeAll(run, reader.cut(chunk));
    await takeAll(run, reader.end());
  } catch (error) {
    const line = reader.lineCount + 1;
    if (file.isGone() || !(error instanceof AppError) || !ENDINGS.has(error.code)) {
      // Each batch in progress is written as a whole or not at all.
      await run.settled();
      throw error;
    }
    await run.finish();
    if (error.code !== 'MALFORMED_BODY') throw endedEarly(error, line);
    await file.received();
    await run.take({ line, path: '', reason: 'the file ends early, or could not be decompressed from here on' });
  }
  await run.finish();
}

async function takeAll(run: ImportRun, records: Iterable<ImportRecord>): Promise<void> {
  for (const record of records) {
    const room = run.take(record);
    if (room !== undefined) await room;
  }
}

/** Errors of the body itself, after which nothing more can be read. */
const ENDINGS: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['MALFORMED_BODY', 'PAYLOAD_TOO_LARGE']);

function endedEarly({ code, message, cause }: AppError, line: number): AppError {
  return new AppError(code, `${message}; the lines before line ${line} were read, and the good ones are kept`, {
    cause,
  });
}
