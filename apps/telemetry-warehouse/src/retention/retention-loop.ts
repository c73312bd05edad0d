import type { RetentionMechanism, TelemetrySettings } from '@clew/contracts';
import type { Clock } from '@clew/kernel';
import {
  handleDueTasks,
  startTaskLoop,
  type TaskContext,
  type TaskLoop,
  type HandleTasksOptions,
  type ProjectSettings,
} from '@clew/persistence';
import type { Logger } from '@clew/runtime';
import { setTimeout as pause } from 'node:timers/promises';
import type { Mechanism } from './mechanism.ts';
import type { SweepDocument } from './sweep.model.ts';
import { sum, type ClaimedSweep, type SweepStore } from './sweeps.store.ts';

export interface RetentionLoopOptions {
  sweeps: SweepStore;
  mechanisms: Record<RetentionMechanism, Mechanism>;
  settings: Pick<ProjectSettings<TelemetrySettings>, 'get'>;
  clock: Clock;
  logger: Logger;
  /** Interval between two searches for expired records. */
  intervalMs: number;
}

/** Time after which the rest of a run waits until other runs have had their turn. */
const MAX_TURN_MS = 10_000;
/**
 * Pause after each batch as a share of its duration, at most `MAX_PAUSE_MS`; readers have the database to themselves
 * then.
 */
const PAUSE_SHARE = 0.5;
const MAX_PAUSE_MS = 250;
const HOUR_MS = 3_600_000;

/** Runs the removal of expired data when it is due. */
export function startRetentionLoop(options: RetentionLoopOptions): TaskLoop {
  return startTaskLoop({ ...taskOf(options), pollMs: 1_000 });
}

/** Runs one round of the loop, for tests and measurements; returns the number of runs that it claimed. */
export function sweepDue(options: RetentionLoopOptions): Promise<number> {
  return handleDueTasks(taskOf(options));
}

function taskOf(options: RetentionLoopOptions): HandleTasksOptions<SweepDocument> {
  const { sweeps, clock, logger } = options;
  return {
    ...{ name: 'retention', rows: sweeps.rows, clock, logger, limit: 1 },
    async handle(claimed, context) {
      for (const sweep of claimed) await takeTurn(options, sweep, context);
    },
  };
}

/**
 * Runs batches of one run. Each is noted when it is done, so that the process that claims the run next continues there.
 */
async function takeTurn(options: RetentionLoopOptions, sweep: ClaimedSweep, context: TaskContext): Promise<void> {
  const { sweeps, mechanisms, settings, clock } = options;
  const mechanism = mechanisms[sweep.mechanism];
  const held = await settings.get(sweep.projectId);
  const beganAtMs = performance.now();
  let position = sweep.position ?? mechanism.first;
  let removed = sweep.removedByRun;
  while (!context.signal.aborted) {
    if (context.stopping.aborted || performance.now() - beganAtMs > MAX_TURN_MS) {
      return await sweeps.goOnLater(sweep, clock.now());
    }
    context.heartbeat();
    const batchAtMs = performance.now();
    const run = { projectId: sweep.projectId, settings: held, nowMs: clock.now() };
    const batch = await mechanism.sweep(run, position);
    removed = sum(removed, batch.removed);
    if (batch.next === undefined)
      return await sweeps.end(sweep, removed, clock.now(), clock.now() + everyMs(options, sweep, held));
    position = batch.next;
    if (!(await sweeps.note(sweep, position, removed))) return;
    await pause(Math.min(PAUSE_SHARE * (performance.now() - batchAtMs), MAX_PAUSE_MS));
  }
}

function everyMs(
  { intervalMs }: RetentionLoopOptions,
  { mechanism }: SweepDocument,
  settings: TelemetrySettings,
): number {
  return mechanism === 'maintenance' ? settings.maintenanceIntervalHours * HOUR_MS : intervalMs;
}
