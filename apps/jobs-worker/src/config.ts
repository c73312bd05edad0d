import { z } from 'zod';
import { brokerVariables, identitySignerVariables, integerVariable, processVariables } from '@clew/runtime';

export const WorkerConfig = z.object({
  ...processVariables,
  ...brokerVariables,
  ...identitySignerVariables,
  TELEMETRY_WAREHOUSE_URL: z.url({ protocol: /^https?$/ }),
});
export type WorkerConfig = z.infer<typeof WorkerConfig>;
