import type { Clock } from '@clew/kernel';
import {
  handleDueTasks,
  startTaskLoop,
  type TaskContext,
  type TaskLoop,
  type HandleTasksOptions,
} from '@clew/persistence';
import type { Logger } from '@clew/runtime';
import type {
  ClaimedConversation,
  ConversationStore,
  DueConversations,
  KnownConversation,
} from '../conversations/index.ts';
import type { Compaction, FragmentStore } from '../fragments/index.ts';
import type { Assembler } from './assembler.service.ts';
import { createTraceLayouts, type TraceLayouts } from './trace-layouts.ts';

export interface AssemblerLoopOptions {
  assembler: Pick<Assembler, 'settle'>;
  conversations: Pick<ConversationStore, 'touchesOf'>;
  due: DueConversations;
  fragments: Pick<FragmentStore, 'headsOf' | 'walkHeads'>;
  compaction: Compaction;
  clock: Clock;
  logger: Logger;
  /** Number of groups assembled at a time. */
  concurrency: number;
  /** Whether more urgent work needs the processor. */
  isBusy?: () => boolean;
}

const IDLE_POLL_MS = 200;
/** Number of conversations that are read and saved together. */
const GROUP_SIZE = 50;
/** One group at most, so that other projects do not wait for a second one. */
const CLAIMS_AT_A_TIME = GROUP_SIZE;
/** Time after which conversations not begun yet are given back: another process may have time for them. */
const MAX_BATCH_MS = 20_000;
/**
 * Maximum pause. While the process has more urgent work, a pause as long as the work leaves half of the processor to
 * it.
 */
const MAX_PAUSE_MS = 250;

/** Assembles conversations when they become due. The due time is stored, so a restart forgets nothing. */
export function startAssemblerLoop(options: AssemblerLoopOptions): TaskLoop {
  return startTaskLoop({ ...taskOf(options), pollMs: IDLE_POLL_MS, concurrency: options.concurrency });
}

/** Claims due conversations and assembles them; returns the number claimed. */
export function assembleDue(options: AssemblerLoopOptions): Promise<number> {
  return handleDueTasks(taskOf(options));
}

function taskOf(options: AssemblerLoopOptions): HandleTasksOptions<KnownConversation> {
  const { due, clock, logger } = options;
  return {
    ...{ name: 'assembler', rows: due, clock, logger, limit: CLAIMS_AT_A_TIME },
    handle: (claimed, context) => assembleClaimed(options, claimed, context),
  };
}

async function assembleClaimed(
  options: AssemblerLoopOptions,
  claimed: readonly ClaimedConversation[],
  { stopping, heartbeat }: TaskContext,
): Promise<void> {
  const { assembler, due, fragments, isBusy } = options;
  const layouts = createTraceLayouts(fragments);
  const failures: unknown[] = [];
  const startedAtMs = performance.now();
  for (let start = 0; start < claimed.length; start += GROUP_SIZE) {
    const begunAtMs = performance.now();
    if (stopping.aborted || begunAtMs - startedAtMs > MAX_BATCH_MS) {
      await due.giveBack(claimed.slice(start));
      break;
    }
    heartbeat();
    // Conversations that failed are tried again alone, after the others.
    await untouched(options, claimed.slice(start, start + GROUP_SIZE))
      .then((group) => assembler.settle(group, layouts))
      .catch((error: unknown) => failures.push(error));
    await compactCrowded(options, layouts);
    if (isBusy?.() === true) await pause(Math.min(performance.now() - begunAtMs, MAX_PAUSE_MS), stopping);
  }
  if (failures.length > 0) throw failures[0];
}

/**
 * Conversations without new records since they were claimed; the others are given back, and become due when they are
 * quiet.
 */
async function untouched(
  { conversations, due }: AssemblerLoopOptions,
  group: readonly ClaimedConversation[],
): Promise<ClaimedConversation[]> {
  const touches = await conversations.touchesOf(group.map(({ _id }) => _id));
  const [quiet, others]: [ClaimedConversation[], ClaimedConversation[]] = [[], []];
  for (const one of group) (touches.get(one._id) === one.touches ? quiet : others).push(one);
  await due.giveBack(others);
  return quiet;
}

/** Compacts traces that were read in many small fragments, so that they are not read in that form again. */
async function compactCrowded({ compaction, logger }: AssemblerLoopOptions, layouts: TraceLayouts): Promise<void> {
  for (const { projectId, traceId } of layouts.takeCrowded()) {
    await compaction.compact(projectId, traceId).catch((error: unknown) => {
      logger.warn({ err: error, projectId, traceId }, 'the fragments of a trace could not be put together');
    });
  }
}

function pause(durationMs: number, stopping: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (stopping.aborted) return resolve();
    const timer = setTimeout(done, durationMs);
    stopping.addEventListener('abort', done, { once: true });
    function done() {
      clearTimeout(timer);
      stopping.removeEventListener('abort', done);
      resolve();
    }
  });
}
