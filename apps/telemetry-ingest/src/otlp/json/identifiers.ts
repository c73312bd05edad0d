const TRACE_ID = /^[0-9a-f]{32}$/;
const SPAN_ID = /^[0-9a-f]{16}$/;
const ZERO_ID = /^0*$/;

export function isTraceId(id: string): boolean {
  return TRACE_ID.test(id) && !ZERO_ID.test(id);
}

export function isSpanId(id: string): boolean {
  return SPAN_ID.test(id) && !ZERO_ID.test(id);
}

/** Whether it is empty or all zeros, as an absent id is written. */
export function isZeroId(id: string): boolean {
  return ZERO_ID.test(id);
}
