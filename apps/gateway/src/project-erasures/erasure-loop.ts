import type { ErasedBatch, ProjectPartName } from '@clew/contracts';
import type { Clock } from '@clew/kernel';
import { handleDue, startDueLoop, takeTurn, type DueLoop, type HandleDueOptions } from '@clew/persistence';
import type { Logger } from '@clew/runtime';
import { after, FIRST_POSITION, type ProjectErasureDocument } from './project-erasure.model.ts';
import type { ProjectErasureStore } from './project-erasures.store.ts';

/** Removes some of what a service has of a project. */
export type ErasePart = (projectId: string) => Promise<ErasedBatch>;

export interface ErasureLoopOptions {
  erasures: Pick<ProjectErasureStore, 'rows' | 'notes' | 'end'>;
  parts: Readonly<Record<ProjectPartName, ErasePart>>;
  clock: Clock;
  logger: Logger;
  /** Between the rounds: longer than a request or a message can be in hand that began before the project was closed. */
  settleMs: number;
}

/** Sees deletions through: a service that is away delays a run, and is asked again for as long as it takes. */
export function startErasureLoop(options: ErasureLoopOptions): DueLoop {
  return startDueLoop({ ...taskOf(options), pollMs: 1_000 });
}

/** One round of it, for tests; returns how many runs it had in hand. */
export function eraseDue(options: ErasureLoopOptions): Promise<number> {
  return handleDue(taskOf(options));
}

function taskOf({
  erasures,
  parts,
  clock,
  logger,
  settleMs,
}: ErasureLoopOptions): HandleDueOptions<ProjectErasureDocument> {
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
