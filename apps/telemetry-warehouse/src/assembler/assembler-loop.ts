import type { Clock } from '@clew/kernel';
import type { Logger } from '@clew/runtime';
import type { ConversationStore } from '../conversations/conversations.store.ts';
import type { Assembler } from './assembler.service.ts';

export interface AssemblerLoopOptions {
  assembler: Assembler;
  conversations: ConversationStore;
  clock: Clock;
  logger: Logger;
  concurrency: number;
}

export interface AssemblerLoop {
  stop(): Promise<void>;
}

const IDLE_POLL_MS = 200;
/** Far longer than assembling takes; after it another process may take over. */
const LEASE_MS = 60_000;

/** Assembles conversations as they become due. The due time is stored, so a restart forgets nothing. */
export function startAssemblerLoop(options: AssemblerLoopOptions): AssemblerLoop {
  const stopping = new AbortController();
  const workers = Array.from({ length: options.concurrency }, () => work(options, stopping.signal));
  return {
    async stop() {
      stopping.abort();
      await Promise.all(workers);
    },
  };
}

async function work(options: AssemblerLoopOptions, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    const worked = await assembleNext(options).catch((error: unknown) => {
      options.logger.error({ err: error }, 'could not assemble a conversation');
      return false;
    });
    if (!worked) await pause(IDLE_POLL_MS, stopping);
  }
}

async function assembleNext({ assembler, conversations, clock }: AssemblerLoopOptions): Promise<boolean> {
  const due = await conversations.claimDue(clock.now(), LEASE_MS);
  if (due === undefined) return false;
  await assembler.assemble(due, true);
  return true;
}

function pause(durationMs: number, stopping: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, durationMs);
    stopping.addEventListener('abort', done, { once: true });
    function done() {
      clearTimeout(timer);
      stopping.removeEventListener('abort', done);
      resolve();
    }
  });
}
