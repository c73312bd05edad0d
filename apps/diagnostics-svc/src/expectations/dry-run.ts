import {
  listReadyConversations,
  MAX_DRY_RUN_CONVERSATIONS,
  MAX_DRY_RUN_EXAMPLES,
  type ExpectationDryRun,
} from '@clew/contracts';
import type { ServiceClient } from '@clew/http';
import { comeBackLater, createFairLimiter, inParts, type Clock } from '@clew/kernel';
import type { StoredExpectation } from './expectation.ts';
import { snapshotJson } from './read-snapshot.ts';
import { startTrying, type TryingThread } from './try-in-thread.ts';

/** Checks an Expectation on the latest conversations, without storing anything. */
export type DryRun = (expectation: StoredExpectation, requestId: string) => Promise<ExpectationDryRun>;

export interface DryRunDependencies {
  warehouse: ServiceClient;
  clock: Clock;
  /** Time limit in milliseconds, after which no further conversation is checked. */
  deadlineMs?: number;
}

/** Dry runs at a time; one project gets at most all but one of them. Further runs wait, within their deadline. */
const MAX_THREADS = 3;
const READ_TOGETHER = 8;
const MAX_WINDOW_PAGE = 500;
/** Tolerance in milliseconds for applications whose clocks are ahead of ours. */
const AHEAD_MS = 24 * 3_600_000;
/**
 * Time windows in milliseconds that are searched until there are enough conversations, from a minute to three months.
 */
const WINDOWS_MS = [1, 10, 60, 10 * 60, 3 * 24 * 60, 14 * 24 * 60, 90 * 24 * 60].map((minutes) => minutes * 60_000);

interface Tried {
  projectId: string;
  requestId: string;
}

export function createDryRun({ warehouse, clock, deadlineMs = 10_000 }: DryRunDependencies): DryRun {
  const threads = createFairLimiter({ places: MAX_THREADS, share: MAX_THREADS - 1 });

  /** Latest snapshots first, so that at least these are checked before the deadline. */
  async function latestSnapshotIds({ projectId, requestId }: Tried): Promise<string[]> {
    const nowMs = clock.now();
    const to = String(nowMs + AHEAD_MS);
    let latest: { snapshotId: string }[] = [];
    for (const windowMs of WINDOWS_MS) {
      const { conversations } = await warehouse.call(listReadyConversations, {
        params: { projectId },
        query: { from: String(Math.max(0, nowMs - windowMs)), to, limit: String(MAX_WINDOW_PAGE) },
        requestId,
      });
      latest = conversations.slice(-MAX_DRY_RUN_CONVERSATIONS);
      if (latest.length === MAX_DRY_RUN_CONVERSATIONS) break;
    }
    return latest.map(({ snapshotId }) => snapshotId).reverse();
  }

  async function tryAll(thread: TryingThread, of: Tried, signal: AbortSignal): Promise<ExpectationDryRun> {
    const found: ExpectationDryRun = { conversations: 0, broken: 0, examples: [] };
    for (const part of inParts(await latestSnapshotIds(of), () => 1, READ_TOGETHER)) {
      for (const json of await Promise.all(part.map((id) => snapshotJson(warehouse, { ...of, snapshotId: id })))) {
        if (signal.aborted) return found;
        if (json !== undefined) add(found, await thread.try(json, signal).catch(unlessLate(signal)));
      }
    }
    return found;
  }

  return async (expectation, requestId) => {
    const signal = AbortSignal.timeout(deadlineMs);
    let leave: (() => void) | undefined;
    let thread: TryingThread | undefined;
    try {
      leave = await threads.enter([expectation.projectId], signal);
      thread = startTrying(expectation.check);
      return await tryAll(thread, { projectId: expectation.projectId, requestId }, signal);
    } catch (error) {
      throw comeBackLater('UPSTREAM_UNAVAILABLE', 'Conversations cannot be read at the moment', 1_000, error);
    } finally {
      // The thread may still be busy with a snapshot, so it keeps its place until it ends.
      if (thread === undefined) leave?.();
      else void thread.end().then(leave);
    }
  };
}

function add(found: ExpectationDryRun, tried: Awaited<ReturnType<TryingThread['try']>>): void {
  if (!tried.isRead) return;
  found.conversations += 1;
  if (tried.example === undefined) return;
  found.broken += 1;
  if (found.examples.length < MAX_DRY_RUN_EXAMPLES) found.examples.push(tried.example);
}

/** Leaves out a snapshot that the deadline has cut off. */
function unlessLate(signal: AbortSignal) {
  return (error: unknown) => {
    if (signal.aborted) return { isRead: false } as const;
    throw error;
  };
}
