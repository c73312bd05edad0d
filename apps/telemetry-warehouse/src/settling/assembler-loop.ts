import type { Clock } from '@clew/kernel';
import { handleDue, startDueLoop, type DueContext, type DueLoop, type HandleDueOptions } from '@clew/persistence';
import type { Logger } from '@clew/runtime';
import type { ConversationStore, KnownConversation } from '../conversations/conversations.store.ts';
import type { ClaimedConversation, DueConversations } from '../conversations/due-conversations.store.ts';
import type { RecordStore } from '../spans/records.store.ts';
import type { Assembler } from './assembler.service.ts';
import { createTraceLayouts } from './trace-layouts.ts';

export interface AssemblerLoopOptions {
  assembler: Pick<Assembler, 'settle'>;
  conversations: Pick<ConversationStore, 'get'>;
  due: DueConversations;
  records: RecordStore;
  clock: Clock;
  logger: Logger;
  concurrency: number;
  /** Whether something more urgent wants the processor. */
  isBusy?: () => boolean;
}

const IDLE_POLL_MS = 200;
const CLAIMS_AT_A_TIME = 32;
/** What was not begun by then is given back: others may have time for it. */
const MAX_BATCH_MS = 20_000;
/** While the process has more urgent work, a pause of twice the work leaves that two thirds of the processor. */
const PAUSE_FACTOR = 2;
const MAX_PAUSE_MS = 250;

/** Assembles conversations as they become due. The due time is stored, so a restart forgets nothing. */
export function startAssemblerLoop(options: AssemblerLoopOptions): DueLoop {
  return startDueLoop({ ...taskOf(options), pollMs: IDLE_POLL_MS, concurrency: options.concurrency });
}

/** Claims some conversations that are due and assembles them; returns how many it claimed. */
export function assembleDue(options: AssemblerLoopOptions): Promise<number> {
  return handleDue(taskOf(options));
}

function taskOf(options: AssemblerLoopOptions): HandleDueOptions<KnownConversation> {
  const { due, clock, logger } = options;
  return {
    ...{ name: 'assembler', rows: due, clock, logger, limit: CLAIMS_AT_A_TIME },
    handle: (claimed, context) => assembleClaimed(options, claimed, context),
  };
}

async function assembleClaimed(
  options: AssemblerLoopOptions,
  claimed: readonly ClaimedConversation[],
  { stopping, beat }: DueContext,
): Promise<void> {
  const { due, records } = options;
  const layouts = createTraceLayouts(records);
  const startedAtMs = performance.now();
  for (const [index, conversation] of claimed.entries()) {
    const begunAtMs = performance.now();
    if (stopping.aborted || begunAtMs - startedAtMs > MAX_BATCH_MS) return await due.giveBack(claimed.slice(index));
    beat();
    await assembleUntouched(options, conversation, layouts);
    const workMs = performance.now() - begunAtMs;
    if (options.isBusy?.() === true) await pause(Math.min(workMs * PAUSE_FACTOR, MAX_PAUSE_MS), stopping);
  }
}

async function assembleUntouched(
  { assembler, conversations, due }: AssemblerLoopOptions,
  claimed: ClaimedConversation,
  layouts: ReturnType<typeof createTraceLayouts>,
): Promise<void> {
  const now = await conversations.get(claimed.projectId, claimed.conversationId);
  if (now?.touches === claimed.touches && now.claim === claimed.claim) await assembler.settle(now, claimed, layouts);
  // It has gone on while it waited for its turn: it is due again once it is quiet.
  else await due.giveBack([claimed]);
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
