import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { databaseVariables } from '@clew/host';
import { parseCidrList } from '@clew/outbound';
import {
  brokerVariables,
  credentialVariables,
  identitySignerVariables,
  identityVerifierVariables,
  integerVariable,
  processVariables,
} from '@clew/runtime';
import { hubVariables, nodeVariables } from './shared/index.ts';

const MIB = 1024 * 1024;

/** What both roles of the app read: the API and the runtime agent. */
export const ModelRuntimeConfig = z.object({
  ...processVariables,
  ...databaseVariables('model-runtime-svc'),
  ...brokerVariables,
  ...credentialVariables,
  ...identitySignerVariables,
  ...identityVerifierVariables,
  ...nodeVariables,
  ...hubVariables,
  /** How long a service is kept running that nobody uses, unless it was started with another time; 0 keeps it. */
  MODEL_IDLE_TIMEOUT_MS: integerVariable(0, 30 * 24 * 3_600_000, 1_800_000),
  /** Ranges beside the public addresses that URLs of callers may lead to. */
  OUTBOUND_ALLOW_CIDRS: z.string().default('').refine(isCidrList, 'must be CIDRs with commas between them'),
  /** Time for a provider to accept a connection. */
  PROVIDER_CONNECT_TIMEOUT_MS: integerVariable(100, 60_000, 5_000),
  /** Silence of a provider after which a call is given up; a little less than the gateway bears with this service. */
  PROVIDER_SILENCE_MS: integerVariable(100, 3_600_000, 590_000),
  /** The largest body of one call, in bytes. */
  MAX_INFERENCE_BODY_BYTES: integerVariable(1_024, 1_024 * MIB, 64 * MIB),
  /** The largest recording. */
  MAX_AUDIO_BODY_BYTES: integerVariable(1_024, 16 * 1_024 * MIB, 512 * MIB),
  /**
   * Memory for the bodies of all calls under way, four times their size as sent; beyond it 503. A project has a
   * quarter of it for sure, and three quarters while the others leave room (429): no body can be larger than that.
   */
  MAX_INFERENCE_BYTES_IN_FLIGHT: integerVariable(16 * MIB, 64 * 1_024 * MIB, 512 * MIB),
  /** Where recordings are kept while they are passed on. */
  INFERENCE_SPOOL_DIRECTORY: z.string().default(join(tmpdir(), 'clew-inference')),
  /** Disk for all of them; shared in the same way. */
  MAX_INFERENCE_SPOOL_BYTES: integerVariable(MIB, Number.MAX_SAFE_INTEGER, 4 * 1_024 * MIB),
});
export type ModelRuntimeConfig = z.infer<typeof ModelRuntimeConfig>;

function isCidrList(text: string): boolean {
  try {
    parseCidrList(text);
    return true;
  } catch {
    return false;
  }
}
