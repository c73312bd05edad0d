import { z } from 'zod';
import { addressVariables, databaseVariables } from '@clew/host';
import {
  brokerVariables,
  identitySignerVariables,
  identityVerifierVariables,
  integerVariable,
  processVariables,
  secretVariables,
} from '@clew/runtime';

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

export const DatasetsConfig = z.object({
  ...processVariables,
  ...databaseVariables('datasets-svc'),
  ...brokerVariables,
  ...secretVariables,
  ...identitySignerVariables,
  ...identityVerifierVariables,
  /** Addresses of the services that know which models policies can use, and what Datasets collect from. */
  ...addressVariables('model-runtime-svc', 'telemetry-warehouse', 'diagnostics-svc', 'knowledge-svc'),
  /** The largest body of an ordinary route, in bytes. */
  MAX_JSON_BODY_BYTES: integerVariable(1_024, 64 * MIB, MIB),
  /** The largest body of a batch, in bytes. */
  MAX_BATCH_BODY_BYTES: integerVariable(1_024, 1_024 * MIB, 64 * MIB),
  /** Changes of one Dataset that wait for their turn before further ones are refused with 503. */
  MAX_WAITING_CHANGES: integerVariable(1, 100_000, 1_000),
  /** The largest file that is imported, as sent and after decompression. */
  MAX_IMPORT_FILE_BYTES: integerVariable(1_024, 1_024 * GIB, 16 * GIB),
  /**
   * Imports that run at a time in this process; further ones are refused with 503. A project has a quarter of the
   * places for sure, and three quarters while the others leave room (429).
   */
  MAX_RUNNING_IMPORTS: integerVariable(1, 100, 4),
});
export type DatasetsConfig = z.infer<typeof DatasetsConfig>;
