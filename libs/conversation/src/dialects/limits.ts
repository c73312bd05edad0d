/**
 * Limits for reading one span. Ingest accepts everything that an exporter sends, so every loop over content has a limit
 * that does not depend on the sender.
 */

/** Maximum number of messages that are read from one list of a span; the first ones count. */
export const MAX_MESSAGES_PER_SPAN = 20_000;

/** Depth above which JSON is kept as its text: databases and serializers stop at about a hundred levels. */
export const MAX_JSON_DEPTH = 64;

/** Length above which a string inside an attachment (image bytes, mostly) is replaced by its digest. */
export const MAX_ATTACHMENT_TEXT = 16 * 1024;

/** Maximum length of ids and names; a longer text is not an identifier. */
export const MAX_IDENTIFIER_LENGTH = 512;

/** Characters of a message that are searched for the calls that it may contain, once per call. */
export const MAX_SEARCHED_CHARACTERS = 16 * 1024 * 1024;

/**
 * Limits above which JSON text is treated as plain text: no conversation has as many members and values, and parsing
 * them takes seconds.
 */
export const MAX_PARSED_JSON = { memberCount: 100_000, valueCount: 250_000 } as const;

/**
 * Values above which the arguments of a call are kept as text, which is cheap to compare. The same applies to further
 * calls once the calls of one span together exceed the limit of a span.
 */
export const MAX_ARGUMENT_VALUES = 10_000;
export const MAX_ARGUMENT_VALUES_OF_SPAN = 50_000;
