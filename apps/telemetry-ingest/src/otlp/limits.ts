/** Attribute values nest at most this deep; what is stored must fit MongoDB's and every reader's own limits. */
export const MAX_ATTRIBUTE_DEPTH = 32;
/** A record larger than this, as JSON, is refused; what the warehouse stores must fit in one document. */
export const MAX_RECORD_BYTES = 8 * 1024 * 1024;
/** Messages to the warehouse are cut at about this size. */
export const MAX_MESSAGE_BYTES = 512 * 1024;

/** One record (not the whole request) is not acceptable; it is counted in the partial success. */
export class RecordRefusedError extends Error {}
