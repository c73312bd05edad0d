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
