import { newId } from '@clew/kernel';
import { spansReceived } from '@clew/contracts';
import { JsonLimitReached, JsonWriter, token } from '../json/json-writer.ts';
import { MAX_MESSAGE_BYTES, MAX_RECORD_BYTES, RecordRefused } from '../records/limits.ts';
import { REASON } from '../records/refusal-reasons.ts';
import type { RecordGroup, RecordKind } from './record-group.ts';

/** Sender of the records: the project and the request. */
export interface SpanOrigin {
  projectId: string;
  requestId: string;
}

const COMMA = token(',');
const RESOURCE = token('{"resource":');
const SCOPE_NAME = token(',"scopeName":');
const OPEN_RECORDS: Readonly<Record<RecordKind, Uint8Array>> = {
  spans: token(',"logs":[],"spans":['),
  logs: token(',"spans":[],"logs":['),
};
const CLOSE_GROUP = token(']}');
const CLOSE_MESSAGE = token(']}}');
/**
 * Initial capacity: most messages are cut a little above the limit, and a larger record makes its own message larger.
 */
const CAPACITY_BYTES = MAX_MESSAGE_BYTES + 64 * 1024;

/** Message telemetry.spans.received while it is being written. */
export class SpanMessage {
  readonly id = newId('evt');
  readonly #kind: RecordKind;
  readonly #out: JsonWriter;
  #group: RecordGroup | undefined;
  #recordCount = 0;

  /** Creates an empty message; `expectedBytes` is a guess at its size. */
  constructor(origin: SpanOrigin, receivedAtMs: number, kind: RecordKind, expectedBytes: number) {
    this.#kind = kind;
    this.#out = new JsonWriter(Math.min(expectedBytes, CAPACITY_BYTES));
    const { type, version } = spansReceived;
    const head = { id: this.id, type, version, occurredAt: receivedAtMs, ...origin };
    this.#out.json(`${JSON.stringify(head).slice(0, -1)},"data":{"receivedAt":${receivedAtMs},"groups":[`);
  }

  get sizeBytes(): number {
    return this.#out.length;
  }

  get hasRecords(): boolean {
    return this.#group !== undefined;
  }

  get recordCount(): number {
    return this.#recordCount;
  }

  /**
   * Adds a record; if writing it throws, the message stays as it was before. Throws RecordRefused if the record is too
   * large.
   */
  add(group: RecordGroup, write: (out: JsonWriter) => void): void {
    const out = this.#out;
    const mark = out.length;
    const groupBefore = this.#group;
    if (groupBefore === group) out.raw(COMMA);
    else this.#open(group);
    out.limit = out.length + MAX_RECORD_BYTES;
    try {
      write(out);
      this.#recordCount += 1;
    } catch (error) {
      out.rewind(mark);
      this.#group = groupBefore;
      throw error instanceof JsonLimitReached ? new RecordRefused(REASON.tooLarge) : error;
    } finally {
      out.limit = Number.POSITIVE_INFINITY;
    }
  }

  finish(): Buffer {
    this.#out.raw(CLOSE_GROUP);
    this.#out.raw(CLOSE_MESSAGE);
    return this.#out.finish();
  }

  #open(group: RecordGroup): void {
    const out = this.#out;
    if (this.#group !== undefined) {
      out.raw(CLOSE_GROUP);
      out.raw(COMMA);
    }
    out.raw(RESOURCE);
    out.raw(group.resource);
    out.raw(SCOPE_NAME);
    out.raw(group.scopeName);
    out.raw(OPEN_RECORDS[this.#kind]);
    this.#group = group;
  }
}
