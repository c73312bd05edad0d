import { setTimeout as sleep } from 'node:timers/promises';
import { Counter, type Logger, type MetricsRegistry } from '@clew/runtime';
import {
  candidatesOf,
  chatCallOf,
  ConversationPoints,
  hasHistory,
  newConversationId,
  type ChatCall,
} from './conversation-finder.ts';
import type { ConversationPointsStore } from './conversation-points.store.ts';
import type { FinishedCall } from './finished-call.ts';
import type { PublishCalls, RecordedCall } from './span-publisher.ts';

export interface RecorderDependencies {
  points: ConversationPointsStore;
  publish: PublishCalls;
  /** Adds up what calls have used. */
  meter: (calls: readonly FinishedCall[]) => Promise<void>;
  logger: Logger;
  metrics: MetricsRegistry;
}

/** Records calls behind their answers, in the order in which they ended. */
export interface Recorder {
  record(call: FinishedCall): void;
  /** Resolves once everything that ended before is recorded. */
  drained(): Promise<void>;
}

interface Waiting {
  call: FinishedCall;
  /** It was put back once, to let another replica record the call before it. */
  deferred: boolean;
  /** Nobody will read what was said: it is the system's own, or there was no room for it. */
  isMeteredOnly: boolean;
}

const MAX_BATCH = 64;
/** Of requests that wait to be recorded; beyond it calls are metered, and what was said in them is lost. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
const DEFER_MS = 300;
const RETRY_DELAYS_MS = [100, 500, 2_000, 5_000, 10_000];

export function createRecorder(deps: RecorderDependencies): Recorder {
  const waiting: Waiting[] = [];
  const lost = new Counter({
    name: 'clew_inference_unrecorded_calls_total',
    help: 'Calls that could not be recorded as telemetry',
    registers: [deps.metrics],
  });
  let waitingBytes = 0;
  let deferring = 0;
  let running: Promise<void> | undefined;

  function add(entry: Waiting): void {
    waiting.push(entry);
    waitingBytes += entry.call.requestBytes;
    running ??= run().finally(() => {
      running = undefined;
    });
  }

  async function run(): Promise<void> {
    // Calls that end at the same moment are recorded together.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const batch = waiting.splice(0, MAX_BATCH);
      await Promise.all([
        attempt(() => deps.meter(batch.filter(({ deferred }) => !deferred).map(({ call }) => call)), 'meter'),
        recordBatch(batch),
      ]);
      for (const { call } of batch) waitingBytes -= call.requestBytes;
    }
  }

  async function recordBatch(batch: readonly Waiting[]): Promise<void> {
    const ofCallers = batch.filter(({ isMeteredOnly }) => !isMeteredOnly);
    const recorded = await attempt(() => findConversations(ofCallers), 'find conversations');
    const calls = recorded ?? ofCallers.map(({ call }) => ({ call, conversationId: call.conversationId }));
    if (calls.length === 0) return;
    const published = await attempt(async () => deps.publish(calls).then(() => true), 'publish');
    if (published === undefined) lost.inc(calls.length);
  }

  async function findConversations(batch: readonly Waiting[]): Promise<RecordedCall[]> {
    const chats = new Map<Waiting, ChatCall>();
    for (const entry of batch) if (entry.call.operation === 'chat') chats.set(entry, chatCallOf(entry.call));
    const points = new ConversationPoints(await deps.points.find(hashesOf([...chats.values()])));
    const recorded: RecordedCall[] = [];
    for (const entry of batch) {
      const { call } = entry;
      const chat = chats.get(entry);
      if (chat === undefined) {
        recorded.push({ call, conversationId: call.conversationId });
        continue;
      }
      const found = call.conversationId ?? points.find(chat);
      if (found === undefined && hasHistory(chat) && !entry.deferred) {
        defer(entry);
        continue;
      }
      const conversationId = found ?? newConversationId();
      points.reached(chat, conversationId);
      recorded.push({ call, conversationId });
    }
    await deps.points.save(points.changed);
    return recorded;
  }

  function defer(entry: Waiting): void {
    deferring += 1;
    setTimeout(() => {
      deferring -= 1;
      add({ ...entry, deferred: true });
    }, DEFER_MS);
  }

  async function attempt<T>(work: () => Promise<T>, what: string): Promise<T | undefined> {
    for (const delayMs of [...RETRY_DELAYS_MS, undefined]) {
      try {
        return await work();
      } catch (error) {
        deps.logger.warn({ err: error, what, willRetry: delayMs !== undefined }, 'could not record calls');
        if (delayMs !== undefined) await sleep(delayMs);
      }
    }
    return undefined;
  }

  return {
    record(call) {
      const hasRoom = waitingBytes <= MAX_WAITING_BYTES;
      if (!hasRoom) lost.inc();
      const isMeteredOnly = !hasRoom || call.origin === 'system';
      add({
        call: isMeteredOnly ? { ...call, request: {}, requestBytes: 0 } : call,
        ...{ deferred: false, isMeteredOnly },
      });
    },
    async drained() {
      while (running !== undefined || deferring > 0) await (running ?? sleep(DEFER_MS));
    },
  };
}

function hashesOf(chats: readonly ChatCall[]): Map<string, string[]> {
  const byProject = Map.groupBy(chats, ({ call }) => call.projectId);
  return new Map(
    [...byProject].map(([projectId, ofProject]) => [
      projectId,
      [...new Set(ofProject.flatMap((chat) => [...candidatesOf(chat), chat.said.answer ?? chat.said.request]))],
    ]),
  );
}
