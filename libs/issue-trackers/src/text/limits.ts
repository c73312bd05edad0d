/**
 * Maximum lengths of the parts of a text. With all characters escaped, an issue stays below the limit of every provider
 * (Jira 32,767 characters, GitHub 65,536).
 */
export const MAX_SPAN_LENGTH = 800;
export const MAX_QUOTE_LENGTH = 600;
export const MAX_QUOTE_LINES = 30;
