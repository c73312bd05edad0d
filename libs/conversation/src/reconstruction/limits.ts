/** A snapshot holds at most this many messages; the first ones stay, and the snapshot says that it is truncated. */
export const MAX_SNAPSHOT_MESSAGES = 10_000;

/** A snapshot's texts, arguments and attachments together hold at most this many bytes of UTF-8. */
export const MAX_SNAPSHOT_BYTES = 8 * 1024 * 1024;

/** How many of the latest contexts a call with a shortened history is compared with. */
export const MAX_WINDOW_CANDIDATES = 8;

/** How many earlier messages of its thread a tool result may follow the call that it answers. */
export const MAX_RESULT_DISTANCE = 256;

/** How far back a message that replaces the beginning of a history is looked for among the messages before it. */
export const MAX_DETOUR_LOOKBACK = 2_000;

/** Texts that were looked up, of which messages are searched. */
export const MAX_LOOKED_UP_TEXTS = 1_000;

/** Characters of messages that are searched for them, once for each text. */
export const MAX_COMPARED_CHARACTERS = 64 * 1024 * 1024;

/** With how many calls that are running and were asked the same a call is compared. */
export const MAX_TWIN_CANDIDATES = 16;
