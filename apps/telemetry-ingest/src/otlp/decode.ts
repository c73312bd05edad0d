import type { Body } from '../body/body.ts';
import type { RecordPublisher } from '../publish/record-publisher.ts';
import type { ExportOutcome } from './export-outcome.ts';
import type { Signal } from './signals.ts';

/** Destination of the decoded records of a request. */
export interface DecodeTarget {
  projectId: string;
  records: RecordPublisher;
  outcome: ExportOutcome;
}

/**
 * Decodes a body and passes each record on. Throws MALFORMED_BODY, before the first record, if any part of the body is
 * malformed.
 */
export type Decode = (body: Body, signal: Signal, target: DecodeTarget) => Promise<void>;
