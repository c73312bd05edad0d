import { z } from 'zod';

export const DEPLOYMENT_TARGETS = ['server', 'edge'] as const;

export const HealthStatus = z
  .object({
    status: z.literal('ok'),
    service: z.string(),
    version: z.string(),
    deploymentTarget: z.enum(DEPLOYMENT_TARGETS),
    uptimeMs: z.int().min(0),
  })
  .meta({ id: 'HealthStatus', description: 'Liveness of one process; it proves nothing about its dependencies' });
export type HealthStatus = z.infer<typeof HealthStatus>;
