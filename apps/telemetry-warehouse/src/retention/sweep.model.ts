import { RETENTION_MECHANISMS, type RetentionMechanism } from '@clew/contracts';
import { nativeDb, type Database, type DueFields } from '@clew/persistence';
import type { Connection, mongo } from 'mongoose';

/** How much went, by kind. */
export type Removed = Record<string, number>;

/** Where a run has come to. What it has chosen stands here before it goes, so that another process can see it through. */
export interface SweepPosition {
  step: string;
  /** What is going now: each part of the work can be repeated with it. */
  chosen?: string[];
  /** What was looked at already. */
  after?: { at: Date; id: string };
}

/** One mechanism of retention in one project, due when it is to run next. */
export interface SweepDocument extends DueFields {
  /** `<project>:<mechanism>` */
  _id: string;
  projectId: string;
  mechanism: RetentionMechanism;
  /** When its next run, or the one under way, was to begin: no failure puts it off. */
  promisedAt: number;
  lastRunAt: number | null;
  /** By the last run that came to an end. */
  removed: Removed;
  removedInTotal: Removed;
  /** Of the run under way. */
  position: SweepPosition | null;
  removedByRun: Removed;
}

export function sweepCollection({ connection }: Pick<Database, 'connection'>): mongo.Collection<SweepDocument> {
  return nativeDb(connection).collection('retention_sweeps');
}

export function sweepId(projectId: string, mechanism: RetentionMechanism): string {
  return `${projectId}:${mechanism}`;
}

/** Makes the indexes that tell how far behind each mechanism is. */
export async function ensureSweepIndexes(connection: Connection): Promise<void> {
  await sweepCollection({ connection }).createIndexes([
    { key: { mechanism: 1, promisedAt: 1 }, name: 'promised' },
    { key: { mechanism: 1, lastRunAt: -1 }, name: 'last_run' },
  ]);
}

/** The sweeps of a project that has none yet. */
export function newSweeps(projectId: string, dueAt: number): SweepDocument[] {
  return RETENTION_MECHANISMS.map((mechanism) => ({
    _id: sweepId(projectId, mechanism),
    ...{ projectId, mechanism, dueAt, promisedAt: dueAt, lastRunAt: null },
    ...{ removed: {}, removedInTotal: {}, position: null, removedByRun: {} },
  }));
}
