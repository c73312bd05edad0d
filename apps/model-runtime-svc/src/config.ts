import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { addressVariables, databaseVariables } from '@clew/host';
import { outboundVariables } from '@clew/outbound';
import {
  brokerVariables,
  credentialVariables,
  identitySignerVariables,
  identityVerifierVariables,
  integerVariable,
  processVariables,
} from '@clew/runtime';
import { hubVariables, nodeVariables } from '@clew/model-runtime';

const MIB = 1024 * 1024;

export const ModelRuntimeConfig = z.object({
  ...processVariables,
  ...databaseVariables('model-runtime-svc'),
  ...brokerVariables,
  ...credentialVariables,
  ...identitySignerVariables,
  ...identityVerifierVariables,
  ...addressVariables('telemetry-warehouse'),
  ...nodeVariables,
  ...hubVariables,
  /** Time for which an unused service is kept running, unless it was started with another time; 0 keeps it running. */
  MODEL_IDLE_TIMEOUT_MS: integerVariable(0, 30 * 24 * 3_600_000, 1_800_000),
  ...outboundVariables,
  /** Time limit for a provider to accept a connection. */
  PROVIDER_CONNECT_TIMEOUT_MS: integerVariable(100, 60_000, 5_000),
  /**
   * Silence of a provider after which a call is given up; a little shorter than the gateway's limit for this service.
   */
  PROVIDER_SILENCE_MS: integerVariable(100, 3_600_000, 590_000),
  /** Maximum body of one call, in bytes. */
  MAX_INFERENCE_BODY_BYTES: integerVariable(1_024, 1_024 * MIB, 64 * MIB),
  /** Maximum recording, in bytes. */
  MAX_AUDIO_BODY_BYTES: integerVariable(1_024, 16 * 1_024 * MIB, 512 * MIB),
  /**
   * Memory for the bodies of all calls in progress, charged with four times their size as sent; beyond it 503. A
   * project has a guaranteed quarter, and up to three quarters while the others leave room (429): no body can be larger
   * than that.
   */
  MAX_INFERENCE_BYTES_IN_FLIGHT: integerVariable(16 * MIB, 64 * 1_024 * MIB, 512 * MIB),
  /** Directory where recordings are kept while they are passed on. */
  INFERENCE_SPOOL_DIRECTORY: z.string().default(join(tmpdir(), 'clew-inference')),
  /** Disk space for all recordings, in bytes; shared in the same way. */
  MAX_INFERENCE_SPOOL_BYTES: integerVariable(MIB, Number.MAX_SAFE_INTEGER, 4 * 1_024 * MIB),
});
export type ModelRuntimeConfig = z.infer<typeof ModelRuntimeConfig>;
