import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { addressVariables } from '@clew/host';
import {
  brokerVariables,
  identitySignerVariables,
  identityVerifierVariables,
  integerVariable,
  processVariables,
} from '@clew/runtime';

const MIB = 1024 * 1024;

export const IngestConfig = z.object({
  ...processVariables,
  ...brokerVariables,
  ...identitySignerVariables,
  ...identityVerifierVariables,
  ...addressVariables('telemetry-warehouse'),
  /** Maximum OTLP body as sent, in bytes. */
  MAX_OTLP_BODY_BYTES: integerVariable(1_024, 1_024 * MIB, 64 * MIB),
  /** Maximum OTLP body after decompression, in bytes: protection from gzip bombs. */
  MAX_OTLP_DECOMPRESSED_BYTES: integerVariable(1_024, 4_096 * MIB, 256 * MIB),
  /**
   * Memory that all requests together hold, bodies and messages, in bytes; beyond, callers are told to retry later. A
   * project has a guaranteed quarter, and up to three quarters while the others leave room.
   */
  MAX_BYTES_IN_FLIGHT: integerVariable(16 * MIB, 4_096 * MIB, 48 * MIB),
  /** Body size beyond which a temporary file is used, so that memory stays limited. */
  SPOOL_THRESHOLD_BYTES: integerVariable(1_024, 256 * MIB, 4 * MIB),
  /** Directory of those files; it must be on a disk, not in memory. */
  SPOOL_DIRECTORY: z.string().min(1).default(join(tmpdir(), 'clew-ingest')),
  /**
   * Maximum number of large bodies at a time, and one fewer for a single project; beyond, callers are told to retry
   * later.
   */
  MAX_SPOOLS: integerVariable(1, 100, 3),
  /** Time for which an import waits for a full queue; to start a long import again would be worse. */
  IMPORT_PATIENCE_MS: integerVariable(0, 600_000, 30_000),
  /** Time for which a request waits while it is not known what its project masks; then it is refused. */
  PRIVACY_PATIENCE_MS: integerVariable(0, 60_000, 5_000),
  /** Maximum line of a conversation import, in bytes. */
  MAX_IMPORT_LINE_BYTES: integerVariable(1_024, 64 * MIB, 4 * MIB),
});
export type IngestConfig = z.infer<typeof IngestConfig>;
