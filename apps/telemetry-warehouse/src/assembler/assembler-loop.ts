import type { Clock } from '@clew/kernel';
import type { Logger } from '@clew/runtime';
import type { ConversationStore, KnownConversation } from '../conversations/conversations.store.ts';
import type { DueConversations } from '../conversations/due-conversations.store.ts';
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

export interface AssemblerLoop {
  /** Milliseconds since every worker of it showed that it works; for liveness. */
  beatAgeMs(): number;
  stop(): Promise<void>;
}

const IDLE_POLL_MS = 200;
const CLAIMS_AT_A_TIME = 32;
/** Far longer than assembling takes; after it another process may take over. */
const LEASE_MS = 60_000;
/** What was not begun by then is given back: others may have time for it. */
const MAX_BATCH_MS = 20_000;
/** While the process has more urgent work, a pause of twice the work leaves that two thirds of the processor. */
const PAUSE_FACTOR = 2;
const MAX_PAUSE_MS = 250;

/** Assembles conversations as they become due. The due time is stored, so a restart forgets nothing. */
export function startAssemblerLoop(options: AssemblerLoopOptions): AssemblerLoop {
  const stopping = new AbortController();
  const beatsAtMs = new Map<number, number>();
  const workers = Array.from({ length: options.concurrency }, (_, worker) =>
    work(options, stopping.signal, () => beatsAtMs.set(worker, Date.now())),
  );
  return {
    beatAgeMs: () => Date.now() - Math.min(...beatsAtMs.values()),
    async stop() {
      stopping.abort();
      await Promise.all(workers);
    },
  };
}

async function work(options: AssemblerLoopOptions, stopping: AbortSignal, beat: () => void): Promise<void> {
  while (!stopping.aborted) {
    beat();
    const claimed = await assembleDue(options, stopping).catch((error: unknown) => {
      options.logger.error({ err: error }, 'could not look for conversations that are due');
      return 0;
    });
    if (claimed === 0) await pause(IDLE_POLL_MS, stopping);
  }
}

/** Claims some conversations that are due and assembles them; returns how many it claimed. */
export async function assembleDue(
  options: AssemblerLoopOptions,
  stopping: AbortSignal = new AbortController().signal,
): Promise<number> {
  const { due, clock, records } = options;
  const claimed = await due.claim(clock.now(), { limit: CLAIMS_AT_A_TIME, leaseMs: LEASE_MS });
  const layouts = createTraceLayouts(records);
  const startedAtMs = performance.now();
  for (const conversation of claimed) {
    const begunAtMs = performance.now();
    if (stopping.aborted || begunAtMs - startedAtMs > MAX_BATCH_MS) await due.giveBack(conversation);
    else await assembleClaimed(options, conversation, layouts);
    const workMs = performance.now() - begunAtMs;
    if (options.isBusy?.() === true) await pause(Math.min(workMs * PAUSE_FACTOR, MAX_PAUSE_MS), stopping);
  }
  return claimed.length;
}

async function assembleClaimed(
  { assembler, conversations, due, clock, logger }: AssemblerLoopOptions,
  claimed: KnownConversation,
  layouts: ReturnType<typeof createTraceLayouts>,
): Promise<void> {
  const { projectId, conversationId, attempts } = claimed;
  try {
    const now = await conversations.get(projectId, conversationId);
    if (now?.touches === claimed.touches && now.claim === claimed.claim) await assembler.settle(now, layouts);
    // It has gone on while it waited for its turn: it is due again once it is quiet.
    else await due.giveBack(claimed);
  } catch (error) {
    logger.error({ err: error, projectId, conversationId, attempts }, 'could not assemble a conversation');
    await due.putOff(claimed, clock.now());
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
