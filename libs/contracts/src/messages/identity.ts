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

/**
 * Reports that what a person may do has changed (a role, the state, the password): every gateway reads the person anew
 * at once, and with them all of their sessions and keys.
 */
export const userChanged = defineMessage({
  kind: 'event',
  type: 'gateway.user.changed',
  version: 1,
  publishedBy: ['gateway'],
  heardBy: ['gateway'],
  data: z.object({ userId: z.string() }),
});

/** Reports that a session was ended: every gateway drops it from its cache at once. */
export const sessionChanged = defineMessage({
  kind: 'event',
  type: 'gateway.session.changed',
  version: 1,
  publishedBy: ['gateway'],
  heardBy: ['gateway'],
  data: z.object({ sessionId: z.string() }),
});

/** Reports that a project was deleted: every gateway forgets it and ends what listens to it at once. */
export const projectDeleted = defineMessage({
  kind: 'event',
  type: 'gateway.project.deleted',
  version: 1,
  publishedBy: ['gateway'],
  heardBy: ['gateway'],
  data: z.object({ projectId: z.string() }),
});
