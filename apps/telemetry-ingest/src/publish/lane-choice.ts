import type { Lane } from '@clew/contracts';

export interface LaneChoiceOptions {
  /** Sum of recent bytes beyond which a project has the bulk lane. */
  muchBytes?: number;
  /** Time after which a byte counts for a third (1/e) of itself. */
  decayMs?: number;
  /** Number of projects that are remembered, those that sent last. */
  maxProjects?: number;
}

/** Returns the lane of a message that a project publishes now; undefined for the usual one. */
export type LaneChoice = (projectId: string, bytes: number, nowMs: number) => Lane | undefined;

/**
 * Eight messages of full size: one warehouse stores them within a second, which is what a project can add to the wait of
 * another on the usual lane. A busy project that sends its conversations as they happen stays far below.
 */
const MUCH_BYTES = 4 * 1024 * 1024;
/**
 * Long enough to notice a flood that arrives in steps (exporters send batches every few seconds), and short enough that
 * a project is back on the usual lane within seconds after it.
 */
const DECAY_MS = 5_000;
/** About 1 MiB of memory. A project that sends much sends often, so that it is never among the forgotten. */
const MAX_PROJECTS = 10_000;

interface Recent {
  bytes: number;
  atMs: number;
}

/**
 * Creates a choice of lanes by the bytes that each project has published lately. They decay exponentially, so that a
 * project needs two numbers, however many messages it sends. What was refused counts too: otherwise a project would
 * leave the bulk lane because it is full.
 */
export function createLaneChoice(options: LaneChoiceOptions = {}): LaneChoice {
  const { muchBytes = MUCH_BYTES, decayMs = DECAY_MS, maxProjects = MAX_PROJECTS } = options;
  /** In the order of their latest messages. */
  const recentOf = new Map<string, Recent>();

  return (projectId, bytes, nowMs) => {
    const sum = decayed(recentOf.get(projectId), nowMs, decayMs) + bytes;
    recentOf.delete(projectId);
    recentOf.set(projectId, { bytes: sum, atMs: nowMs });
    if (recentOf.size > maxProjects) recentOf.delete(recentOf.keys().next().value as string);
    return sum > muchBytes ? 'bulk' : undefined;
  };
}

function decayed(recent: Recent | undefined, nowMs: number, decayMs: number): number {
  if (recent === undefined) return 0;
  // A clock may be set back; nothing grows by that.
  const passedMs = Math.max(0, nowMs - recent.atMs);
  return recent.bytes * Math.exp(-passedMs / decayMs);
}
