/** Maximum lengths of the parts of a text. Together they stay below the limit of every provider (Jira: 32,767). */
export const MAX_SPAN_LENGTH = 1_500;
export const MAX_QUOTE_LENGTH = 1_000;
export const MAX_QUOTE_LINES = 30;
