import type { CallChanges, CallTaken, KnownConversation } from '../conversations/index.ts';
import { callNumber } from '../fragments/index.ts';
import type { SharedCalls } from './assembled.ts';

/** Changes, since the last assembly, of the calls that a conversation shares with others. */
export function callChangesOf(
  { projectId, callsTaken = [], callsLost = [] }: KnownConversation,
  { taken, lost, hasExpired }: SharedCalls,
): CallChanges {
  const found = taken.map(({ place, from }): CallTaken => ({ call: callNumber(place), from }));
  // Calls that can no longer be compared, because records have expired, stay as they were.
  const kept = hasExpired ? [...found, ...without(callsTaken, found)] : found;
  const known = new Set(callsLost);
  return {
    projectId,
    callsTaken: kept,
    takes: without(kept, callsTaken),
    releases: without(callsTaken, kept),
    losses: lost
      .map(({ place, keeper }) => ({ call: callNumber(place), keeper }))
      .filter(({ call }) => !known.has(call)),
  };
}

function without(calls: readonly CallTaken[], others: readonly CallTaken[]): CallTaken[] {
  const known = new Set(others.map(({ call }) => call));
  return calls.filter(({ call }) => !known.has(call));
}
