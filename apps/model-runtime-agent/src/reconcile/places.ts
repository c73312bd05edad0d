import { createFairLimiter, type FairLimiter, type Leave } from '@clew/kernel';
import type { Resource, ResourceKind } from '@clew/model-runtime';

/** Resolves when a resource may be worked on, with the function that gives its place back. */
export type Places = (resource: Pick<Resource, 'kind' | 'desired' | 'wantedBy'>, signal: AbortSignal) => Promise<Leave>;

/**
 * Places for each kind of resource. One project gets at most all but one, so that no other waits for a hundred
 * downloads of hours. Removals do not wait, and a resource that is no longer wanted stops waiting.
 */
export function createPlaces({ engine, artifact, service }: Readonly<Record<ResourceKind, number>>): Places {
  const limiters: Readonly<Record<ResourceKind, FairLimiter>> = {
    engine: limiterOf(engine),
    artifact: limiterOf(artifact),
    service: limiterOf(service),
  };
  return async ({ kind, desired, wantedBy }, signal) => {
    if (desired === 'absent') return () => undefined;
    return await limiters[kind].enter([wantedBy], signal).catch(() => () => undefined);
  };
}

function limiterOf(places: number): FairLimiter {
  return createFairLimiter({ places, share: Math.max(1, places - 1) });
}
