import { createFairLimiter, type FairLimiter, type Leave } from '@clew/kernel';
import type { Resource, ResourceKind } from '../../resources/index.ts';

/** Resolves once a resource may be worked on. */
export type Places = (resource: Pick<Resource, 'kind' | 'desired' | 'wantedBy'>, signal: AbortSignal) => Promise<Leave>;

/**
 * Places of each kind, of which one project has all but one, so that no other waits for a hundred downloads of hours. What
 * has to go waits for nobody; what is no longer wanted waits no more.
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
