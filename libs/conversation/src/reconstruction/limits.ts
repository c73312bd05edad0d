/** Maximum number of messages of a snapshot; the first ones stay, and the snapshot is marked as truncated. */
export const MAX_SNAPSHOT_MESSAGES = 10_000;

/** Maximum size of a snapshot's texts, arguments and attachments together, in bytes of UTF-8. */
export const MAX_SNAPSHOT_BYTES = 8 * 1024 * 1024;

/** Number of latest contexts with which a call with a shortened history is compared. */
export const MAX_WINDOW_CANDIDATES = 8;

/** Maximum distance, in earlier messages of the thread, between a tool result and the call that it answers. */
export const MAX_RESULT_DISTANCE = 256;

/** Number of earlier messages that are searched for a message that replaces the beginning of a history. */
export const MAX_DETOUR_LOOKBACK = 2_000;

/** Maximum number of looked-up texts that are searched for in messages. */
export const MAX_LOOKED_UP_TEXTS = 1_000;

/** Maximum number of message characters that are searched for those texts, counted once per text. */
export const MAX_COMPARED_CHARACTERS = 64 * 1024 * 1024;

/** Maximum number of running calls with the same question with which a call is compared. */
export const MAX_TWIN_CANDIDATES = 16;
