import { z } from 'zod';
import { Quotas } from '../quotas/quotas.ts';
import { defineMessage } from './envelope.ts';

/** Reports the quotas of a project: every service that enforces some keeps them. */
export const quotasChanged = defineMessage({
  kind: 'event',
  type: 'gateway.quotas.changed',
  version: 1,
  publishedBy: ['gateway'],
  heardBy: ['gateway'],
  data: z.object({
    quotas: Quotas,
    revision: z.int().min(1).meta({ description: 'Grows with every change; an older one has no effect' }),
  }),
});

/** Reports that what a project may send has changed: every process that takes telemetry asks again. */
export const allowanceChanged = defineMessage({
  kind: 'event',
  type: 'telemetry.allowance.changed',
  version: 1,
  publishedBy: ['telemetry-warehouse'],
  heardBy: ['telemetry-ingest'],
  data: z.object({}),
});
