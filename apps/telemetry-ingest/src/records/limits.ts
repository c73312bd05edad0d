import { AppError } from '@clew/kernel';

const KIB = 1024;
const MIB = 1024 * KIB;

/** Maximum nesting of attribute values; stored values must fit every reader's own limits. */
export const MAX_ATTRIBUTE_DEPTH = 32;
/** Maximum size of a record as JSON; a larger one is refused, since the warehouse stores it in one document. */
export const MAX_RECORD_BYTES = 8 * MIB;
/**
 * Maximum number of values in one record, including nested ones: in memory, tiny values take many times their size on
 * the wire.
 */
export const MAX_RECORD_VALUES = 20_000;
/**
 * Maximum size of a resource's attributes as JSON; the rest is left out, since a resource is repeated in every message.
 */
export const MAX_RESOURCE_BYTES = 64 * KIB;
/** Length at which span, event and scope names are cut. */
export const MAX_NAME_LENGTH = 1_024;
/** Maximum JSON nesting: each level of an attribute takes up to four levels of JSON. */
export const MAX_OTLP_JSON_DEPTH = 4 * MAX_ATTRIBUTE_DEPTH + 32;
/**
 * Maximum number of resources, scopes and records of one request together: empty ones take two bytes each on the wire.
 */
export const MAX_REQUEST_ENTRIES = 1_000_000;
/** Approximate size at which messages to the warehouse are cut. */
export const MAX_MESSAGE_BYTES = 512 * KIB;

/**
 * Refusal of one record, not of the whole request; it is counted in the partial success. It is thrown, but is no Error:
 * a request may hold a million such records, and a stack trace costs more than all other work on one.
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
