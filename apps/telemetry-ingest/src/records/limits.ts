import { AppError } from '@clew/kernel';

const KIB = 1024;
const MIB = 1024 * KIB;

/** Attribute values nest at most this deep; what is stored must fit every reader's own limits. */
export const MAX_ATTRIBUTE_DEPTH = 32;
/** A record larger than this, as JSON, is refused; what the warehouse stores must fit in one document. */
export const MAX_RECORD_BYTES = 8 * MIB;
/** Values of one record, nested ones included: tiny values take many times their size on the wire in memory. */
export const MAX_RECORD_VALUES = 20_000;
/** A resource is repeated in every message; attributes beyond this, as JSON, are left out. */
export const MAX_RESOURCE_BYTES = 64 * KIB;
/** Span, event and scope names are cut at this length. */
export const MAX_NAME_LENGTH = 1_024;
/** An attribute of the greatest depth takes four levels of JSON for each of its own. */
export const MAX_OTLP_JSON_DEPTH = 4 * MAX_ATTRIBUTE_DEPTH + 32;
/** Resources, scopes and records of one request together: empty ones take two bytes each on the wire. */
export const MAX_REQUEST_ENTRIES = 1_000_000;
/** Messages to the warehouse are cut at about this size. */
export const MAX_MESSAGE_BYTES = 512 * KIB;

/**
 * One record (not the whole request) is not acceptable; it is counted in the partial success. Thrown, but no Error: a
 * request may hold a million such records, and a stack trace costs more than all else that is done with one.
 */
export class RecordRefused {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

/** Counts the resources, scopes and records of one request; too many of them are 413. */
export class EntryCounter {
  #count = 0;

  add(count = 1): void {
    this.#count += count;
    if (this.#count > MAX_REQUEST_ENTRIES) {
      throw new AppError('PAYLOAD_TOO_LARGE', `The body holds more than ${MAX_REQUEST_ENTRIES} records`);
    }
  }
}
