import { z } from 'zod';
import { defineMessage } from './envelope.ts';

/** The Examples of a Dataset, its name or its policy changed; several changes of one moment are told once. */
export const datasetChanged = defineMessage({
  kind: 'event',
  type: 'datasets.dataset.changed',
  version: 1,
  publishedBy: ['datasets-svc'],
  data: z.object({
    datasetId: z.string(),
    version: z.int().min(0),
    contentId: z.string(),
    exampleCount: z.int().min(0),
  }),
});

/** The models that a Dataset names are others now; none once it is deleted. */
export const datasetModelsNamed = defineMessage({
  kind: 'event',
  type: 'datasets.models.named',
  version: 1,
  publishedBy: ['datasets-svc'],
  data: z.object({
    datasetId: z.string(),
    models: z.array(z.string()).max(1),
    /** Of two messages on one Dataset, what the higher one says holds. */
    revision: z.int().min(0),
  }),
});

/** A Dataset is no longer to be seen; its Examples are being removed. */
export const datasetDeleted = defineMessage({
  kind: 'event',
  type: 'datasets.dataset.deleted',
  version: 1,
  publishedBy: ['datasets-svc'],
  data: z.object({ datasetId: z.string() }),
});
