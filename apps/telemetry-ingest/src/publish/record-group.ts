import type { Token } from '../json/json-writer.ts';

/** What the records of one resource and instrumentation scope share, as JSON. */
export interface RecordGroup {
  /** An object. */
  resource: Token;
  /** A string. */
  scopeName: Token;
}

/** The lists of a TelemetryGroup (contracts); a request fills one of them. */
export type RecordKind = 'spans' | 'logs';
