import { z } from 'zod';
import { defineMessage } from './envelope.ts';

/**
 * Tells the agent of a node that the state desired by projects has changed. The agent looks up the details: the
 * generation is the fence, so a command about an older one does nothing.
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
