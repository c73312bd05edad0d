/** Window of messages as it is asked for. */
export interface WindowQuery {
  from?: number | undefined;
  around?: number | undefined;
  limit: number;
}

/** Messages from an index on. */
export interface MessageWindow {
  from: number;
  limit: number;
}

/** Window of a request; one around an index begins so many before it. */
export function windowOf({ from = 0, around, limit }: WindowQuery): MessageWindow {
  return { from: around === undefined ? from : Math.max(0, around - Math.floor(limit / 2)), limit };
}
