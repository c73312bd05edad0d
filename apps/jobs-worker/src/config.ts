import { z } from 'zod';
import { brokerVariables, identitySignerVariables, integerVariable, processVariables } from '@clew/runtime';

export const WorkerConfig = z.object({
  ...processVariables,
  ...brokerVariables,
  ...identitySignerVariables,
  TELEMETRY_WAREHOUSE_URL: z.url({ protocol: /^https?$/ }),
  /** A consumer that has not shown itself for so long is taken for stuck, and the process for dead. */
  MAX_BEAT_AGE_MS: integerVariable(1_000, 3_600_000, 300_000),
});
export type WorkerConfig = z.infer<typeof WorkerConfig>;
