import { z } from 'zod';
import { JsonObject } from '../common/primitives.ts';
import { AuditActor } from '../identity/audit.ts';
import { defineMessage } from './envelope.ts';

/**
 * Reports an administrative deed in a service other than the gateway, from the transaction of the deed; the gateway
 * writes it to the audit once. The action is a text here, so that a gateway records also what a newer service does.
 */
export const deedRecorded = defineMessage({
  kind: 'event',
  type: 'audit.deed.recorded',
  version: 1,
  publishedBy: ['telemetry-warehouse', 'diagnostics-svc', 'knowledge-svc', 'datasets-svc', 'model-runtime-svc'],
  heardBy: ['gateway'],
  data: z.object({
    actor: AuditActor,
    action: z.string().regex(/^[a-z][a-z-]{1,40}\.[a-z][a-z-]{1,40}$/),
    target: z.object({ kind: z.string().min(1).max(40), id: z.string().min(1).max(1_000) }),
    address: z.string().max(100).nullable(),
    before: JsonObject.nullable(),
    after: JsonObject.nullable(),
  }),
});
