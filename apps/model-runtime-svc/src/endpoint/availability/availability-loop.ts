import type { Clock } from '@clew/kernel';
import {
  createDueRows,
  createProjectTurns,
  startDueLoop,
  type Claimed,
  type Database,
  type DueContext,
  type DueLoop,
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

/** Looks at models again as they become due, so that others hear of a provider that went away or came back. */
export interface AvailabilityLoop {
  /** A provider was made, changed or removed: what is known of its models is looked at anew. */
  providerChanged(projectId: string, provider: string): void;
  /** Has a model looked at of which nothing is known, in the background, also when this process ends before that. */
  lookSoon(projectId: string, model: string): Promise<void>;
  start(): DueLoop;
}

const POLL_MS = 10_000;
/** A provider that does not answer keeps those of one group waiting, and no others: a project has one at a time. */
const GROUP_SIZE = 16;
const GROUPS_AT_A_TIME = 8;
const CAPACITY = { total: GROUP_SIZE * GROUPS_AT_A_TIME, ofProject: GROUP_SIZE };
/** Far longer than it takes to probe one model. */
const LEASE_MS = 5 * 60_000;
/** What nobody has asked for in so long is not looked at any more. */
const FORGOTTEN_AFTER_MS = 7 * 24 * 3_600_000;

export function createAvailabilityLoop(deps: AvailabilityLoopDependencies): AvailabilityLoop {
  const { database, capabilities, evaluate, clock, logger } = deps;
  const collection = capabilityCollection(database.connection);
  const rows = createDueRows(collection, { leaseMs: LEASE_MS });
  const turns = createProjectTurns({ collection, rows, capacity: () => CAPACITY });
  let loop: DueLoop | undefined;

  async function handle(claimed: readonly Claimed<CapabilityDocument>[], context: DueContext): Promise<void> {
    const looked: Claimed<CapabilityDocument>[] = [];
    for (const row of claimed) {
      if (context.stopping.aborted || context.signal.aborted) break;
      context.beat();
      if (clock.now() - row.askedAt > FORGOTTEN_AFTER_MS) await capabilities.remove(row.projectId, row.model);
      else {
        // What it finds out is told in a transaction of its own; to look twice does no harm.
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
        // They are looked at within a minute, whatever happens.
        (error: unknown) => logger.warn({ err: error, projectId }, 'could not have models looked at again'),
      );
    },
    async lookSoon(projectId, model) {
      await capabilities.expect(projectId, model, clock.now());
      loop?.wake();
    },
    start() {
      loop = startDueLoop({
        ...{ name: 'availability', rows: turns.rows, clock, logger, handle },
        ...{ limit: GROUP_SIZE, concurrency: GROUPS_AT_A_TIME, pollMs: POLL_MS },
      });
      return loop;
    },
  };
}
