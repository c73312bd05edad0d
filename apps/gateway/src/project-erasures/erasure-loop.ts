import type { ErasedBatch, ProjectPartName } from '@clew/contracts';
import type { Clock } from '@clew/kernel';
import { handleDue, startDueLoop, type DueContext, type DueLoop, type HandleDueOptions } from '@clew/persistence';
import type { Logger } from '@clew/runtime';
import { after, FIRST_POSITION, type ProjectErasureDocument } from './project-erasure.model.ts';
import type { ClaimedErasure, ProjectErasureStore } from './project-erasures.store.ts';

/** Removes some of what a service has of a project. */
export type ErasePart = (projectId: string) => Promise<ErasedBatch>;

export interface ErasureLoopOptions {
  erasures: Pick<ProjectErasureStore, 'rows' | 'note' | 'goOnAt' | 'end'>;
  parts: Readonly<Record<ProjectPartName, ErasePart>>;
  clock: Clock;
  logger: Logger;
  /** Between the rounds: longer than a request or a message can be in hand that began before the project was closed. */
  settleMs: number;
}

/** After it the rest of a run waits until others had their turn. */
const MAX_TURN_MS = 10_000;

/** Sees deletions through: a service that is away delays a run, and is asked again for as long as it takes. */
export function startErasureLoop(options: ErasureLoopOptions): DueLoop {
  return startDueLoop({ ...taskOf(options), pollMs: 1_000 });
}

/** One round of it, for tests; returns how many runs it had in hand. */
export function eraseDue(options: ErasureLoopOptions): Promise<number> {
  return handleDue(taskOf(options));
}

function taskOf(options: ErasureLoopOptions): HandleDueOptions<ProjectErasureDocument> {
  const { erasures, clock, logger } = options;
  return {
    ...{ name: 'project erasure', rows: erasures.rows, clock, logger, limit: 1 },
    async handle(claimed, context) {
      for (const erasure of claimed) await takeTurn(options, erasure, context);
    },
  };
}

/** Batches of one run: each is noted when it is done, so that whoever comes next goes on from there. */
async function takeTurn(options: ErasureLoopOptions, erasure: ClaimedErasure, context: DueContext): Promise<void> {
  const { erasures, parts, clock, settleMs } = options;
  const beganAtMs = performance.now();
  let position = erasure.position ?? FIRST_POSITION;
  while (!context.signal.aborted) {
    if (context.stopping.aborted || performance.now() - beganAtMs > MAX_TURN_MS) {
      return await erasures.goOnAt(erasure, clock.now());
    }
    context.beat();
    const { removed, done } = await parts[position.part](erasure.projectId);
    const next = done ? after(position) : position;
    if (!(await erasures.note(erasure, position.part, removed, next ?? position))) return;
    if (next === undefined) return await erasures.end(erasure, clock.now());
    const isNextRound = next.round !== position.round;
    position = next;
    if (isNextRound) return await erasures.goOnAt(erasure, clock.now() + settleMs);
  }
}
