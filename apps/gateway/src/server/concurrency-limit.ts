import { comeBackLater } from '@clew/kernel';
import type { RouteClass } from '@clew/contracts';

/** Requests that are counted together: those of a class, but for the ones that are answered with a stream of events. */
export type CallKind = RouteClass | 'events';

/** How many requests a key has under way at this replica, of each kind by itself. */
export interface ConcurrencyLimit {
  /** Counts one more; throws RATE_LIMITED, and counts nothing, where the key has as many as it may. */
  begin(keyId: string, kind: CallKind): void;
  /** To be called once for each that was begun. */
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
