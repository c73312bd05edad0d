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

const DAY_MS = 24 * 3_600_000;

export const KnowledgeConfig = z.object({
  ...processVariables,
  ...databaseVariables('knowledge-svc'),
  ...brokerVariables,
  ...secretVariables,
  ...identitySignerVariables,
  ...identityVerifierVariables,
  /**
   * Addresses of the two services that it calls: one has the conversations, the other knows which models goals can use.
   */
  ...addressVariables('telemetry-warehouse', 'model-runtime-svc'),
  /** How long new words of a conversation wait for more of them, before they are read by themselves. */
  EXTRACTION_PATIENCE_MS: integerVariable(0, DAY_MS, 600_000),
  /** New tokens in a conversation from which on it is read at once. */
  EXTRACTION_MIN_NEW_TOKENS: integerVariable(0, 1_000_000, 2_000),
  /** Conversations of one goal that backfills have taken in and that are still to be read. */
  MAX_EXTRACTIONS_OF_GOAL: integerVariable(1, 10_000, 256),
});
export type KnowledgeConfig = z.infer<typeof KnowledgeConfig>;
