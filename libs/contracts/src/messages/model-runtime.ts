import { z } from 'zod';
import { defineMessage } from './envelope.ts';

/**
 * What projects want of something on a node has changed. The agent of the node looks it up: the generation is the fence,
 * a command about an older one does nothing.
 */
export const runtimeCommanded = defineMessage({
  kind: 'command',
  type: 'models.runtime.commanded',
  version: 1,
  publishedBy: ['model-runtime-svc'],
  data: z.object({
    node: z.string(),
    resourceId: z.string(),
    generation: z.int().min(1),
    desired: z.enum(['present', 'absent']),
  }),
});
