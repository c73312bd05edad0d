import { z } from 'zod';
import { addressVariables } from '@clew/host';
import { brokerVariables, identitySignerVariables, migrationVariables, processVariables } from '@clew/runtime';

export const WorkerConfig = z.object({
  ...processVariables,
  ...brokerVariables,
  ...migrationVariables,
  ...identitySignerVariables,
  ...addressVariables('telemetry-warehouse', 'diagnostics-svc', 'knowledge-svc', 'model-runtime-svc'),
});
export type WorkerConfig = z.infer<typeof WorkerConfig>;
