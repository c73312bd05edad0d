import type { IncomingHttpHeaders } from 'node:http';
import type { Operation } from './faults.ts';

/** Request that a provider received. */
export interface TrackerRequest {
  method: string;
  /** Path without the part before the API's own, its parts still encoded. */
  path: string;
  url: URL;
  headers: IncomingHttpHeaders;
  json: Record<string, unknown>;
  operation: Operation;
  /** Status of the answer; 0 while there is none. */
  status: number;
}

export interface TrackerReply {
  status: number;
  headers?: Readonly<Record<string, string>>;
  /** JSON of the answer. */
  body?: unknown;
  /** Text in place of JSON. */
  text?: string;
}
