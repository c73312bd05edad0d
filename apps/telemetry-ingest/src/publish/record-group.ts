import type { Token } from '../json/json-writer.ts';

/** Data shared by the records of one resource and instrumentation scope, as JSON. */
export interface RecordGroup {
  /** JSON object. */
  resource: Token;
  /** JSON string. */
  scopeName: Token;
}

/** Lists of a TelemetryGroup (contracts); a request fills one of them. */
export type RecordKind = 'spans' | 'logs';
