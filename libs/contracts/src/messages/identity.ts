import { z } from 'zod';
import { defineMessage } from './envelope.ts';

/** Reports that an API key was rotated or revoked: every gateway drops it from its cache at once. */
export const apiKeyChanged = defineMessage({
  kind: 'event',
  type: 'gateway.api-key.changed',
  version: 1,
  publishedBy: ['gateway'],
  heardBy: ['gateway'],
  data: z.object({ keyId: z.string() }),
});
