import type { TelemetrySettings } from '@clew/contracts';
import type { Removed, SweepPosition } from './sweep.model.ts';

export interface SweepContext {
  projectId: string;
  settings: TelemetrySettings;
  nowMs: number;
}

export interface Batch {
  removed: Removed;
  /** Position at which the run continues; undefined at its end. */
  next: SweepPosition | undefined;
}

/** One way of removing data: in small batches that can be repeated. */
export interface Mechanism {
  /** Handles the batch at a position. */
  sweep(context: SweepContext, position: SweepPosition): Promise<Batch>;
  first: SweepPosition;
  /** Counts data that has expired and is still stored, and returns when the first of it expired. */
  waiting(context: SweepContext): Promise<{ count: number; oldestAt: number | null }>;
}

export const DAY_MS = 86_400_000;
export const COUNT_LIMIT = 10_000;
/**
 * Option of commands that name the oldest by their ids: the database would else take the index of times, which finds
 * these first, and then look at all others that are as old.
 */
export const BY_ID = { hint: { _id: 1 } } as const;

/** Time before which received data has expired. */
export function cutOf(nowMs: number, days: number): Date {
  return new Date(Math.max(0, nowMs - days * DAY_MS));
}
