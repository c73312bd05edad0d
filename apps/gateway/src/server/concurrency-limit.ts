import { comeBackLater } from '@clew/kernel';
import type { RouteClass } from '@clew/contracts';

/** Requests that are counted together: those of a route class, except those answered with an event stream. */
export type CallKind = RouteClass | 'events';

/** Limit of the requests that a key has in progress at this replica, counted for each kind separately. */
export interface ConcurrencyLimit {
  /** Counts one more request. Throws RATE_LIMITED, and counts nothing, if the key is at its limit. */
  begin(keyId: string, kind: CallKind): void;
  /** Ends a request; to be called once for each that was begun. */
  end(keyId: string, kind: CallKind): void;
}

const RETRY_AFTER_MS = 1_000;

export function createConcurrencyLimit(maxAtATime: Readonly<Record<CallKind, number>>): ConcurrencyLimit {
  const counts: Readonly<Record<CallKind, Map<string, number>>> = {
    ...{ json: new Map(), batch: new Map(), otlp: new Map(), inference: new Map() },
    ...{ audio: new Map(), stream: new Map(), events: new Map() },
  };
  return {
    begin(keyId, kind) {
      const count = counts[kind].get(keyId) ?? 0;
      if (count >= maxAtATime[kind]) {
        const message = `The key has ${count} requests of this kind under way, which is as many as it may`;
        throw comeBackLater('RATE_LIMITED', message, RETRY_AFTER_MS);
      }
      counts[kind].set(keyId, count + 1);
    },
    end(keyId, kind) {
      const count = counts[kind].get(keyId) ?? 0;
      if (count > 1) counts[kind].set(keyId, count - 1);
      else counts[kind].delete(keyId);
    },
  };
}
