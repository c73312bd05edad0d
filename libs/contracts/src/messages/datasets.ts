import { z } from 'zod';
import { defineMessage } from './envelope.ts';

/** Reports that the Examples of a Dataset, its name or its policy changed; simultaneous changes are reported once. */
export const datasetChanged = defineMessage({
  kind: 'event',
  type: 'datasets.dataset.changed',
  version: 1,
  publishedBy: ['datasets-svc'],
  heardBy: ['gateway'],
  data: z.object({
    datasetId: z.string(),
    version: z.int().min(0),
    contentId: z.string(),
    exampleCount: z.int().min(0),
  }),
});

/** Reports that a Dataset names other models now; none once it is deleted. */
export const datasetModelsNamed = defineMessage({
  kind: 'event',
  type: 'datasets.models.named',
  version: 1,
  publishedBy: ['datasets-svc'],
  data: z.object({
    datasetId: z.string(),
    models: z.array(z.string()).max(1),
    /** Revision of the Dataset: of two messages, the one with the higher revision holds. */
    revision: z.int().min(0),
  }),
});

/** Reports that a Dataset is no longer visible; its Examples are being removed. */
export const datasetDeleted = defineMessage({
  kind: 'event',
  type: 'datasets.dataset.deleted',
  version: 1,
  publishedBy: ['datasets-svc'],
  heardBy: ['gateway'],
  data: z.object({ datasetId: z.string() }),
});
