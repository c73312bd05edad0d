import type { TelemetrySettings } from '@clew/contracts';
import type { Removed, SweepPosition } from './sweep.model.ts';

export interface SweepContext {
  projectId: string;
  settings: TelemetrySettings;
  nowMs: number;
}

export interface Batch {
  removed: Removed;
  /** Where the run goes on; undefined at its end. */
  next: SweepPosition | undefined;
}

/** One way in which data goes: in batches that are small, and can be repeated. */
export interface Mechanism {
  /** Takes the batch that stands at a position. */
  sweep(context: SweepContext, position: SweepPosition): Promise<Batch>;
  first: SweepPosition;
  /** What has expired and is there still, and when the first of it did. */
  waiting(context: SweepContext): Promise<{ count: number; oldestAt: number | null }>;
}

export const DAY_MS = 86_400_000;
export const COUNT_LIMIT = 10_000;

/** What was received before this has expired. */
export function cutOf(nowMs: number, days: number): Date {
  return new Date(Math.max(0, nowMs - days * DAY_MS));
}
