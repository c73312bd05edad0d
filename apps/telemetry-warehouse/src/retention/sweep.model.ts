import { RETENTION_MECHANISMS, type RetentionMechanism } from '@clew/contracts';
import { nativeDb, type Database, type ScheduleFields } from '@clew/persistence';
import type { Connection, mongo } from 'mongoose';

/** Number of removed items, by kind. */
export type Removed = Record<string, number>;

/**
 * Position of a run. Chosen items are stored here before they are removed, so that another process can finish the
 * batch.
 */
export interface SweepPosition {
  step: string;
  /** Items being removed; each part of that work can be repeated with them. */
  chosen?: string[];
  /** Last item that was looked at. */
  after?: { at: Date; id: string };
}

/** One mechanism of retention in one project: a scheduled task that is due at its next run. */
export interface SweepDocument extends ScheduleFields {
  /** `<project>:<mechanism>` */
  _id: string;
  projectId: string;
  mechanism: RetentionMechanism;
  /** Planned start of the next or the current run; failures do not postpone it. */
  promisedAt: number;
  lastRunAt: number | null;
  /** Items removed by the last run that ended. */
  removed: Removed;
  removedInTotal: Removed;
  /** Position of the current run. */
  position: SweepPosition | null;
  removedByRun: Removed;
}

export function sweepCollection({ connection }: Pick<Database, 'connection'>): mongo.Collection<SweepDocument> {
  return nativeDb(connection).collection('retention_sweeps');
}

export function sweepId(projectId: string, mechanism: RetentionMechanism): string {
  return `${projectId}:${mechanism}`;
}

/** Creates the indexes that show how far behind each mechanism is. */
export async function ensureSweepIndexes(connection: Connection): Promise<void> {
  await sweepCollection({ connection }).createIndexes([
    { key: { mechanism: 1, promisedAt: 1 }, name: 'promised' },
    { key: { mechanism: 1, lastRunAt: -1 }, name: 'last_run' },
  ]);
}

/** Initial sweeps of a project. */
export function newSweeps(projectId: string, dueAt: number): SweepDocument[] {
  return RETENTION_MECHANISMS.map((mechanism) => ({
    _id: sweepId(projectId, mechanism),
    ...{ projectId, mechanism, dueAt, promisedAt: dueAt, lastRunAt: null },
    ...{ removed: {}, removedInTotal: {}, position: null, removedByRun: {} },
  }));
}
