import { z } from 'zod';
import { TrackerProvider } from '../diagnostics/issue-trackers.ts';
import { DONE_REASONS, SYNC_STATES, WORK_ITEM_STATUSES } from '../diagnostics/work-item.ts';
import { defineMessage } from './envelope.ts';

/** Reports a work item that is new, or that changed. */
export const workItemChanged = defineMessage({
  kind: 'event',
  type: 'diagnostics.work-item.changed',
  version: 1,
  publishedBy: ['diagnostics-svc'],
  heardBy: ['gateway'],
  data: z.object({
    actor: z
      .object({ kind: z.enum(['key', 'user', 'service']), id: z.string() })
      .optional()
      .meta({ description: 'Who did it; absent where the provider brought it about' }),
    change: z
      .enum(['created', 'updated', 'retried', 'replaced', 'abandoned'])
      .meta({ description: 'updated: what the provider did or answered' }),
    workItemId: z.string(),
    findingId: z.string(),
    provider: TrackerProvider,
    status: z.enum(WORK_ITEM_STATUSES),
    doneReason: z.enum(DONE_REASONS).nullable(),
    syncState: z.enum(SYNC_STATES),
    syncError: z.string().nullable(),
    externalUrl: z.string().nullable(),
    isPrimary: z.boolean(),
    replacedBy: z.string().nullable(),
    sequence: z.int().min(0).meta({ description: 'Of two tellings of a work item the one with the higher holds' }),
  }),
});
