import type { Clock } from '@clew/kernel';
import {
  createScheduledTasks,
  createProjectTurns,
  startTaskLoop,
  type Claimed,
  type Database,
  type TaskContext,
  type TaskLoop,
} from '@clew/persistence';
import type { Logger } from '@clew/runtime';
import {
  capabilityCollection,
  ofProvider,
  type CapabilityDocument,
  type CapabilityStore,
} from './capabilities.store.ts';
import { LOOK_AGAIN_MS } from './capability-record.ts';
import type { EvaluateModel } from './evaluate-model.ts';

export interface AvailabilityLoopDependencies {
  database: Database;
  capabilities: Pick<CapabilityStore, 'expect' | 'remove'>;
  evaluate: EvaluateModel;
  clock: Clock;
  logger: Logger;
}

/** Checks models again when they are due, so that others learn that a provider went away or came back. */
export interface AvailabilityLoop {
  /** Reports that a provider was created, changed or removed: its models are checked again. */
  providerChanged(projectId: string, provider: string): void;
  /** Schedules the first check of a model in the background; it takes place even if this process ends before that. */
  lookSoon(projectId: string, model: string): Promise<void>;
  start(): TaskLoop;
}

const POLL_MS = 10_000;
/**
 * Number of models in a group. A provider that does not answer holds up only its own group, since a project has one
 * group at a time.
 */
const GROUP_SIZE = 16;
const GROUPS_AT_A_TIME = 8;
const CAPACITY = { total: GROUP_SIZE * GROUPS_AT_A_TIME, ofProject: GROUP_SIZE };
/** Lease far longer than it takes to probe one model. */
const LEASE_MS = 5 * 60_000;
/** Time without a request after which a model is no longer checked. */
const FORGOTTEN_AFTER_MS = 7 * 24 * 3_600_000;

export function createAvailabilityLoop(deps: AvailabilityLoopDependencies): AvailabilityLoop {
  const { database, capabilities, evaluate, clock, logger } = deps;
  const collection = capabilityCollection(database.connection);
  const rows = createScheduledTasks(collection, { leaseMs: LEASE_MS });
  const turns = createProjectTurns({ collection, rows, capacity: () => CAPACITY });
  let loop: TaskLoop | undefined;

  async function handle(claimed: readonly Claimed<CapabilityDocument>[], context: TaskContext): Promise<void> {
    const looked: Claimed<CapabilityDocument>[] = [];
    for (const row of claimed) {
      if (context.stopping.aborted || context.signal.aborted) break;
      context.heartbeat();
      if (clock.now() - row.askedAt > FORGOTTEN_AFTER_MS) await capabilities.remove(row.projectId, row.model);
      else {
        // The check announces its result in a transaction of its own; a repeated check does no harm.
        await evaluate(row.projectId, row.model, false);
        looked.push(row);
      }
    }
    const next = { dueAt: clock.now() + LOOK_AGAIN_MS };
    await database.withTransaction((tx) => rows.settle(tx, looked, next));
    await rows.giveBack(claimed.filter((row) => !looked.includes(row)));
  }

  return {
    providerChanged(projectId, provider) {
      rows.makeDue(ofProvider(projectId, provider), clock.now()).then(
        () => loop?.wake(),
        // In any case they are checked within a minute.
        (error: unknown) => logger.warn({ err: error, projectId }, 'could not have models looked at again'),
      );
    },
    async lookSoon(projectId, model) {
      await capabilities.expect(projectId, model, clock.now());
      loop?.wake();
    },
    start() {
      loop = startTaskLoop({
        ...{ name: 'availability', rows: turns.rows, clock, logger, handle },
        ...{ limit: GROUP_SIZE, concurrency: GROUPS_AT_A_TIME, pollMs: POLL_MS },
      });
      return loop;
    },
  };
}
