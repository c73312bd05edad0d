/** State of the page of a trace, all of which is in the address. */
export interface TraceSearch {
  /** Span whose attributes are shown. */
  readonly span?: string;
  /** Words in names and attributes. */
  readonly q?: string;
  readonly only?: 'errors';
}

const MAX_TEXT = 200;

/** Reads the state from an address. */
export function parseTraceSearch(given: Readonly<Record<string, unknown>>): TraceSearch {
  const { span, q, only } = given;
  const text = typeof q === 'string' ? q.trim().slice(0, MAX_TEXT).trim() : '';
  return {
    // A span id of digits alone comes as a number.
    ...(/^[\w-]{1,64}$/.test(String(span ?? '')) ? { span: String(span) } : {}),
    ...(text === '' ? {} : { q: text }),
    ...(only === 'errors' ? { only } : {}),
  };
}
