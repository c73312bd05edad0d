import type { JsonWriter } from '../json/json-writer.ts';
import type { RecordKind } from '../publish/record-group.ts';
import type { JsonObject } from './json/fields.ts';
import { readLog } from './json/read-log.ts';
import { readSpan } from './json/read-span.ts';
import type { RejectedField } from './partial-success.ts';
import { LOG_RECORD, SPAN, type MessageShape } from './protobuf/message-shapes.ts';
import type { WireReader } from './protobuf/wire-reader.ts';
import { writeLog } from './protobuf/write-log.ts';
import { writeSpan } from './protobuf/write-span.ts';

/** Differences between traces and logs; everything else about an export is the same. */
export interface Signal {
  recordKind: RecordKind;
  rejectedField: RejectedField;
  protobuf: {
    shape: MessageShape;
    /** Writes a record as JSON; throws RecordRefused. */
    write(reader: WireReader, out: JsonWriter): void;
  };
  json: {
    /** Names of the lists, from the outside in. */
    lists: readonly [resources: string, scopes: string, records: string];
    /** Reads a record; throws RecordRefused. */
    read(record: JsonObject): object;
  };
}

export const TRACES: Signal = {
  recordKind: 'spans',
  rejectedField: 'rejectedSpans',
  protobuf: { shape: SPAN, write: writeSpan },
  json: { lists: ['resourceSpans', 'scopeSpans', 'spans'], read: readSpan },
};

export const LOGS: Signal = {
  recordKind: 'logs',
  rejectedField: 'rejectedLogRecords',
  protobuf: { shape: LOG_RECORD, write: writeLog },
  json: { lists: ['resourceLogs', 'scopeLogs', 'logRecords'], read: readLog },
};
