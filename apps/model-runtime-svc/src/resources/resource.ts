import type { RuntimeProblem } from '@clew/contracts';
import { backoffMs, type BackOff } from '@clew/kernel';

export type ResourceKind = 'engine' | 'artifact' | 'service';
/** What the projects want of it. */
export type Desired = 'present' | 'absent';
/** `ready` engines can be used, `ready` artifacts are complete, `ready` services answer. */
export type ResourceState = 'queued' | 'working' | 'ready' | 'failed' | 'removing' | 'removed';
export type StopReason = 'requested' | 'idle';

/** When a service was, or is being, looked at by calls that are no use of it. */
export interface ProbeTime {
  fromMs: number;
  untilMs: number;
}

export interface Progress {
  bytesDone: number;
  bytesTotal: number | null;
}

/**
 * Something that a node has because projects hold it: an installed engine, the artifacts of a profile, a running
 * service. It has one incarnation at a time, named by its generation; what is about an older one never touches it.
 */
export interface Resource<Spec = unknown, Outcome = unknown> {
  id: string;
  node: string;
  kind: ResourceKind;
  generation: number;
  desired: Desired;
  state: ResourceState;
  /** Nothing is left for the agent to do. */
  settled: boolean;
  /** Projects that hold it. */
  holderCount: number;
  /** What is to be made. */
  spec: Spec;
  /** What was made; null until it is ready. */
  outcome: Outcome | null;
  /** A part of `working`, for those who look. */
  stage: string | null;
  progress: Progress | null;
  error: RuntimeProblem | null;
  /** Failures in a row. */
  failureCount: number;
  nextAttemptAt: number | null;
  stopReason: StopReason | null;
  /** The incarnation of the agent that works on it; what an earlier one still writes counts for nothing. */
  claimEpoch: number;
  log: string[];
  lastUsedAt: number;
  /** When it was last probed; null before the first time. */
  probe: ProbeTime | null;
  /** Project that had it made, whose turn it takes. */
  wantedBy: string;
  createdAt: number;
  updatedAt: number;
}

export interface Wanted<Spec> {
  id: string;
  node: string;
  kind: ResourceKind;
  spec: Spec;
  wantedBy: string;
}

/** Whether the incarnation serves a project that comes now: it is there, or on its way. */
export function isCurrent(resource: Resource): boolean {
  return resource.desired === 'present' && resource.state !== 'failed';
}

/** Whether the node is at work on removing that incarnation. */
export function isBeingRemoved(resource: Resource, generation: number): boolean {
  return resource.generation === generation && resource.desired === 'absent' && resource.state === 'removing';
}

/** A new incarnation. Who holds the thing holds the new one. */
export function incarnate<Spec>(
  wanted: Wanted<Spec>,
  previous: Resource | undefined,
  generation: number,
  nowMs: number,
): Resource<Spec, never> {
  return {
    ...wanted,
    generation,
    desired: 'present',
    state: 'queued',
    settled: false,
    holderCount: previous?.holderCount ?? 0,
    ...{ outcome: null, stage: null, progress: null, error: null },
    ...{ failureCount: 0, nextAttemptAt: null, stopReason: null },
    claimEpoch: previous?.claimEpoch ?? 0,
    log: [],
    ...{ lastUsedAt: nowMs, probe: null, createdAt: nowMs, updatedAt: nowMs },
  };
}

/** What is written when nobody wants the incarnation any more, or it has been idle for too long. */
export function unwanted(stopReason: StopReason, nowMs: number) {
  return {
    desired: 'absent',
    state: 'removing',
    settled: false,
    ...{ stage: null, progress: null, failureCount: 0, nextAttemptAt: null },
    stopReason,
    updatedAt: nowMs,
  } as const;
}

/** 10, 20, 40, ... 300 seconds. */
const BACK_OFF: BackOff = { firstMs: 10_000, maxMs: 300_000 };

/** Whether a failure may go away by itself. */
export type Retry = 'backoff' | 'never';

/** What is written when an attempt has failed. */
export function failedAttempt(
  resource: Pick<Resource, 'failureCount' | 'desired'>,
  error: RuntimeProblem,
  retry: Retry,
  nowMs: number,
) {
  const failureCount = resource.failureCount + 1;
  const nextAttemptAt = retry === 'never' ? null : nowMs + backoffMs(failureCount, BACK_OFF);
  return {
    // What could not be removed is still being removed.
    state: resource.desired === 'present' ? ('failed' as const) : ('removing' as const),
    settled: nextAttemptAt === null,
    ...{ stage: null, progress: null },
    error,
    failureCount,
    nextAttemptAt,
    updatedAt: nowMs,
  };
}
