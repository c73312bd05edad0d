import { LRUCache } from 'lru-cache';
import type { ConversationSnapshot } from '@clew/contracts';
import type { SuccessSignal } from '@clew/rules';

/** Snapshot of a conversation that succeeded, with the sign of it. */
export interface RecentSuccess {
  snapshot: ConversationSnapshot;
  signal: SuccessSignal;
}

/**
 * Memory of the successes that this worker analysed a moment ago, in projects whose Datasets collect. A look at one
 * follows its analysis within seconds, and needs no second read if it comes to the same worker.
 */
export interface RecentSuccesses {
  /** Keeps a success for some seconds, if its project collects. */
  keep(success: RecentSuccess): void;
  /** Notes that a Dataset of a project collects. */
  noteCollecting(projectId: string): void;
  of(projectId: string, snapshotId: string): RecentSuccess | undefined;
}

export interface RecentSuccessesOptions {
  /** Time in milliseconds that a success is kept; much less than the time between the rounds of an erasure. */
  keptMs?: number;
  /** Maximum number of characters of all that is kept. */
  maxCharacters?: number;
}

const KEPT_MS = 10_000;
const MAX_CHARACTERS = 8_000_000;
/** Time for which a project counts as collecting after a look that it wanted. */
const COLLECTING_MS = 10 * 60_000;
const MAX_PROJECTS = 1_000;

export function createRecentSuccesses(options: RecentSuccessesOptions = {}): RecentSuccesses {
  const { keptMs = KEPT_MS, maxCharacters = MAX_CHARACTERS } = options;
  const projects = new LRUCache<string, true>({ max: MAX_PROJECTS, ttl: COLLECTING_MS, ttlResolution: 0 });
  // Purged in time, so that words do not stay where nothing is analysed any more.
  const successes = new LRUCache<string, RecentSuccess>({
    ...{ maxSize: maxCharacters, ttl: keptMs, ttlAutopurge: true, ttlResolution: 0 },
    sizeCalculation: ({ snapshot }) => charactersOf(snapshot),
  });
  return {
    keep({ snapshot, signal }) {
      // A copy: what Rules have computed from a snapshot is tied to its object, and much larger.
      if (projects.has(snapshot.projectId)) successes.set(snapshot.snapshotId, { snapshot: { ...snapshot }, signal });
    },
    noteCollecting: (projectId) => void projects.set(projectId, true),
    of(projectId, snapshotId) {
      const success = successes.get(snapshotId);
      return success?.snapshot.projectId === projectId ? success : undefined;
    },
  };
}

function charactersOf({ messages, tools }: ConversationSnapshot): number {
  const called = messages.map(({ toolCalls = [] }) => toolCalls.map((call) => call.arguments));
  const said = messages.reduce((sum, { content }) => sum + content.length, 0);
  return said + JSON.stringify([called, tools]).length;
}
