import { z } from 'zod';
import { databaseVariables } from '@clew/host';
import {
  brokerVariables,
  identityVerifierVariables,
  integerVariable,
  processVariables,
  secretVariables,
} from '@clew/runtime';

export const WarehouseConfig = z.object({
  ...processVariables,
  ...databaseVariables('telemetry-warehouse'),
  ...brokerVariables,
  ...secretVariables,
  ...identityVerifierVariables,
  /** A conversation is ready when nothing of it has come for so long. */
  CONVERSATION_QUIET_MS: integerVariable(0, 86_400_000, 60_000),
  /** Conversations that one process assembles at a time. */
  ASSEMBLER_CONCURRENCY: integerVariable(1, 64, 2),
});
export type WarehouseConfig = z.infer<typeof WarehouseConfig>;
