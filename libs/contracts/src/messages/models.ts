import { z } from 'zod';
import { UnavailableReason } from '../models/availability.ts';
import { defineMessage } from './envelope.ts';

/** Reports that a model has become available to a project, or no longer is. */
export const modelAvailabilityChanged = defineMessage({
  kind: 'event',
  type: 'models.availability.changed',
  version: 1,
  publishedBy: ['model-runtime-svc'],
  heardBy: ['gateway', 'datasets-svc', 'diagnostics-svc', 'knowledge-svc'],
  data: z.object({ model: z.string(), available: z.boolean(), reason: UnavailableReason.nullable() }),
});
