/** Far above the time of linear work on a busy machine, and far below that of quadratic work on an idle one. */
export const HOSTILE_LIMIT_MS = 15_000;
