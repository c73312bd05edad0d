/**
 * Bounds of reading one span. Ingest accepts whatever an exporter sends, so every loop over content has an end that
 * does not depend on the sender.
 */

/** More messages than this in one list of one span are not read; the first ones count. */
export const MAX_MESSAGES_PER_SPAN = 20_000;

/** JSON deeper than this is kept as its text: databases and serializers stop at about a hundred levels. */
export const MAX_JSON_DEPTH = 64;

/** A longer string inside an attachment (image bytes, mostly) is replaced by its digest. */
export const MAX_ATTACHMENT_TEXT = 16 * 1024;

/** Ids and names longer than this are not identifiers. */
export const MAX_IDENTIFIER_LENGTH = 512;

/** Characters of a message that are searched for the calls that it may hold, once for each. */
export const MAX_SEARCHED_CHARACTERS = 16 * 1024 * 1024;

/** JSON text with more members of objects, or values, is no JSON to us: no conversation has as many, and they take seconds. */
export const MAX_PARSED_JSON = { memberCount: 100_000, valueCount: 250_000 } as const;

/**
 * Arguments of a call with more values than this are kept as their text, which costs next to nothing each time that they
 * are compared; and so are those of further calls where the calls of one span have more of them together.
 */
export const MAX_ARGUMENT_VALUES = 10_000;
export const MAX_ARGUMENT_VALUES_OF_SPAN = 50_000;
