import { z } from 'zod';
import { EpochMs } from '../common/primitives.ts';
import { TRACKERS, TrackerDestination } from './issue-trackers.ts';

export const WORK_ITEM_STATUSES = ['provisioning', 'planned', 'in_progress', 'done'] as const;
export type WorkItemStatus = (typeof WORK_ITEM_STATUSES)[number];
export const SYNC_STATES = ['pending', 'synced', 'error'] as const;
export type SyncState = (typeof SYNC_STATES)[number];
export const DONE_REASONS = ['completed', 'not_planned', 'cancelled', 'duplicate'] as const;
export type WorkItemDoneReason = (typeof DONE_REASONS)[number];
export const SYNC_OUTCOMES = ['updated', 'unchanged', 'failed', 'not_syncable', 'not_current'] as const;
export type SyncOutcome = (typeof SYNC_OUTCOMES)[number];

/** Repair of a Finding, handed over to an issue tracker. */
export const WorkItem = z
  .object({
    id: z.string(),
    findingId: z.string(),
    provider: z.enum(TRACKERS),
    connectorId: z.string(),
    destination: TrackerDestination.nullable().meta({
      description: 'null for an issue that existed already, where no destination was named',
    }),
    status: z.enum(WORK_ITEM_STATUSES),
    doneReason: z.enum(DONE_REASONS).nullable().meta({ description: 'Why the issue was closed, while it is `done`' }),
    externalId: z.string().nullable(),
    externalKey: z.string().nullable().meta({ description: 'Name of the issue for people' }),
    externalUrl: z.string().nullable(),
    syncState: z.enum(SYNC_STATES),
    syncError: z.string().nullable().meta({ description: 'Why the provider did not do what was asked, for people' }),
    attempts: z.int().min(0).meta({ description: 'How often the issue was to be made since it was last asked for' }),
    isPrimary: z.boolean().meta({ description: 'false once it was replaced or abandoned' }),
    ended: z.enum(['replaced', 'abandoned']).nullable(),
    replacedBy: z.string().nullable().meta({ description: 'The work item that took its place' }),
    createdAt: EpochMs,
    updatedAt: EpochMs,
    lastSyncedAt: EpochMs.nullable(),
  })
  .meta({ id: 'WorkItem' });
export type WorkItem = z.infer<typeof WorkItem>;
