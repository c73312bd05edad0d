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

export const WarehouseConfig = z.object({
  ...processVariables,
  ...databaseVariables('telemetry-warehouse'),
  ...brokerVariables,
  ...secretVariables,
  ...identitySignerVariables,
  ...identityVerifierVariables,
  /** What was made of a conversation is erased there with it. */
  ...addressVariables('diagnostics-svc', 'datasets-svc', 'knowledge-svc'),
  /** A conversation is ready when nothing of it has come for so long. */
  CONVERSATION_QUIET_MS: integerVariable(0, 86_400_000, 60_000),
  /** Groups of conversations, fifty at most, that one process assembles at a time. */
  ASSEMBLER_CONCURRENCY: integerVariable(1, 64, 2),
  /** How often each project's telemetry is looked through for what has expired. */
  RETENTION_INTERVAL_MS: integerVariable(1_000, 86_400_000, 3_600_000),
  /** An erasure looks everywhere a second time after so long: what was under way when it began has ended by then. */
  ERASURE_SETTLE_MS: integerVariable(0, 3_600_000, 120_000),
});
export type WarehouseConfig = z.infer<typeof WarehouseConfig>;
