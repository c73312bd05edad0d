import { setTimeout as sleep } from 'node:timers/promises';
import { counterOf, type Logger, type MetricsRegistry } from '@clew/runtime';
import type { ConversationPointsStore } from './conversation-points.store.ts';
import { findConversations } from './find-conversations.ts';
import { bytesOf, withoutContent, type FinishedCall } from './finished-call.ts';
import type { PublishCalls } from './span-publisher.ts';

export interface RecorderDependencies {
  points: ConversationPointsStore;
  publish: PublishCalls;
  /** Returns a call as its project wants it to be stored; rejects while that is not known. */
  protect(call: FinishedCall): Promise<FinishedCall>;
  /** Adds calls to the usage. */
  meter: (calls: readonly FinishedCall[]) => Promise<void>;
  /** Called once calls are metered, or could not be. */
  onMetered?: (calls: readonly FinishedCall[]) => void;
  logger: Logger;
  metrics: MetricsRegistry;
}

/** Records calls after their answers, in the order in which they ended. */
export interface Recorder {
  record(call: FinishedCall): void;
  /** Resolves when all calls that ended before are recorded. */
  drained(): Promise<void>;
}

interface Waiting {
  call: FinishedCall;
  /** True if it was put back once, so that another replica could record the call before it. */
  deferred: boolean;
  /** True if nobody will read its words: it is the system's own call, or there was no room for it. */
  isMeteredOnly: boolean;
  /** How often it waited for what may be stored of it. */
  waits: number;
}

const MAX_BATCH = 64;
/** Maximum size of calls that wait to be recorded; beyond it calls are metered, and their words are lost. */
export const MAX_WAITING_BYTES = 64 * 1024 * 1024;
/** Time for which calls are collected to be recorded together, since recording each alone would cost more. */
const GATHER_MS = 100;
const DEFER_MS = 300;
/** Time between two looks at whether it is known what may be stored, and their number: some minutes in all. */
const WAIT_MS = 1_000;
const MAX_WAITS = 60;
const RETRY_DELAYS_MS = [100, 500, 2_000, 5_000, 10_000];

export function createRecorder(deps: RecorderDependencies): Recorder {
  const waiting: Waiting[] = [];
  const lost = counterOf(deps.metrics, 'clew_inference_unrecorded_calls_total');
  let waitingBytes = 0;
  let deferring = 0;
  let isDraining = false;
  let running: Promise<void> | undefined;

  function add(entry: Waiting): void {
    waiting.push(entry);
    waitingBytes += bytesOf(entry.call);
    running ??= run().finally(() => {
      running = undefined;
    });
  }

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      if (waiting.length < MAX_BATCH) await sleep(GATHER_MS);
      const batch = waiting.splice(0, MAX_BATCH);
      const first = batch.filter(({ deferred, waits }) => !deferred && waits === 0).map(({ call }) => call);
      await Promise.all([
        persistently(() => deps.meter(first), 'meter', deps.logger).then(() => deps.onMetered?.(first)),
        recordBatch(batch.filter(({ isMeteredOnly }) => !isMeteredOnly)),
      ]);
      for (const { call } of batch) waitingBytes -= bytesOf(call);
    }
  }

  async function recordBatch(batch: readonly Waiting[]): Promise<void> {
    const known = await protectedOf(batch);
    if (known.length === 0) return;
    const found = await persistently(() => findConversations(known, deps.points), 'find', deps.logger);
    for (const entry of found?.toDefer ?? []) later({ ...entry, deferred: true }, DEFER_MS);
    // If its conversation could not be found, a call is still recorded.
    const calls = found?.recorded ?? known.map(({ call }) => ({ call, conversationId: call.conversationId }));
    if (calls.length === 0) return;
    const published = await persistently(() => deps.publish(calls).then(() => true), 'publish', deps.logger);
    if (published === undefined) lost.inc(calls.length);
  }

  /** Calls as they may be stored. The others wait, and are lost if it does not become known what may be. */
  async function protectedOf(batch: readonly Waiting[]): Promise<Waiting[]> {
    const settled = await Promise.allSettled(batch.map(({ call }) => deps.protect(call)));
    return batch.flatMap((entry, index) => {
      const result = settled[index];
      if (result?.status === 'fulfilled') return [{ ...entry, call: result.value }];
      if (isDraining || entry.waits >= MAX_WAITS) lost.inc();
      else later({ ...entry, waits: entry.waits + 1 }, WAIT_MS);
      return [];
    });
  }

  function later(entry: Waiting, delayMs: number): void {
    deferring += 1;
    setTimeout(() => {
      deferring -= 1;
      add(entry);
    }, delayMs);
  }

  return {
    record(call) {
      const hasRoom = waitingBytes <= MAX_WAITING_BYTES;
      if (!hasRoom) lost.inc();
      const isMeteredOnly = !hasRoom || call.origin === 'system';
      add({ call: isMeteredOnly ? withoutContent(call) : call, deferred: false, isMeteredOnly, waits: 0 });
    },
    async drained() {
      isDraining = true;
      while (running !== undefined || deferring > 0) await (running ?? sleep(DEFER_MS));
    },
  };
}

/** Repeats work for a while; undefined if it never succeeded. */
async function persistently<T>(work: () => Promise<T>, step: string, logger: Logger): Promise<T | undefined> {
  for (const delayMs of [...RETRY_DELAYS_MS, undefined]) {
    try {
      return await work();
    } catch (error) {
      logger.warn({ err: error, step, willRetry: delayMs !== undefined }, 'could not record calls');
      if (delayMs !== undefined) await sleep(delayMs);
    }
  }
  return undefined;
}
