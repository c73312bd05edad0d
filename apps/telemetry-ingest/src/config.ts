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
  /** Bodies that are in memory at a time; beyond, callers are asked to come back later. */
  MAX_BYTES_IN_FLIGHT: integerVariable(MIB, 4_096 * MIB, 48 * MIB),
  /** A larger body goes through a temporary file, so that memory stays bounded. */
  SPOOL_THRESHOLD_BYTES: integerVariable(1_024, 256 * MIB, 4 * MIB),
  /** The longest line of a conversation import. */
  MAX_IMPORT_LINE_BYTES: integerVariable(1_024, 64 * MIB, 4 * MIB),
});
export type IngestConfig = z.infer<typeof IngestConfig>;
