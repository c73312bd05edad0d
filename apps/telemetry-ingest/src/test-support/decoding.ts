import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { envelopeSchema, spansReceived, type LogRecord, type SpanRecord, type TelemetryGroup } from '@clew/contracts';
import { memoryBody, type Body } from '../body/body.ts';
import { createByteBudget } from '../body/byte-budget.ts';
import { openSpools } from '../body/spool.ts';
import type { Decode } from '../otlp/decode.ts';
import { ExportOutcome } from '../otlp/export-outcome.ts';
import { createJsonDecoder } from '../otlp/json/decode-json.ts';
import { decodeStream } from '../otlp/json/decode-stream.ts';
import { decodeProtobuf } from '../otlp/protobuf/decode-protobuf.ts';
import { TRACES, type Signal } from '../otlp/signals.ts';
import { createRecordPublishers, type RecordPublisher } from '../publish/record-publisher.ts';
import type { IngestMeter } from '../quota/ingest-meter.ts';
import type { SpanPublisher } from '../publish/span-publisher.ts';

export const PROJECT_ID = `prj_01${'0'.repeat(24)}`;
export const NOW_MS = 1_760_000_000_000;
export const UNLIMITED_BYTES = Number.MAX_SAFE_INTEGER;

/** Record with the data that it shares with others of its group. */
export interface PlacedRecord<Record> {
  resource: TelemetryGroup['resource'];
  scopeName: string;
  record: Record;
}

export interface Decoded {
  spans: PlacedRecord<SpanRecord>[];
  logs: PlacedRecord<LogRecord>[];
  rejectedCount: number;
  reasons: string;
}

export const DECODERS = { protobuf: decodeProtobuf, json: createJsonDecoder(), streamedJson: decodeStream } as const;

/** Decodes a body, and reads the result from the queue messages in the same way as the warehouse. */
export async function decode(decoder: Decode, bytes: Uint8Array | Body, signal: Signal = TRACES): Promise<Decoded> {
  const body = bytes instanceof Uint8Array ? memoryBody(Buffer.from(bytes)) : bytes;
  const published: Buffer[] = [];
  const outcome = new ExportOutcome();
  const publisher = openTestPublisher(async (_id, message) => void published.push(message), signal.recordKind);
  let addedCount = 0;
  const records: RecordPublisher = {
    add(group, write) {
      addedCount += 1;
      return publisher.add(group, write);
    },
    finish: () => publisher.finish(),
    settled: () => publisher.settled(),
  };
  try {
    await decoder(body, signal, { projectId: PROJECT_ID, records, outcome });
  } catch (error) {
    // Records were added before the error: with more of them, some could have been published already.
    if (addedCount > 0) throw new Error('Of a malformed body something was taken', { cause: error });
    throw error;
  }
  await records.finish();
  return { ...readMessages(published), rejectedCount: outcome.rejectedCount, reasons: outcome.message };
}

/** Real path from a record to a message, with a function in place of the broker. */
export function openTestPublisher(
  publish: (messageId: string, body: Buffer) => Promise<void>,
  kind: Signal['recordKind'] = 'spans',
) {
  const held = createByteBudget({ maxBytes: UNLIMITED_BYTES, orphanedBytes: () => 0 }).open(PROJECT_ID);
  const publisher: SpanPublisher = {
    publish: (_projectId, messageId, body) => publish(messageId, body),
    orphanedBytes: () => 0,
  };
  const open = createRecordPublishers({
    ...{ publisher, clock: { now: () => NOW_MS }, meter: NO_METER },
    protect: async (_projectId, body) => body,
  });
  return open({ origin: { projectId: PROJECT_ID, requestId: 'req_test' }, kind, expectedBytes: 1_024, held });
}

/** Meter of a project without quotas. */
export const NO_METER: Pick<IngestMeter, 'take'> = { take: () => ({ end: () => undefined }) };

const Message = envelopeSchema(spansReceived);

/** Reads the records in messages of the queue; throws if the warehouse would refuse a message. */
export function readMessages(messages: readonly Buffer[]): Pick<Decoded, 'spans' | 'logs'> {
  const groups = messages.flatMap((message) => Message.parse(JSON.parse(message.toString())).data.groups);
  const placed = <Record>(records: (group: TelemetryGroup) => Record[]) =>
    groups.flatMap((group) =>
      records(group).map((record) => ({ resource: group.resource, scopeName: group.scopeName, record })),
    );
  return { spans: placed((group) => group.spans), logs: placed((group) => group.logs) };
}

/** Calls `use` with a body that is in a file, like a large one. */
export async function withSpooled<Result>(bytes: Uint8Array, use: (body: Body) => Promise<Result>): Promise<Result> {
  const directory = await mkdtemp(join(tmpdir(), 'clew-ingest-test-'));
  const spools = await openSpools({ directory, maxOpen: 1 });
  const held = createByteBudget({ maxBytes: UNLIMITED_BYTES, orphanedBytes: () => 0 }).open(PROJECT_ID);
  const spool = await spools.open(PROJECT_ID, held);
  try {
    await spool.write(Buffer.from(bytes));
    return await use(spool);
  } finally {
    await spool.close();
    await rm(directory, { recursive: true });
  }
}
