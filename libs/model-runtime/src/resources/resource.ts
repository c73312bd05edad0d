import type { RuntimeProblem } from '@clew/contracts';
import { backoffMs, type BackOff } from '@clew/kernel';

export type ResourceKind = 'engine' | 'artifact' | 'service';
/** State that the projects want. */
export type Desired = 'present' | 'absent';
/** Actual state: `ready` engines can be used, `ready` artifacts are complete, `ready` services answer. */
export type ResourceState = 'queued' | 'working' | 'ready' | 'failed' | 'removing' | 'removed';
export type StopReason = 'requested' | 'idle';

/** Time of a probe of a service, whose calls do not count as use. */
export interface ProbeTime {
  fromMs: number;
  untilMs: number;
}

export interface Progress {
  bytesDone: number;
  bytesTotal: number | null;
}

/**
 * Thing that a node has because projects hold it: an installed engine, the artifacts of a profile, or a running
 * service. It has one incarnation at a time, identified by its generation; commands for an older one never affect it.
 */
export interface Resource<Spec = unknown, Outcome = unknown> {
  id: string;
  node: string;
  kind: ResourceKind;
  generation: number;
  desired: Desired;
  state: ResourceState;
  /** True if the agent has nothing left to do. */
  settled: boolean;
  /** Number of projects that hold it. */
  holderCount: number;
  /** Specification of the thing to make. */
  spec: Spec;
  /** Result of the work; null until it is ready. */
  outcome: Outcome | null;
  /** Part of `working` that is shown to people. */
  stage: string | null;
  progress: Progress | null;
  error: RuntimeProblem | null;
  /** Number of consecutive failures. */
  failureCount: number;
  nextAttemptAt: number | null;
  stopReason: StopReason | null;
  /** Incarnation of the agent that works on it; writes of an earlier one have no effect. */
  claimEpoch: number;
  log: string[];
  lastUsedAt: number;
  /** Time of the last probe; null before the first one. */
  probe: ProbeTime | null;
  /** Project that requested it, and whose turn it takes. */
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

/** Whether the incarnation can serve a further project: it is there, or on its way. */
export function isCurrent(resource: Resource): boolean {
  return resource.desired === 'present' && resource.state !== 'failed';
}

/** Whether the node is removing that incarnation. */
export function isBeingRemoved(resource: Resource, generation: number): boolean {
  return resource.generation === generation && resource.desired === 'absent' && resource.state === 'removing';
}

/** Builds a new incarnation; projects that hold the resource hold the new incarnation. */
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

/** Fields to set when nobody wants the incarnation any more, or when it has been idle for too long. */
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

/** Delays of 10, 20, 40, ... 300 seconds. */
const BACK_OFF: BackOff = { firstMs: 10_000, maxMs: 300_000 };

/** Whether a failure may pass by itself. */
export type Retry = 'backoff' | 'never';

/** Fields to set after a failed attempt. */
export function failedAttempt(
  resource: Pick<Resource, 'failureCount' | 'desired'>,
  error: RuntimeProblem,
  retry: Retry,
  nowMs: number,
  backOff: BackOff = BACK_OFF,
) {
  const failureCount = resource.failureCount + 1;
  const nextAttemptAt = retry === 'never' ? null : nowMs + backoffMs(failureCount, backOff);
  return {
    // A resource whose removal failed is still being removed.
    state: resource.desired === 'present' ? ('failed' as const) : ('removing' as const),
    settled: nextAttemptAt === null,
    ...{ stage: null, progress: null },
    error,
    failureCount,
    nextAttemptAt,
    updatedAt: nowMs,
  };
}
