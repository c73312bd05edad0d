/** Far above what linear work takes on a busy machine, and far below what quadratic work takes on an idle one. */
export const HOSTILE_LIMIT_MS = 15_000;
