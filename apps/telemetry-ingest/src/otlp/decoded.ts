import type { LogRecord, SpanRecord, TelemetryGroup } from '@clew/contracts';
import type { JsonAttributes } from './any-value.ts';
import { MAX_RECORD_BYTES, RecordRefusedError } from './limits.ts';
import { acceptLog, acceptSpan, type LogDraft, type SpanDraft } from './records.ts';

/** A group with the size of each record as it came, so that it can be cut into messages. */
export interface DecodedGroup {
  resource: JsonAttributes;
  scopeName: string;
  spans: { record: SpanRecord; bytes: number }[];
  logs: { record: LogRecord; bytes: number }[];
}

/** What a request holds: what is acceptable, and how much is not. */
export interface DecodedExport {
  groups: DecodedGroup[];
  rejectedCount: number;
  /** Why; at most a few different reasons are named. */
  reasons: Set<string>;
}

const MAX_REASONS = 5;

export function emptyExport(): DecodedExport {
  return { groups: [], rejectedCount: 0, reasons: new Set() };
}

export function emptyGroup(resource: JsonAttributes, scopeName: string): DecodedGroup {
  return { resource, scopeName, spans: [], logs: [] };
}

/** Reads and checks one span; one that is refused is counted, and the others go on. */
export function addSpan(result: DecodedExport, group: DecodedGroup, bytes: number, read: () => SpanDraft): void {
  addRecord(result, () => group.spans.push(measured(acceptSpan(read()), bytes)));
}

export function addLog(result: DecodedExport, group: DecodedGroup, bytes: number, read: () => LogDraft): void {
  addRecord(result, () => group.logs.push(measured(acceptLog(read()), bytes)));
}

/** Escapes make JSON at most six times as large as the text it holds, so that most records need not be measured. */
const MAX_ESCAPE_FACTOR = 6;

function measured<Kind>(record: Kind, wireBytes: number): { record: Kind; bytes: number } {
  if (wireBytes * MAX_ESCAPE_FACTOR <= MAX_RECORD_BYTES) return { record, bytes: wireBytes };
  const bytes = Buffer.byteLength(JSON.stringify(record));
  if (bytes > MAX_RECORD_BYTES) throw new RecordRefusedError(`larger than ${MAX_RECORD_BYTES} bytes`);
  return { record, bytes };
}

function addRecord(result: DecodedExport, add: () => void): void {
  try {
    add();
  } catch (error) {
    if (!(error instanceof RecordRefusedError)) throw error;
    result.rejectedCount += 1;
    if (result.reasons.size < MAX_REASONS) result.reasons.add(error.message);
  }
}

/** Cuts groups into parts of at most about `maxBytes` each; a part is never empty. */
export function* partsOf(groups: readonly DecodedGroup[], maxBytes: number): Generator<TelemetryGroup[]> {
  let part: TelemetryGroup[] = [];
  let partBytes = 0;
  for (const group of groups) {
    let target: TelemetryGroup | undefined;
    for (const [kind, { record, bytes }] of recordsOf(group)) {
      if (partBytes > 0 && partBytes + bytes > maxBytes) {
        yield part;
        part = [];
        partBytes = 0;
        target = undefined;
      }
      if (target === undefined) {
        target = { resource: group.resource, scopeName: group.scopeName, spans: [], logs: [] };
        part.push(target);
      }
      if (kind === 'span') target.spans.push(record as SpanRecord);
      else target.logs.push(record as LogRecord);
      partBytes += bytes;
    }
  }
  if (part.length > 0) yield part;
}

function* recordsOf(group: DecodedGroup) {
  for (const span of group.spans) yield ['span', span] as const;
  for (const log of group.logs) yield ['log', log] as const;
}
