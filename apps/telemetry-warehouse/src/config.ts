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
  /** Services that hold data derived from conversations, and erase it together with the conversation. */
  ...addressVariables('diagnostics-svc', 'datasets-svc', 'knowledge-svc'),
  /** Time without new records after which a conversation is ready. */
  CONVERSATION_QUIET_MS: integerVariable(0, 86_400_000, 60_000),
  /** Groups of conversations, of at most fifty each, that one process assembles at a time. */
  ASSEMBLER_CONCURRENCY: integerVariable(1, 64, 2),
  /** Interval between two searches of a project's telemetry for expired data. */
  RETENTION_INTERVAL_MS: integerVariable(1_000, 86_400_000, 3_600_000),
  /**
   * Interval between two measurements of what a project stores, if it has a quota for that; longer for projects whose
   * measurement takes more than a hundredth of it.
   */
  STORAGE_INTERVAL_MS: integerVariable(1_000, 86_400_000, 600_000),
  /** Wait before an erasure searches everything a second time: work in progress when it began has ended by then. */
  ERASURE_SETTLE_MS: integerVariable(0, 3_600_000, 120_000),
});
export type WarehouseConfig = z.infer<typeof WarehouseConfig>;
