import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { brokerVariables, identityVerifierVariables, integerVariable, processVariables } from '@clew/runtime';

const MIB = 1024 * 1024;

export const IngestConfig = z.object({
  ...processVariables,
  ...brokerVariables,
  ...identityVerifierVariables,
  /** The largest OTLP body, as sent. */
  MAX_OTLP_BODY_BYTES: integerVariable(1_024, 1_024 * MIB, 64 * MIB),
  /** The largest OTLP body after decompression: what stops a gzip bomb. */
  MAX_OTLP_DECOMPRESSED_BYTES: integerVariable(1_024, 4_096 * MIB, 256 * MIB),
  /**
   * Memory that all requests hold at a time, bodies and messages; beyond, callers are asked to come back later. A project has a
   * quarter of it for sure, and three quarters while the others leave room.
   */
  MAX_BYTES_IN_FLIGHT: integerVariable(16 * MIB, 4_096 * MIB, 48 * MIB),
  /** A larger body goes through a temporary file, so that memory stays bounded. */
  SPOOL_THRESHOLD_BYTES: integerVariable(1_024, 256 * MIB, 4 * MIB),
  /** Where those files are; a disk, not memory. */
  SPOOL_DIRECTORY: z.string().min(1).default(join(tmpdir(), 'clew-ingest')),
  /** So many large bodies at a time, one fewer of one project; beyond, their callers are asked to come back later. */
  MAX_SPOOLS: integerVariable(1, 100, 3),
  /** An import waits so long for a queue that is full; to begin a long one anew would be worse. */
  IMPORT_PATIENCE_MS: integerVariable(0, 600_000, 30_000),
  /** The longest line of a conversation import. */
  MAX_IMPORT_LINE_BYTES: integerVariable(1_024, 64 * MIB, 4 * MIB),
});
export type IngestConfig = z.infer<typeof IngestConfig>;
