import type { ErasedBatch, ProjectPartName } from '@clew/contracts';
import type { Clock } from '@clew/kernel';
import { handleDueTasks, startTaskLoop, takeTurn, type TaskLoop, type HandleTasksOptions } from '@clew/persistence';
import type { Logger } from '@clew/runtime';
import { after, FIRST_POSITION, type ProjectErasureDocument } from './project-erasure.model.ts';
import type { ProjectErasureStore } from './project-erasures.store.ts';

/** Removes a batch of one project's data in one service. */
export type ErasePart = (projectId: string) => Promise<ErasedBatch>;

export interface ErasureLoopOptions {
  erasures: Pick<ProjectErasureStore, 'rows' | 'notes' | 'end'>;
  parts: Readonly<Record<ProjectPartName, ErasePart>>;
  clock: Clock;
  logger: Logger;
  /**
   * Wait between the two rounds, longer than any request or message that began before the project was closed can last.
   */
  settleMs: number;
}

/** Runs deletions to their end: a service that is away only delays a run, and is asked again until it answers. */
export function startErasureLoop(options: ErasureLoopOptions): TaskLoop {
  return startTaskLoop({ ...taskOf(options), pollMs: 1_000 });
}

/** Runs one round of the loop, for tests; returns the number of deletions that it claimed. */
export function eraseDue(options: ErasureLoopOptions): Promise<number> {
  return handleDueTasks(taskOf(options));
}

function taskOf({
  erasures,
  parts,
  clock,
  logger,
  settleMs,
}: ErasureLoopOptions): HandleTasksOptions<ProjectErasureDocument> {
  return {
    ...{ name: 'project erasure', rows: erasures.rows, clock, logger, limit: 1 },
    async handle(claimed, context) {
      for (const erasure of claimed) {
        await takeTurn(erasure, context, {
          ...{ notes: erasures.notes, clock, settleMs, first: FIRST_POSITION },
          async work(position) {
            const { removed, done } = await parts[position.part](erasure.projectId);
            return { removed, next: done ? after(position) : position };
          },
          end: () => erasures.end(erasure, clock.now()),
        });
      }
    },
  };
}
