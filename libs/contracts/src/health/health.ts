import { z } from 'zod';

export const DEPLOYMENT_TARGETS = ['server', 'edge'] as const;

export const HealthStatus = z
  .object({
    status: z.enum(['ok', 'stuck']).meta({ description: '`stuck`, with 503: a loop of the process no longer turns' }),
    service: z.string(),
    version: z.string(),
    deploymentTarget: z.enum(DEPLOYMENT_TARGETS),
    uptimeMs: z.int().min(0),
  })
  .meta({ id: 'HealthStatus', description: 'Liveness of one process; it proves nothing about its dependencies' });
export type HealthStatus = z.infer<typeof HealthStatus>;
