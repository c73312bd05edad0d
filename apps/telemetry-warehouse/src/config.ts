import { z } from 'zod';
import {
  brokerVariables,
  identityVerifierVariables,
  integerVariable,
  mongoVariables,
  processVariables,
  secretVariables,
} from '@clew/runtime';

export const WarehouseConfig = z.object({
  ...processVariables,
  ...mongoVariables,
  ...brokerVariables,
  ...secretVariables,
  ...identityVerifierVariables,
  MONGO_DATABASE: z.string().default('clew_telemetry'),
  /** A conversation is ready when nothing of it has come for so long. */
  CONVERSATION_QUIET_MS: integerVariable(0, 86_400_000, 60_000),
  /** Conversations that one process assembles at a time. */
  ASSEMBLER_CONCURRENCY: integerVariable(1, 64, 2),
});
export type WarehouseConfig = z.infer<typeof WarehouseConfig>;
